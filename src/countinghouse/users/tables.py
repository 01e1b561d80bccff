from sqlalchemy import BigInteger, Column, Index, Integer, String, Table, text

from countinghouse.core.db import metadata
from countinghouse.core.masking import Holds
from countinghouse.core.times import Moment

users = Table(
    "users",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("username", String(100), nullable=False),
    Column("mobile", String(20), nullable=False, info={"holds": Holds.NUMBER}),
    # The number of corrections; each correction names the version it was decided on.
    Column("version", Integer, nullable=False, server_default="0"),
    # The service's own id of the row; NULL for rows that did not come through the intake.
    Column("external_id", String(200)),
    # One index for each sort order, so that a page costs the same at any depth.
    Index("ix_users_newest", "created_at", "id"),
    Index("ix_users_username", "username", "id"),
    Index("ix_users_mobile", "mobile", "id"),
    Index(
        "uq_users_external_id",
        "external_id",
        unique=True,
        sqlite_where=text("external_id IS NOT NULL"),
        postgresql_where=text("external_id IS NOT NULL"),
    ),
)

# Maintained by triggers. The row with an empty day holds the totals of all time.
user_tallies = Table(
    "user_tallies",
    metadata,
    Column("day", String(20), primary_key=True),
    Column("entries", BigInteger, nullable=False),
)
