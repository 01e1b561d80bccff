"""The findings of a QR code are stored as a JSON array, like those of a purchase; before, as words with commas."""

from alembic import op

revision: str = "0010"
down_revision: str | None = "0009"


def upgrade() -> None:
    op.execute("""UPDATE qr_codes SET findings = '["' || replace(findings, ',', '","') || '"]' WHERE findings <> ''""")
