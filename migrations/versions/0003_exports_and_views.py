"""Exports under way and gone, and the views that admins saved."""

import sqlalchemy as sa
from alembic import op

from countinghouse.core.times import Moment

revision: str = "0003"
down_revision: str | None = "0002"


def upgrade() -> None:
    op.create_table(
        "exports",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("admin_id", sa.String(24), nullable=False),
        sa.Column("session_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("list", sa.String(20), nullable=False),
        sa.Column("format", sa.String(10), nullable=False),
        sa.Column("query", sa.JSON, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.Column("started_at", Moment),
        sa.Column("beat_at", Moment),
        sa.Column("rows_total", sa.BigInteger),
        sa.Column("rows_written", sa.BigInteger, nullable=False),
        sa.Column("cancelled_at", Moment),
        sa.Column("ended_at", Moment),
        sa.Column("outcome", sa.String(20)),
        sa.PrimaryKeyConstraint("id", name="pk_exports"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_exports_admin_id"),
    )
    op.create_index("ix_exports_of_admin", "exports", ["admin_id", "created_at"])
    op.create_table(
        "saved_views",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("admin_id", sa.String(24), nullable=False),
        sa.Column("screen", sa.String(20), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("name_key", sa.String(200), nullable=False),
        sa.Column("search", sa.String(2000), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_saved_views"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_saved_views_admin_id"),
        sa.UniqueConstraint("admin_id", "screen", "name_key", name="uq_saved_views_admin_screen_name"),
    )
