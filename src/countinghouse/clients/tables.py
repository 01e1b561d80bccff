from sqlalchemy import Column, ForeignKey, Index, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

# Append-only by triggers: a note is part of the client's history.
client_notes = Table(
    "client_notes",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("text", String(2000), nullable=False),
    Column("written_by", String(200), nullable=False),
    Column("written_at", Moment, nullable=False),
    Index("ix_client_notes_user", "user_id", "id"),
)
