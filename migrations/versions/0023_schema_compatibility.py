"""The database says which version's code still works with it, so that instances can be upgraded one after the other.

A migration that takes something away from older code raises `oldest_revision` to the oldest revision whose code works
without it. All others only add.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0023"
down_revision: str | None = "0022"


def upgrade() -> None:
    op.create_table(
        "schema_compatibility",
        sa.Column("oldest_revision", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("oldest_revision", name="pk_schema_compatibility"),
    )
    op.execute("INSERT INTO schema_compatibility (oldest_revision) VALUES ('0023')")
