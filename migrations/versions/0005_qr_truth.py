"""QR truth: what a code pays, who confirmed it, and when it was on display."""

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from countinghouse.core.ids import new_id
from countinghouse.core.times import Moment

revision: str = "0005"
down_revision: str | None = "0004"

CLEARED = "status = 'hide' OR is_cleared"
UNALTERED = "the picture and the address of a code are never altered"
# The tables as they are at this revision, whatever the code calls them later.
log = sa.table(
    "audit_log",
    *(sa.column(name, kind) for name, kind in (("seq", sa.Integer()), ("at", Moment()), ("actor", sa.String()))),
    *(sa.column(name, sa.String()) for name in ("verb", "subject_id")),
    sa.column("after", sa.JSON()),
)
codes = sa.table(
    "qr_codes",
    *(sa.column(name, sa.String()) for name in ("id", "name", "status")),
    sa.column("created_at", Moment()),
)


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    _widen_codes(is_sqlite)
    _make_displays()
    _tell_displays_from_the_log()
    _keep_what_was_read(is_sqlite)


def _new_columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("uploaded_by", sa.String(200)),
        sa.Column("findings", sa.String(200)),
        sa.Column("payee", sa.String(320)),
        sa.Column("payee_name", sa.String(200)),
        sa.Column("fixed_amount", sa.String(30)),
        sa.Column("is_cleared", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("confirmed_by", sa.String(200)),
        sa.Column("confirmed_at", Moment),
        sa.Column("confirm_reason", sa.String(500)),
    ]


def _widen_codes(is_sqlite: bool) -> None:
    if is_sqlite:
        # SQLite cannot add a constraint, so a new table replaces the old one. Nothing refers to it yet.
        op.create_table(
            "widened_codes",
            sa.Column("id", sa.String(24), nullable=False),
            sa.Column("created_at", Moment, nullable=False),
            sa.Column("name", sa.String(80), nullable=False),
            sa.Column("upi_id", sa.String(320), nullable=False),
            sa.Column("image_key", sa.String(43), nullable=False),
            sa.Column("status", sa.String(10), nullable=False),
            sa.Column("deleted_at", Moment),
            *_new_columns(),
            sa.PrimaryKeyConstraint("id", name="pk_qr_codes"),
            sa.ForeignKeyConstraint(["image_key"], ["qr_images.key"], name="fk_qr_codes_image_key"),
            sa.UniqueConstraint("image_key", name="uq_qr_codes_image_key"),
            sa.CheckConstraint("status IN ('display', 'hide')", name=op.f("ck_qr_codes_status_is_known")),
            sa.CheckConstraint("deleted_at IS NULL OR status = 'hide'", name=op.f("ck_qr_codes_deleted_is_hidden")),
            sa.CheckConstraint(CLEARED, name=op.f("ck_qr_codes_display_is_cleared")),
        )
        old = "id, created_at, name, upi_id, image_key, status, deleted_at"
        op.execute(f"INSERT INTO widened_codes ({old}, is_cleared) SELECT {old}, status = 'display' FROM qr_codes")
        op.drop_table("qr_codes")
        op.rename_table("widened_codes", "qr_codes")
        op.create_index("ix_qr_codes_newest", "qr_codes", ["created_at", "id"])
    else:
        for column in _new_columns():
            op.add_column("qr_codes", column)
        # Codes that customers pay to at this moment stay on display. They are read, and marked if there are findings.
        op.execute("UPDATE qr_codes SET is_cleared = true WHERE status = 'display'")
        op.create_check_constraint(op.f("ck_qr_codes_display_is_cleared"), "qr_codes", CLEARED)
    op.execute(
        "UPDATE qr_codes SET uploaded_by = (SELECT actor FROM audit_log WHERE subject_id = qr_codes.id "
        "AND verb = 'qr.uploaded' ORDER BY seq LIMIT 1)"
    )


def _make_displays() -> None:
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


def _tell_displays_from_the_log() -> None:
    connection = op.get_bind()
    displays = sa.table(
        "qr_displays",
        *(sa.column(name, sa.String()) for name in ("id", "qr_id", "name")),
        *(sa.column(name, Moment()) for name in ("shown_at", "hidden_at")),
    )
    upgraded_at = datetime.now(UTC)
    for code in connection.execute(sa.select(codes)).all():
        told = sa.select(log.c.at, log.c.verb, log.c.after).where(log.c.subject_id == code.id).order_by(log.c.seq)
        for shown_at, hidden_at in _intervals(code, connection.execute(told), upgraded_at):
            row = {"id": new_id(), "qr_id": code.id, "name": code.name, "shown_at": shown_at, "hidden_at": hidden_at}
            connection.execute(sa.insert(displays).values(row))


def _intervals(code: Any, told: Any, upgraded_at: datetime) -> list[tuple[datetime, datetime | None]]:
    """The last one ends as the code stands now, also where somebody changed that past the desk."""
    ended: list[tuple[datetime, datetime | None]] = []
    shown_at: datetime | None = None
    for row in told:
        after = json.loads(row.after) if isinstance(row.after, str) else row.after
        is_shown = row.verb == "qr.status_changed" and (after or {}).get("status") == "display"
        is_hidden = row.verb == "qr.deleted" or (row.verb == "qr.status_changed" and not is_shown)
        if is_shown and shown_at is None:
            shown_at = row.at
        elif is_hidden and shown_at is not None:
            ended.append((shown_at, max(row.at, shown_at)))
            shown_at = None
    if code.status == "display":
        return [*ended, (shown_at or code.created_at, None)]
    return ended if shown_at is None else [*ended, (shown_at, max(upgraded_at, shown_at))]


def _keep_what_was_read(is_sqlite: bool) -> None:
    """What was read and confirmed is what is served: neither a picture nor the address beside it changes any more."""
    changed = " OR ".join(f"old.{name} IS %s new.{name}" for name in ("upi_id", "image_key"))
    if is_sqlite:
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER qr_images_keeps_{change.lower()} BEFORE {change} ON qr_images "
                f"BEGIN SELECT RAISE(ABORT, '{UNALTERED}'); END"
            )
        differs = changed.replace("%s", "NOT")
        op.execute(
            "CREATE TRIGGER qr_codes_keeps BEFORE UPDATE OF upi_id, image_key ON qr_codes "
            f"WHEN {differs} BEGIN SELECT RAISE(ABORT, '{UNALTERED}'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION refuse_qr_change() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{UNALTERED}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER qr_images_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON qr_images "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_qr_change()"
    )
    differs = changed.replace("%s", "DISTINCT FROM")
    op.execute(
        "CREATE TRIGGER qr_codes_keeps BEFORE UPDATE OF upi_id, image_key ON qr_codes "
        f"FOR EACH ROW WHEN ({differs}) EXECUTE FUNCTION refuse_qr_change()"
    )
