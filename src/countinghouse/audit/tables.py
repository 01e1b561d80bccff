from sqlalchemy import JSON, BigInteger, Column, Identity, Integer, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

# Triggers allow nothing but appending, and the database numbers the rows (docs/decisions/0016).
audit_log = Table(
    "audit_log",
    metadata,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), Identity(always=True), primary_key=True),
    Column("at", Moment, nullable=False),
    Column("actor", String(200), nullable=False),
    Column("address", String(45)),
    Column("verb", String(40), nullable=False),
    Column("subject_id", String(64), nullable=False, index=True),
    Column("before", JSON(none_as_null=True)),
    Column("after", JSON(none_as_null=True)),
)
