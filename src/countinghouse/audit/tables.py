from sqlalchemy import JSON, BigInteger, Column, Identity, Index, Integer, MetaData, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

_Number = BigInteger().with_variant(Integer, "sqlite")

LONGEST_SUBJECT = 64

# Triggers allow nothing but appending, and the database numbers the rows (docs/decisions/0016).
audit_log = Table(
    "audit_log",
    metadata,
    Column("seq", _Number, Identity(always=True), primary_key=True),
    Column("at", Moment, nullable=False),
    Column("actor", String(200), nullable=False),
    Column("address", String(45)),
    Column("verb", String(40), nullable=False),
    Column("subject_id", String(LONGEST_SUBJECT), nullable=False),
    Column("before", JSON(none_as_null=True)),
    Column("after", JSON(none_as_null=True)),
    # One index for each filter of the list, in the order of the list. Who and what together have one more: of two
    # filters that leave millions each, both may leave nothing.
    Index("ix_audit_log_newest", "at", "seq"),
    Index("ix_audit_log_actor", "actor", "at", "seq"),
    Index("ix_audit_log_verb", "verb", "at", "seq"),
    Index("ix_audit_log_actor_verb", "actor", "verb", "at", "seq"),
    Index("ix_audit_log_subject", "subject_id", "at", "seq"),
)

# The chain, in the order of sealing (docs/decisions/0022). Append-only as well. There is no foreign key: it would hide
# that a row was deleted.
audit_seals = Table(
    "audit_seals",
    metadata,
    Column("position", _Number, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False, unique=True),
    # SHA-256 in hexadecimal digits.
    Column("seal", String(64), nullable=False),
)

# Numbers below sealed ones that no row has yet, on PostgreSQL: their transaction is still open, or was rolled back.
# A trigger of `audit_seals` finds them.
audit_open_gaps = Table(
    "audit_open_gaps",
    metadata,
    Column("first_seq", _Number, primary_key=True, autoincrement=False),
    Column("last_seq", BigInteger, nullable=False),
    # The id of the transaction that found the gap. One that can still fill it has a lower id.
    Column("seen_by", BigInteger, nullable=False),
    # The system identifier of PostgreSQL: ids of transactions mean nothing in another one.
    Column("cluster", BigInteger, nullable=False),
)

# Only a server of the previous release uses it.
audit_gaps = Table(
    "audit_gaps",
    metadata,
    Column("seq", _Number, primary_key=True, autoincrement=False),
    Column("seen_at", Moment, nullable=False),
)

# The kinds of records that an upgrade has yet to record in the log, each with the last id that it has reached. A
# migration adds them.
audit_baselines = Table(
    "audit_baselines",
    metadata,
    Column("kind", String(40), primary_key=True),
    Column("recorded_up_to", String(LONGEST_SUBJECT), nullable=False),
)

# A view of `audit_log` with the column names that a Listing expects. Its own metadata: it is no table to create.
audit_entries = Table(
    "audit_entries",
    MetaData(),
    Column("id", BigInteger, primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("actor", String, nullable=False),
    Column("address", String),
    Column("verb", String, nullable=False),
    Column("subject_id", String, nullable=False),
    Column("before", JSON(none_as_null=True)),
    Column("after", JSON(none_as_null=True)),
)
