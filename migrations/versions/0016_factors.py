"""Second factors of admins, and where a session was opened."""

import sqlalchemy as sa
from alembic import op

from countinghouse.core.times import Moment

revision: str = "0016"
down_revision: str | None = "0015"


def upgrade() -> None:
    op.add_column("admins", sa.Column("has_factor", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("sessions", sa.Column("device", sa.String(300)))
    op.add_column("sessions", sa.Column("address", sa.String(45)))
    op.create_table(
        "totp_secrets",
        sa.Column("admin_id", sa.String(24), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("confirmed_at", Moment),
        sa.Column("last_step", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("admin_id", name="pk_totp_secrets"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_totp_secrets_admin_id"),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("admin_id", sa.String(24), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("used_at", Moment),
        sa.PrimaryKeyConstraint("admin_id", "code_hash", name="pk_recovery_codes"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_recovery_codes_admin_id"),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("admin_id", sa.String(24), nullable=False),
        sa.Column("credential_id", sa.LargeBinary(1023), nullable=False),
        sa.Column("public_key", sa.LargeBinary(2048), nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("last_used_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        sa.UniqueConstraint("credential_id", name="uq_passkeys_credential_id"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_passkeys_admin_id"),
    )
    op.create_index("ix_passkeys_admin_id", "passkeys", ["admin_id"])
    op.create_table(
        "factor_challenges",
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("purpose", sa.String(20), nullable=False),
        sa.Column("admin_id", sa.String(24)),
        sa.Column("bound_to", sa.LargeBinary(32), nullable=False),
        sa.Column("tries_left", sa.Integer, nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_factor_challenges"),
        sa.ForeignKeyConstraint(["admin_id"], ["admins.id"], name="fk_factor_challenges_admin_id"),
    )
    op.create_index("ix_factor_challenges_admin_id", "factor_challenges", ["admin_id"])
    op.create_index("ix_factor_challenges_expires_at", "factor_challenges", ["expires_at"])
    op.create_table(
        "step_up_grants",
        sa.Column("session_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("confirms", sa.LargeBinary(32), nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("session_hash", "confirms", name="pk_step_up_grants"),
    )
    op.create_index("ix_step_up_grants_expires_at", "step_up_grants", ["expires_at"])
