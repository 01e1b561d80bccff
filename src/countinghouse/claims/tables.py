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
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("purchase_id", ForeignKey("purchases.id"), nullable=False),
    Column("amount_paise", BigInteger, nullable=False),
    Column("account_no", String(40), nullable=False),
    Column("ifsc", String(20), nullable=False),
    Column("address", String(300), nullable=False),
    Column("status", String(20), nullable=False),
    CheckConstraint(f"amount_paise BETWEEN 0 AND {LARGEST_PAISE}", name="amount_is_exact"),
    CheckConstraint(f"status IN {STATUSES}", name="status_is_known"),
    # One for each order of the list; a page costs the same at any depth.
    Index("ix_claims_newest", "created_at", "id"),
    Index("ix_claims_status", "status", "created_at", "id"),
    Index("ix_claims_amount", "amount_paise", "id"),
    Index("ix_claims_account", "account_no", "id"),
    Index("ix_claims_ifsc", "ifsc", "id"),
    Index("ix_claims_address", "address", "id"),
    Index("ix_claims_user", "user_id", "id"),
    Index("ix_claims_purchase", "purchase_id", "id"),
)

# Kept by triggers. The row with an empty day is for all time.
claim_tallies = Table(
    "claim_tallies",
    metadata,
    Column("day", String(20), primary_key=True),
    Column("status", String(20), primary_key=True),
    Column("entries", BigInteger, nullable=False),
    Column("amount_paise", BigInteger, nullable=False),
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
