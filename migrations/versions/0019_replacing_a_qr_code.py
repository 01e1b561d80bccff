"""A request to display a QR code remembers the code that it replaces."""

import sqlalchemy as sa
from alembic import op

revision: str = "0019"
down_revision: str | None = "0018"


def upgrade() -> None:
    op.add_column("qr_codes", sa.Column("display_replaces", sa.String(24)))
