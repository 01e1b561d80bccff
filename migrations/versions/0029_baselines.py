"""Since when the log tells a password's digest and whom a claim pays: `audit/baselines.py` records it of old records.

A desk that has no records yet has nothing to record.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0029"
down_revision: str | None = "0028"


def upgrade() -> None:
    op.create_table(
        "audit_baselines",
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("recorded_up_to", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("kind", name="pk_audit_baselines"),
    )
    for kind, table in (("admin", "admins"), ("claim", "claims")):
        op.execute(
            f"INSERT INTO audit_baselines (kind, recorded_up_to) SELECT '{kind}', '' "
            f"WHERE EXISTS (SELECT 1 FROM {table})"
        )
