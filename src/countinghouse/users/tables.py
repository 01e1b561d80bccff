from sqlalchemy import Column, Index, String, Table

from countinghouse.core.database import metadata
from countinghouse.core.times import Moment

users = Table(
    "users",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("username", String(100), nullable=False),
    Column("mobile", String(20), nullable=False),
    Index("ix_users_newest", "created_at", "id"),
)
