from sqlalchemy import BigInteger, CheckConstraint, Column, ForeignKey, Index, String, Table

from countinghouse.core.database import metadata
from countinghouse.core.money import LARGEST_PAISE
from countinghouse.core.times import Moment

purchases = Table(
    "purchases",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("invest_paise", BigInteger, nullable=False),
    Column("daily_income_paise", BigInteger, nullable=False),
    # The service calls the payer's transaction id `upiId`; the desk shows it as Transaction ID.
    Column("upi_id", String(100), nullable=False),
    Column("claim_type", String(40), nullable=False),
    Column("qr_name", String(80), nullable=False),
    CheckConstraint(f"invest_paise BETWEEN 0 AND {LARGEST_PAISE}", name="invest_is_exact"),
    CheckConstraint(f"daily_income_paise BETWEEN 0 AND {LARGEST_PAISE}", name="daily_income_is_exact"),
    Index("ix_purchases_newest", "created_at", "id"),
)
