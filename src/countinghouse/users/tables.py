from sqlalchemy import BigInteger, Column, Index, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

users = Table(
    "users",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("username", String(100), nullable=False),
    Column("mobile", String(20), nullable=False),
    # One index for each sort order, so that a page costs the same at any depth.
    Index("ix_users_newest", "created_at", "id"),
    Index("ix_users_username", "username", "id"),
    Index("ix_users_mobile", "mobile", "id"),
)

# Maintained by triggers. The row with an empty day holds the totals of all time.
user_tallies = Table(
    "user_tallies",
    metadata,
    Column("day", String(20), primary_key=True),
    Column("entries", BigInteger, nullable=False),
)
