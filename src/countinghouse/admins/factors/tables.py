from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

# Not encrypted: the server needs the secret to check a code, so the key would lie beside the database. A copy of the
# database still opens no session, because login needs the password as well, and only its hash is stored.
totp_secrets = Table(
    "totp_secrets",
    metadata,
    Column("admin_id", ForeignKey("admins.id"), primary_key=True),
    Column("secret", String(64), nullable=False),
    Column("created_at", Moment, nullable=False),
    # None until the admin has entered a first code. Until then it counts as no factor.
    Column("confirmed_at", Moment),
    # The time step of the last accepted code. Only codes of later steps are accepted, so each works once.
    Column("last_step", BigInteger, nullable=False),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("admin_id", ForeignKey("admins.id"), primary_key=True),
    # Eighty random bits need no slow hash.
    Column("code_hash", LargeBinary(32), primary_key=True),
    Column("used_at", Moment),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("admin_id", ForeignKey("admins.id"), nullable=False, index=True),
    Column("credential_id", LargeBinary(1023), nullable=False, unique=True),
    Column("public_key", LargeBinary(2048), nullable=False),
    # Grows with each use, or stays 0 where the authenticator does not count. A lower number hints at a copy of the key.
    Column("sign_count", BigInteger, nullable=False),
    Column("name", String(100), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("last_used_at", Moment),
)

# A login whose password was right, a passkey login or enrolment that has begun, or a step-up. Works once.
factor_challenges = Table(
    "factor_challenges",
    metadata,
    Column("token_hash", LargeBinary(32), primary_key=True),
    Column("purpose", String(20), nullable=False),
    # None for a login by passkey alone: the passkey names the admin.
    Column("admin_id", ForeignKey("admins.id"), index=True),
    # What it belongs to: the session, and for a step-up also what it confirms.
    Column("bound_to", LargeBinary(32), nullable=False),
    Column("tries_left", Integer, nullable=False),
    Column("expires_at", Moment, nullable=False, index=True),
)

# A step-up that was granted and not used yet, or that still covers the work that it has confirmed.
step_up_grants = Table(
    "step_up_grants",
    metadata,
    Column("session_hash", LargeBinary(32), primary_key=True),
    # A hash of the action and of the exact request, or of the work.
    Column("confirms", LargeBinary(32), primary_key=True),
    Column("expires_at", Moment, nullable=False, index=True),
)
