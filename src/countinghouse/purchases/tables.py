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
    text,
)

from countinghouse.core.db import metadata
from countinghouse.core.masking import Holds
from countinghouse.core.money import LARGEST_PAISE
from countinghouse.core.numbers import number_column
from countinghouse.core.times import Moment

_NEEDS_REVIEW = "findings <> '' AND checked_codes IS NULL"

purchases = Table(
    "purchases",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("invest_paise", BigInteger, nullable=False),
    Column("daily_income_paise", BigInteger, nullable=False),
    # The service calls the payer's transaction ID `upiId`; the screens show it as Transaction ID.
    Column("upi_id", String(100), nullable=False, info={"holds": Holds.REFERENCE}),
    Column("claim_type", String(40), nullable=False),
    Column("qr_name", String(80), nullable=False),
    # The transaction ID in one normalised spelling, without the spaces and digit forms it was typed with
    # (india/references.py).
    Column("reference_key", String(100)),
    # What is unusual about the transaction ID, as JSON; empty if nothing is, NULL if not checked yet.
    Column("findings", Text),
    # An admin has settled these findings (bits, see findings.py). NULL again once another kind is found; who settled
    # the earlier ones, when and why is kept.
    Column("checked_codes", BigInteger),
    Column("checked_by", String(200)),
    Column("checked_at", Moment),
    Column("checked_note", String(500)),
    # The service's own id of the row; NULL for rows that did not come through the intake.
    Column("external_id", String(200)),
    number_column("P"),
    CheckConstraint(f"invest_paise BETWEEN 0 AND {LARGEST_PAISE}", name="invest_is_exact"),
    CheckConstraint(f"daily_income_paise BETWEEN 0 AND {LARGEST_PAISE}", name="daily_income_is_exact"),
    # One index for each sort order, so that a page costs the same at any depth.
    Index("uq_purchases_number", "number", unique=True),
    Index("ix_purchases_newest", "created_at", "id"),
    Index("ix_purchases_user", "user_id", "id"),
    Index("ix_purchases_invest", "invest_paise", "id"),
    Index("ix_purchases_daily_income", "daily_income_paise", "id"),
    Index("ix_purchases_upi_id", "upi_id", "id"),
    Index("ix_purchases_claim_type", "claim_type", "created_at", "id"),
    Index("ix_purchases_qr_name", "qr_name", "created_at", "id"),
    Index("ix_purchases_reference", "reference_key"),
    Index(
        "uq_purchases_external_id",
        "external_id",
        unique=True,
        sqlite_where=text("external_id IS NOT NULL"),
        postgresql_where=text("external_id IS NOT NULL"),
    ),
    Index(
        "ix_purchases_findings",
        "created_at",
        "id",
        sqlite_where=text("findings <> ''"),
        postgresql_where=text("findings <> ''"),
    ),
    # The findings that nobody has settled yet.
    Index(
        "ix_purchases_review",
        "created_at",
        "id",
        sqlite_where=text(_NEEDS_REVIEW),
        postgresql_where=text(_NEEDS_REVIEW),
    ),
    # Empty most of the time: purchases that were inserted directly into the database and are still to be checked.
    Index(
        "ix_purchases_unseen", "id", sqlite_where=text("findings IS NULL"), postgresql_where=text("findings IS NULL")
    ),
)

# Maintained by triggers. The row with an empty day holds the totals of all time.
purchase_tallies = Table(
    "purchase_tallies",
    metadata,
    Column("day", String(20), primary_key=True),
    Column("entries", BigInteger, nullable=False),
    Column("invest_paise", BigInteger, nullable=False),
    Column("daily_income_paise", BigInteger, nullable=False),
)

# The picture with which a client proves a payment. Triggers refuse UPDATE and DELETE on this table.
purchase_proofs = Table(
    "purchase_proofs",
    metadata,
    Column("purchase_id", ForeignKey("purchases.id"), primary_key=True),
    Column("received_at", Moment, nullable=False),
    Column("received_by", String(200), nullable=False),
    # Of the file as it was received, so that a retry is recognised without decoding it.
    Column("received_sha256", String(64), nullable=False),
    # Of `content`, the re-encoded picture.
    Column("sha256", String(64), nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    # Last, so that SQLite reads none of it for the other columns.
    Column("content", LargeBinary, nullable=False),
)
