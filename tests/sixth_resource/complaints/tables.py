"""The table of complaints."""

from sqlalchemy import Column, Index, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

complaints = Table(
    "complaints",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("subject", String(200), nullable=False),
    Column("channel", String(20), nullable=False),
    Column("answered_at", Moment),
    Index("ix_complaints_created_at", "created_at", "id"),
    Index("ix_complaints_subject", "subject", "id"),
)
