"""A bulk payment keeps the bank reference of each claim, and a hash of what its admin confirmed."""

import sqlalchemy as sa
from alembic import op

revision: str = "0018"
down_revision: str | None = "0017"


def upgrade() -> None:
    op.add_column("batches", sa.Column("confirmation", sa.LargeBinary(32)))
    op.add_column("batch_rows", sa.Column("reference", sa.String(40)))
