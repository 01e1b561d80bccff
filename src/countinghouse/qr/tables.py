from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, String, Table

from countinghouse.core.database import metadata
from countinghouse.core.times import Moment

# Apart from the codes, so that listing them never reads a picture. Rows are never changed or removed.
qr_images = Table(
    "qr_images",
    metadata,
    # Random and unguessable: whoever has the address may see the picture.
    Column("key", String(43), primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
)

qr_codes = Table(
    "qr_codes",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("name", String(80), nullable=False),
    Column("upi_id", String(320), nullable=False),
    Column("image_key", ForeignKey("qr_images.key"), nullable=False, unique=True),
    Column("status", String(10), nullable=False),
    Column("deleted_at", Moment),
    CheckConstraint("status IN ('display', 'hide')", name="status_is_known"),
    # What is deleted is on no screen: the last state a deleted code can be in is hidden.
    CheckConstraint("deleted_at IS NULL OR status = 'hide'", name="deleted_is_hidden"),
    Index("ix_qr_codes_newest", "created_at", "id"),
)
