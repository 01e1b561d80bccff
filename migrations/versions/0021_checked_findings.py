"""An admin can settle the findings of a purchase. A webhook event says so."""

import sqlalchemy as sa
from alembic import op

revision: str = "0021"
down_revision: str | None = "0019"

NEEDS_REVIEW = sa.text("findings <> '' AND checked_codes IS NULL")
VERBS = ("claim.moved", "qr.status_changed", "qr.deleted", "purchase.confirmed")
IS_WANTED = "EXISTS (SELECT 1 FROM webhook_endpoints WHERE disabled_at IS NULL AND removed_at IS NULL)"


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    moment = sa.String(24) if is_sqlite else sa.DateTime(timezone=True)
    for column in (
        sa.Column("checked_codes", sa.BigInteger),
        sa.Column("checked_by", sa.String(200)),
        sa.Column("checked_at", moment),
        sa.Column("checked_note", sa.String(500)),
    ):
        op.add_column("purchases", column)
    op.create_index(
        "ix_purchases_review",
        "purchases",
        ["created_at", "id"],
        sqlite_where=NEEDS_REVIEW,
        postgresql_where=NEEDS_REVIEW,
    )
    # Both as migration 0012 made them, for one verb more.
    if is_sqlite:
        op.execute("DROP TRIGGER audit_log_to_outbox")
        op.execute(
            "CREATE TRIGGER audit_log_to_outbox AFTER INSERT ON audit_log "
            f"WHEN new.verb IN {VERBS} AND {IS_WANTED} BEGIN "
            "INSERT INTO webhook_outbox (at, verb, subject_id, before, after) "
            "VALUES (new.at, new.verb, new.subject_id, new.before, new.after); END"
        )
    else:
        op.execute("DROP TRIGGER audit_log_to_outbox ON audit_log")
        op.execute(
            "CREATE TRIGGER audit_log_to_outbox AFTER INSERT ON audit_log FOR EACH ROW "
            f"WHEN (new.verb IN {VERBS}) EXECUTE FUNCTION audit_log_to_outbox()"
        )
