from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, LargeBinary, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

exports = Table(
    "exports",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("admin_id", ForeignKey("admins.id"), nullable=False),
    # The session that requested it; the file is sent only while it lasts. No foreign key: old sessions are deleted.
    Column("session_hash", LargeBinary(32), nullable=False),
    # Only the hash of the download key is stored, as with sessions.
    Column("token_hash", LargeBinary(32), nullable=False),
    Column("list", String(20), nullable=False),
    Column("format", String(10), nullable=False),
    Column("query", JSON, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("started_at", Moment),
    # The last heartbeat of the process that streams the file.
    Column("beat_at", Moment),
    Column("rows_total", BigInteger),
    Column("rows_written", BigInteger, nullable=False),
    Column("cancelled_at", Moment),
    Column("ended_at", Moment),
    Column("outcome", String(20)),
    Index("ix_exports_of_admin", "admin_id", "created_at"),
)
