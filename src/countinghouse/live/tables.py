from sqlalchemy import Column, ForeignKey, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

# Which claim each tab of an admin has open. A row that was not renewed recently is stale.
open_claims = Table(
    "open_claims",
    metadata,
    Column("tab", String(40), primary_key=True),
    Column("admin_id", ForeignKey("admins.id"), nullable=False),
    Column("claim_id", String(24), nullable=False),
    Column("opened_at", Moment, nullable=False),
    Column("seen_at", Moment, nullable=False, index=True),
)
