from sqlalchemy import BigInteger, Column, Identity, Integer, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

# The desk's time zone: from each moment on, how many seconds it is ahead of UTC.
desk_zone = Table(
    "desk_zone",
    metadata,
    Column("since_at", Moment, primary_key=True),
    Column("seconds", Integer, nullable=False),
    Column("zone", String(100), nullable=False),
)

# What happened on a day of that zone. Kinds: `requested` by status, `bought` by QR name, the statuses by who moved a
# claim there (each claim at its last arrival), `waited` by the minutes from request to payment.
day_tallies = Table(
    "day_tallies",
    metadata,
    Column("kind", String(20), primary_key=True),
    Column("day", String(20), primary_key=True),
    Column("name", String(200), primary_key=True),
    Column("entries", BigInteger, nullable=False),
    Column("amount_paise", BigInteger, nullable=False),
)

# Appended by triggers, so that rows of other programs count too; folded into the tallies by a running server.
day_changes = Table(
    "day_changes",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), Identity(always=True), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("day", String(20), nullable=False),
    Column("name", String(200), nullable=False),
    Column("entries", BigInteger, nullable=False),
    Column("amount_paise", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)
