from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

batches = Table(
    "batches",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("admin_id", ForeignKey("admins.id"), nullable=False),
    Column("target", String(20), nullable=False),
    Column("reason", String(500)),
    Column("created_at", Moment, nullable=False),
    Column("confirmed_at", Moment),
    # A hash of what was confirmed; NULL if the batch was confirmed as planned.
    Column("confirmation", LargeBinary(32)),
    Column("ended_at", Moment),
    Column("retry_of", ForeignKey("batches.id")),
    Index("ix_batches_of_admin", "admin_id", "created_at"),
)

batch_rows = Table(
    "batch_rows",
    metadata,
    Column("batch_id", ForeignKey("batches.id"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("claim_id", ForeignKey("claims.id"), nullable=False),
    # The version when planned; a claim that has another version when its turn comes is skipped.
    Column("version", Integer, nullable=False),
    Column("amount_paise", BigInteger, nullable=False),
    # The bank's reference that the claim will be marked Paid with, normalised.
    Column("reference", String(40)),
    # NULL while the row waits for its turn.
    Column("outcome", String(20)),
    Column("why", String(500)),
    Column("ended_at", Moment),
    # The ids of the claim's warnings when a payment was planned, as a JSON list. NULL if it had none.
    Column("seen", Text),
    UniqueConstraint("batch_id", "claim_id", name="uq_batch_rows_batch_claim"),
)
