"""Reference sense: one spelling of each transaction id, and what is odd about it."""

import sqlalchemy as sa
from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"

# Existing rows are checked while the server runs, because a million purchases take minutes.


def upgrade() -> None:
    op.add_column("purchases", sa.Column("reference_key", sa.String(100)))
    op.add_column("purchases", sa.Column("findings", sa.Text))
    op.create_index("ix_purchases_reference", "purchases", ["reference_key"])
    _create_index_on_some("ix_purchases_findings", ["created_at", "id"], "findings <> ''")
    _create_index_on_some("ix_purchases_unseen", ["id"], "findings IS NULL")


def _create_index_on_some(name: str, columns: list[str], which: str) -> None:
    op.create_index(name, "purchases", columns, sqlite_where=sa.text(which), postgresql_where=sa.text(which))
