from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, LargeBinary, String, Table, false

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

admins = Table(
    "admins",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("username", String(100), nullable=False),
    Column("username_key", String(200), nullable=False, unique=True),
    Column("password_hash", String(200), nullable=False),
    Column("disabled_at", Moment),
    Column("role", String(20), nullable=False, server_default="owner"),
    # For instances of 0.1.0 that still run during an upgrade. The factors themselves decide: see HAS_FACTOR.
    Column("has_factor", Boolean, nullable=False, server_default=false()),
)

# Only hashes of tokens are stored, so that a stolen copy of the database opens no session.
sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", LargeBinary(32), primary_key=True),
    Column("admin_id", ForeignKey("admins.id"), nullable=False, index=True),
    Column("created_at", Moment, nullable=False),
    Column("last_seen_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("ended_at", Moment),
    # The browser and the address of the login.
    Column("device", String(300)),
    Column("address", String(45)),
)

# One-time links that set a password: of the admin that it names, or of a new one. Without a name it is for the first
# owner, who chooses one.
invitations = Table(
    "invitations",
    metadata,
    Column("token_hash", LargeBinary(32), primary_key=True),
    Column("username", String(100)),
    Column("username_key", String(200), nullable=False, unique=True),
    Column("role", String(20), nullable=False),
    Column("admin_id", ForeignKey("admins.id")),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
)

known_devices = Table(
    "known_devices",
    metadata,
    Column("mark_hash", LargeBinary(32), primary_key=True),
    Column("admin_id", ForeignKey("admins.id"), nullable=False, index=True),
    Column("created_at", Moment, nullable=False),
)

# How many logins were refused, per hour, of an admin by name and otherwise by network. Refused
# searches for numbers are counted here too, as "searches of" an admin's id.
refused_logins = Table(
    "refused_logins",
    metadata,
    Column("name", String(120), primary_key=True),
    Column("hour", String(13), primary_key=True),
    Column("refusals", Integer, nullable=False),
)

login_salt = Table("login_salt", metadata, Column("salt", String(32), primary_key=True))

login_buckets = Table(
    "login_buckets",
    metadata,
    # Of an account it has a keyed hash of the typed name.
    Column("key", String(250), primary_key=True),
    # When all counted attempts will have drained, in milliseconds since 1970.
    Column("drained_at_ms", BigInteger, nullable=False),
    # When the last attempt was counted. The two times show how full the bucket was then, even if the clock was changed
    # since.
    Column("counted_at_ms", BigInteger, nullable=False, server_default="0"),
)
