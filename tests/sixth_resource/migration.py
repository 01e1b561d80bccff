"""Complaints of clients."""

import sqlalchemy as sa
from alembic import op

from countinghouse.core.times import Moment

revision: str = "9999"
down_revision: str | None = "NEWEST"


def upgrade() -> None:
    op.create_table(
        "complaints",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("channel", sa.String(20), nullable=False),
        sa.Column("answered_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_complaints"),
    )
    op.create_index("ix_complaints_created_at", "complaints", ["created_at", "id"])
    op.create_index("ix_complaints_subject", "complaints", ["subject", "id"])
