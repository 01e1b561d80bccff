"""A bulk payment keeps the warnings of each claim as they were when it was planned."""

import sqlalchemy as sa
from alembic import op

revision: str = "0030"
down_revision: str | None = "0029"


def upgrade() -> None:
    op.add_column("batch_rows", sa.Column("seen", sa.Text()))
