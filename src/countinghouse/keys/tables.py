from sqlalchemy import Column, LargeBinary, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

# Only the hash is stored, so that a stolen copy of the database contains no usable key.
api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("name", String(100), nullable=False),
    # Names are never reused, because the audit log names keys by them.
    Column("name_key", String(200), nullable=False, unique=True),
    Column("key_hash", LargeBinary(32), nullable=False, unique=True),
    # The first characters of the key, by which people recognise it.
    Column("prefix", String(20), nullable=False),
    # Both are words separated by spaces. Without networks, the key may be used from anywhere.
    Column("scopes", String(200), nullable=False),
    Column("networks", String(2000), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("created_by", String(200), nullable=False),
    Column("expires_at", Moment),
    Column("last_used_at", Moment),
    Column("revoked_at", Moment),
    Column("revoked_by", String(200)),
)
