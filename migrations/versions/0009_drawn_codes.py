"""Customers get a code that the desk draws itself; a new payee is displayed by two admins."""

import secrets
from typing import Any

import sqlalchemy as sa
from alembic import op

from countinghouse.core.times import Moment

revision: str = "0009"
down_revision: str | None = "0008"

KEPT = "the picture, the address and the text of a code are never altered"
KNOWN = "status IN ('display', 'hide')"
GONE = "deleted_at IS NULL OR status = 'hide'"
CLEARED = "status = 'hide' OR is_cleared"
DRAWN = "status = 'hide' OR image_key IS NOT NULL OR findings IS NULL"

# The columns that stay as they are, in order.
OLD = (
    "id, created_at, name, upi_id, status, deleted_at, uploaded_by, findings, payee, payee_name, fixed_amount, "
    "is_cleared, confirmed_by, confirmed_at, confirm_reason"
)


def upgrade() -> None:
    connection = op.get_bind()
    is_sqlite = connection.dialect.name == "sqlite"
    op.execute("DROP TRIGGER qr_codes_keeps" + ("" if is_sqlite else " ON qr_codes"))
    # The earlier readings were less thorough, and nothing is drawn yet: the next server to start does both.
    op.execute("UPDATE qr_codes SET findings = NULL")
    if is_sqlite:
        _rebuild_codes(connection)
    else:
        _widen_codes()
    _give_uploads_new_addresses(connection)
    _keep_what_was_checked(is_sqlite)


def _widen_codes() -> None:
    op.alter_column("qr_codes", "image_key", new_column_name="upload_key")
    op.execute("ALTER TABLE qr_codes RENAME CONSTRAINT fk_qr_codes_image_key TO fk_qr_codes_upload_key")
    op.execute("ALTER TABLE qr_codes RENAME CONSTRAINT uq_qr_codes_image_key TO uq_qr_codes_upload_key")
    for column in (
        sa.Column("image_key", sa.String(43)),
        sa.Column("former_key", sa.String(43)),
        sa.Column("payload", sa.Text),
        sa.Column("display_requested_by", sa.String(200)),
        sa.Column("display_requested_at", Moment),
    ):
        op.add_column("qr_codes", column)
    op.create_foreign_key("fk_qr_codes_image_key", "qr_codes", "qr_images", ["image_key"], ["key"])
    op.create_unique_constraint("uq_qr_codes_image_key", "qr_codes", ["image_key"])
    op.create_unique_constraint("uq_qr_codes_former_key", "qr_codes", ["former_key"])
    op.create_check_constraint(op.f("ck_qr_codes_display_is_drawn"), "qr_codes", DRAWN)


def _rebuild_codes(connection: sa.Connection) -> None:
    """SQLite can neither loosen a column nor drop a table that another refers to: both are made again."""
    triggers = connection.exec_driver_sql(
        "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('qr_codes', 'qr_displays')"
    ).all()
    for table in ("qr_codes", "qr_displays"):
        op.execute(f"CREATE TABLE old_{table} AS SELECT * FROM {table}")
    op.drop_table("qr_displays")
    op.drop_table("qr_codes")
    _create_codes()
    op.execute(f"INSERT INTO qr_codes ({OLD}, upload_key) SELECT {OLD}, image_key FROM old_qr_codes")
    _create_displays()
    op.execute("INSERT INTO qr_displays SELECT id, qr_id, name, shown_at, hidden_at FROM old_qr_displays")
    for table in ("qr_codes", "qr_displays"):
        op.drop_table(f"old_{table}")
    for (made,) in triggers:
        connection.exec_driver_sql(made)


def _create_codes() -> None:
    op.create_table(
        "qr_codes",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("upi_id", sa.String(320), nullable=False),
        sa.Column("upload_key", sa.String(43), nullable=False),
        sa.Column("image_key", sa.String(43)),
        sa.Column("former_key", sa.String(43)),
        sa.Column("payload", sa.Text),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("deleted_at", Moment),
        sa.Column("uploaded_by", sa.String(200)),
        sa.Column("findings", sa.String(200)),
        sa.Column("payee", sa.String(320)),
        sa.Column("payee_name", sa.String(200)),
        sa.Column("fixed_amount", sa.String(30)),
        sa.Column("is_cleared", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("confirmed_by", sa.String(200)),
        sa.Column("confirmed_at", Moment),
        sa.Column("confirm_reason", sa.String(500)),
        sa.Column("display_requested_by", sa.String(200)),
        sa.Column("display_requested_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_qr_codes"),
        sa.ForeignKeyConstraint(["upload_key"], ["qr_images.key"], name="fk_qr_codes_upload_key"),
        sa.ForeignKeyConstraint(["image_key"], ["qr_images.key"], name="fk_qr_codes_image_key"),
        *(sa.UniqueConstraint(key, name=f"uq_qr_codes_{key}") for key in ("upload_key", "image_key", "former_key")),
        sa.CheckConstraint(KNOWN, name=op.f("ck_qr_codes_status_is_known")),
        sa.CheckConstraint(GONE, name=op.f("ck_qr_codes_deleted_is_hidden")),
        sa.CheckConstraint(CLEARED, name=op.f("ck_qr_codes_display_is_cleared")),
        sa.CheckConstraint(DRAWN, name=op.f("ck_qr_codes_display_is_drawn")),
    )
    op.create_index("ix_qr_codes_newest", "qr_codes", ["created_at", "id"])


def _create_displays() -> None:
    op.create_table(
        "qr_displays",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("qr_id", sa.String(24), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("shown_at", Moment, nullable=False),
        sa.Column("hidden_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_qr_displays"),
        sa.ForeignKeyConstraint(["qr_id"], ["qr_codes.id"], name="fk_qr_displays_qr_id"),
        sa.CheckConstraint(
            "hidden_at IS NULL OR hidden_at >= shown_at", name=op.f("ck_qr_displays_ends_after_it_begins")
        ),
    )
    op.create_index("ix_qr_displays_of_code", "qr_displays", ["qr_id", "shown_at"])
    op.create_index("ix_qr_displays_of_name", "qr_displays", ["name", "shown_at"])
    op.create_index(
        "uq_qr_displays_open",
        "qr_displays",
        ["qr_id"],
        unique=True,
        sqlite_where=sa.text("hidden_at IS NULL"),
        postgresql_where=sa.text("hidden_at IS NULL"),
    )


def _give_uploads_new_addresses(connection: sa.Connection) -> None:
    """Customers know the old one: from here on it leads to what is drawn. The picture is kept under both."""
    codes: Any = connection.execute(sa.text("SELECT id, upload_key FROM qr_codes")).all()
    for code in codes:
        values = {"id": code.id, "old": code.upload_key, "new": secrets.token_urlsafe(32)}
        connection.execute(
            sa.text(
                "INSERT INTO qr_images (key, content, sha256, width, height) "
                "SELECT :new, content, sha256, width, height FROM qr_images WHERE key = :old"
            ),
            {"new": values["new"], "old": values["old"]},
        )
        connection.execute(sa.text("UPDATE qr_codes SET upload_key = :new, former_key = :old WHERE id = :id"), values)


def _keep_what_was_checked(is_sqlite: bool) -> None:
    differs = "old.{0} IS NOT new.{0}" if is_sqlite else "old.{0} IS DISTINCT FROM new.{0}"
    changed = " OR ".join(
        (
            *(differs.format(name) for name in ("upi_id", "upload_key", "former_key")),
            # Set once, when the picture is read or when it is decided what customers get.
            f"(old.findings IS NOT NULL AND {differs.format('payload')})",
            f"(old.payload IS NOT NULL AND {differs.format('payload')})",
            f"(old.image_key IS NOT NULL AND {differs.format('image_key')})",
        )
    )
    columns = "upi_id, upload_key, former_key, payload, image_key"
    if is_sqlite:
        op.execute(
            f"CREATE TRIGGER qr_codes_keeps BEFORE UPDATE OF {columns} ON qr_codes "
            f"WHEN {changed} BEGIN SELECT RAISE(ABORT, '{KEPT}'); END"
        )
        return
    op.execute(
        f"CREATE TRIGGER qr_codes_keeps BEFORE UPDATE OF {columns} ON qr_codes "
        f"FOR EACH ROW WHEN ({changed}) EXECUTE FUNCTION refuse_qr_change()"
    )
