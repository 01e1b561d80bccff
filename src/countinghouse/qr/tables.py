from sqlalchemy import Boolean, CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text
from sqlalchemy.sql import text

from countinghouse.core.db import metadata
from countinghouse.core.numbers import number_column
from countinghouse.core.times import Moment

# Separate from the codes, so that listing them never reads a picture. Triggers refuse UPDATE and DELETE on this table.
qr_images = Table(
    "qr_images",
    metadata,
    # Random and unguessable, because anybody who has the URL may see the picture.
    Column("key", String(43), primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
)

# A trigger keeps the address, the upload and the text of a code as they were when it was read, and lets the customers'
# picture be set only once.
qr_codes = Table(
    "qr_codes",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("name", String(80), nullable=False),
    Column("upi_id", String(320), nullable=False),
    # The uploaded picture, re-encoded. For admins only.
    Column("upload_key", ForeignKey("qr_images.key"), nullable=False, unique=True),
    # The picture that customers get; NULL while it is not decided.
    Column("image_key", ForeignKey("qr_images.key"), unique=True),
    # The key of the picture from before customers got drawn codes. Its URL now serves what they get today.
    Column("former_key", String(43), unique=True),
    # The exact text that was read; NULL if the picture has no single intended text.
    Column("payload", Text),
    Column("status", String(10), nullable=False),
    Column("deleted_at", Moment),
    # NULL for some codes that are older than this column.
    Column("uploaded_by", String(200)),
    # Finding codes, as JSON; empty if there are none, NULL while the picture has not been read.
    Column("findings", String(200)),
    Column("payee", String(320)),
    Column("payee_name", String(200)),
    Column("fixed_amount", String(30)),
    # May be displayed: there are no findings, or an admin has confirmed the code despite them.
    Column("is_cleared", Boolean, nullable=False),
    Column("confirmed_by", String(200)),
    Column("confirmed_at", Moment),
    Column("confirm_reason", String(500)),
    # An admin wants to display it, and a second admin has to agree.
    Column("display_requested_by", String(200)),
    Column("display_requested_at", Moment),
    # The code that goes off display when the request is approved.
    Column("display_replaces", String(24)),
    number_column("Q"),
    CheckConstraint("status IN ('display', 'hide')", name="status_is_known"),
    # A deleted code is on no screen, so its last status is hidden.
    CheckConstraint("deleted_at IS NULL OR status = 'hide'", name="deleted_is_hidden"),
    CheckConstraint("status = 'hide' OR is_cleared", name="display_is_cleared"),
    # A code without findings (NULL) is from before an upgrade; the next server to start draws it.
    CheckConstraint("status = 'hide' OR image_key IS NOT NULL OR findings IS NULL", name="display_is_drawn"),
    Index("uq_qr_codes_number", "number", unique=True),
    Index("ix_qr_codes_newest", "created_at", "id"),
)

# When each code was on display. The name is stored here too, because purchases refer to a code by name.
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
