from sqlalchemy import BigInteger, CheckConstraint, Column, ForeignKey, Index, String, Table, UniqueConstraint

from countinghouse.claims.lifecycle import STATUSES
from countinghouse.core.database import metadata
from countinghouse.core.money import LARGEST_PAISE
from countinghouse.core.times import Moment

claims = Table(
    "claims",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("purchase_id", ForeignKey("purchases.id"), nullable=False, index=True),
    Column("amount_paise", BigInteger, nullable=False),
    Column("account_no", String(40), nullable=False),
    Column("ifsc", String(20), nullable=False),
    Column("address", String(300), nullable=False),
    Column("status", String(20), nullable=False),
    CheckConstraint(f"amount_paise BETWEEN 0 AND {LARGEST_PAISE}", name="amount_is_exact"),
    CheckConstraint(f"status IN {STATUSES}", name="status_is_known"),
    Index("ix_claims_newest", "created_at", "id"),
)

# The second lock behind the guarded UPDATE: a claim reaches each status once, whatever the code above believes.
claim_transitions = Table(
    "claim_transitions",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("claim_id", ForeignKey("claims.id"), nullable=False),
    Column("from_status", String(20), nullable=False),
    Column("to_status", String(20), nullable=False),
    Column("moved_by", String(200), nullable=False),
    Column("moved_at", Moment, nullable=False),
    UniqueConstraint("claim_id", "to_status", name="uq_claim_transitions_claim_to"),
)
