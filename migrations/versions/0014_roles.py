"""Roles of admins, links that invite them, and counts of refused logins.

Whoever could do everything before stays able to: an existing admin becomes an owner.
"""

import sqlalchemy as sa
from alembic import op

from countinghouse.core.times import Moment

revision: str = "0014"
down_revision: str | None = "0013"


def upgrade() -> None:
    op.add_column("admins", sa.Column("role", sa.String(20), nullable=False, server_default="owner"))
    op.create_table(
        "invitations",
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("username", sa.String(100)),
        sa.Column("username_key", sa.String(200), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("admin_id", sa.String(24)),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_invitations"),
        sa.UniqueConstraint("username_key", name="uq_invitations_username_key"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_invitations_admin_id"),
    )
    op.create_table(
        "refused_logins",
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("hour", sa.String(13), nullable=False),
        sa.Column("refusals", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", "hour", name="pk_refused_logins"),
    )
    op.create_table(
        "login_salt",
        sa.Column("salt", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("salt", name="pk_login_salt"),
    )
