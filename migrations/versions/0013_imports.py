"""Files that admins upload to import them."""

import sqlalchemy as sa
from alembic import op

from countinghouse.core.times import Moment

revision: str = "0013"
down_revision: str | None = "0012"


def upgrade() -> None:
    op.create_table(
        "imports",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("created_by", sa.String(200), nullable=False),
        sa.Column("files", sa.Text, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("map", sa.Text, nullable=False),
        sa.Column("job", sa.String(24)),
        sa.Column("job_by", sa.String(200)),
        sa.Column("heard_at", Moment),
        sa.Column("rows_done", sa.Integer, nullable=False, server_default="0"),
        sa.Column("share_done", sa.Integer, nullable=False, server_default="0"),
        sa.Column("report", sa.Text),
        sa.Column("failure", sa.String(1000)),
        sa.Column("bad_rows", sa.LargeBinary),
        sa.PrimaryKeyConstraint("id", name="pk_imports"),
    )
    op.create_index("ix_imports_created_at", "imports", ["created_at"])
    op.create_table(
        "import_parts",
        sa.Column("import_id", sa.String(24), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("import_id", "number", name="pk_import_parts"),
        sa.ForeignKeyConstraint(["import_id"], ["imports.id"], name="fk_import_parts_import_id"),
    )
