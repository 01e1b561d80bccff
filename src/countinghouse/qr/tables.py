from sqlalchemy import (
    Boolean,
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

from countinghouse.core.database import metadata
from countinghouse.core.times import Moment

# Apart from the codes, so that listing them never reads a picture. Triggers refuse UPDATE and DELETE on this table.
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

# A trigger keeps the address, the upload and the text of a code as they were when it was read, and sets what customers
# get only once.
qr_codes = Table(
    "qr_codes",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("name", String(80), nullable=False),
    Column("upi_id", String(320), nullable=False),
    # The picture as it was uploaded, re-encoded: for admins alone.
    Column("upload_key", ForeignKey("qr_images.key"), nullable=False, unique=True),
    # What customers get; NULL as long as it is not known what that should be.
    Column("image_key", ForeignKey("qr_images.key"), unique=True),
    # Whether that was drawn here, from a text that was checked.
    # The address of the picture before customers got drawn codes. It leads to what they get now.
    Column("former_key", String(43), unique=True),
    # The exact text that was read; NULL where no single text is meant.
    Column("payload", Text),
    Column("status", String(10), nullable=False),
    Column("deleted_at", Moment),
    # Unknown for some codes that are older than this column.
    Column("uploaded_by", String(200)),
    # Codes with commas between them; empty when all is well, NULL as long as the picture has not been read.
    Column("findings", String(200)),
    Column("payee", String(320)),
    Column("payee_name", String(200)),
    Column("fixed_amount", String(30)),
    # May be displayed: nothing was found, or an admin has confirmed what was.
    Column("is_cleared", Boolean, nullable=False),
    Column("confirmed_by", String(200)),
    Column("confirmed_at", Moment),
    Column("confirm_reason", String(500)),
    # An admin wants it displayed, and a second one has to agree.
    Column("display_requested_by", String(200)),
    Column("display_requested_at", Moment),
    CheckConstraint("status IN ('display', 'hide')", name="status_is_known"),
    # What is deleted is on no screen: the last state a deleted code can be in is hidden.
    CheckConstraint("deleted_at IS NULL OR status = 'hide'", name="deleted_is_hidden"),
    CheckConstraint("status = 'hide' OR is_cleared", name="display_is_cleared"),
    # Without findings it is from before an upgrade, and the next server that starts draws it.
    CheckConstraint("status = 'hide' OR image_key IS NOT NULL OR findings IS NULL", name="display_is_drawn"),
    Index("ix_qr_codes_newest", "created_at", "id"),
)

# When each code was on display. The name stands here too: purchases know a code by it.
qr_displays = Table(
    "qr_displays",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("qr_id", ForeignKey("qr_codes.id"), nullable=False),
    Column("name", String(80), nullable=False),
    Column("shown_at", Moment, nullable=False),
    Column("hidden_at", Moment),
    CheckConstraint("hidden_at IS NULL OR hidden_at >= shown_at", name="ends_after_it_begins"),
    Index("ix_qr_displays_of_code", "qr_id", "shown_at"),
    Index("ix_qr_displays_of_name", "name", "shown_at"),
    Index(
        "uq_qr_displays_open",
        "qr_id",
        unique=True,
        sqlite_where=text("hidden_at IS NULL"),
        postgresql_where=text("hidden_at IS NULL"),
    ),
)
