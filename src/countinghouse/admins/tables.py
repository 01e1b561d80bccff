from sqlalchemy import BigInteger, Column, ForeignKey, LargeBinary, String, Table

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
)

known_devices = Table(
    "known_devices",
    metadata,
    Column("mark_hash", LargeBinary(32), primary_key=True),
    Column("admin_id", ForeignKey("admins.id"), nullable=False, index=True),
    Column("created_at", Moment, nullable=False),
)

login_buckets = Table(
    "login_buckets",
    metadata,
    Column("key", String(250), primary_key=True),
    # When all counted attempts will have drained, in milliseconds since 1970.
    Column("drained_at_ms", BigInteger, nullable=False),
    # When the last attempt was counted. The two times show how full the bucket was then, even if the clock was changed
    # since.
    Column("counted_at_ms", BigInteger, nullable=False, server_default="0"),
)
