from sqlalchemy import Column, ForeignKey, Index, LargeBinary, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

# A retry after a lost reply finds its answer here.
intake_answers = Table(
    "intake_answers",
    metadata,
    Column("key_id", ForeignKey("api_keys.id"), primary_key=True),
    Column("idempotency_key", String(200), primary_key=True),
    Column("asked_hash", LargeBinary(32), nullable=False),
    # The JSON of the answer, compressed.
    Column("answer", LargeBinary, nullable=False),
    Column("created_at", Moment, nullable=False, index=True),
    Index("ix_intake_answers_of_key", "key_id", "created_at"),
)
