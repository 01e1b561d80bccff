from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from countinghouse.claims.lifecycle import STATUSES
from countinghouse.claims.same_account import key_of
from countinghouse.core.db import metadata
from countinghouse.core.indexes import built_later
from countinghouse.core.masking import Holds
from countinghouse.core.money import LARGEST_PAISE
from countinghouse.core.numbers import number_column
from countinghouse.core.times import Moment

claims = Table(
    "claims",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("purchase_id", ForeignKey("purchases.id"), nullable=False),
    Column("amount_paise", BigInteger, nullable=False),
    Column("account_no", String(40), nullable=False, info={"holds": Holds.NUMBER}),
    # Its seven digits are fewer than those of a number.
    Column("ifsc", String(20), nullable=False, info={"holds": Holds.NOTHING}),
    Column("address", String(300), nullable=False),
    Column("status", String(20), nullable=False, info={"holds": Holds.NOTHING}),
    # The number of its moves and corrections; each of them names the version it was decided on.
    Column("version", Integer, nullable=False, server_default="0"),
    # How often the bank has returned it. Each round is paid once.
    Column("payout_round", Integer, nullable=False, server_default="0"),
    Column("moved_at", Moment),
    # The service's own id of the row; NULL for rows that did not come through the intake.
    Column("external_id", String(200)),
    number_column("C"),
    CheckConstraint(f"amount_paise BETWEEN 0 AND {LARGEST_PAISE}", name="amount_is_exact"),
    CheckConstraint(f"status IN {STATUSES}", name="status_is_known"),
    # One index for each sort order, so that a page costs the same at any depth.
    Index("uq_claims_number", "number", unique=True),
    Index("ix_claims_newest", "created_at", "id"),
    Index("ix_claims_status", "status", "created_at", "id"),
    Index("ix_claims_moved", "status", "moved_at", "id"),
    Index("ix_claims_amount", "amount_paise", "id"),
    Index("ix_claims_account", "account_no", "id"),
    Index("ix_claims_ifsc", "ifsc", "id"),
    Index("ix_claims_address", "address", "id"),
    Index("ix_claims_user", "user_id", "id"),
    Index("ix_claims_purchase", "purchase_id", "id"),
    Index(
        "uq_claims_external_id",
        "external_id",
        unique=True,
        sqlite_where=text("external_id IS NOT NULL"),
        postgresql_where=text("external_id IS NOT NULL"),
    ),
)

# The claims to an account, however it is written. Few accounts have the same number at several banks.
built_later(Index("ix_claims_account_key", key_of(claims.c.account_no)))

# Maintained by triggers. The row with an empty day holds the totals of all time.
claim_tallies = Table(
    "claim_tallies",
    metadata,
    Column("day", String(20), primary_key=True),
    Column("status", String(20), primary_key=True),
    Column("entries", BigInteger, nullable=False),
    Column("amount_paise", BigInteger, nullable=False),
)

# The second lock behind the guarded UPDATE: each move has its own number and each round one payout, whatever the code
# does. Triggers make it append-only, like the references below (docs/decisions/0016).
claim_transitions = Table(
    "claim_transitions",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("claim_id", ForeignKey("claims.id"), nullable=False),
    Column("from_status", String(20), nullable=False),
    Column("to_status", String(20), nullable=False),
    Column("moved_by", String(200), nullable=False),
    Column("moved_at", Moment, nullable=False),
    # The claim's version after the move.
    Column("number", Integer, nullable=False),
    Column("payout_round", Integer, nullable=False, server_default="0"),
    Column("reason", String(500)),
    UniqueConstraint("claim_id", "number", name="uq_claim_transitions_claim_number"),
    Index("ix_claim_transitions_arrived", "to_status", "moved_at", "claim_id"),
    Index(
        "uq_claim_transitions_payout",
        "claim_id",
        "payout_round",
        unique=True,
        sqlite_where=text("to_status = 'Paid'"),
        postgresql_where=text("to_status = 'Paid'"),
    ),
)

# The bank's reference of a payout (UTR). In its own table, because a returned claim is paid again under a second one.
payout_references = Table(
    "payout_references",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("claim_id", ForeignKey("claims.id"), nullable=False),
    # The number of the move to Paid.
    Column("number", Integer, nullable=False),
    Column("reference", String(40), nullable=False, unique=True, info={"holds": Holds.REFERENCE}),
    Column("recorded_at", Moment, nullable=False),
    Index("ix_payout_references_claim", "claim_id", "number"),
)

# A retry after a lost reply finds its answer here.
move_keys = Table(
    "move_keys",
    metadata,
    Column("actor", String(200), primary_key=True),
    Column("key", String(200), primary_key=True),
    Column("asked_hash", LargeBinary(32), nullable=False),
    Column("claim_id", ForeignKey("claims.id"), nullable=False),
    Column("answer", Text, nullable=False),
    Column("created_at", Moment, nullable=False, index=True),
)
