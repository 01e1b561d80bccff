"""Webhooks: endpoints, an outbox that triggers fill in the transaction of each change, and deliveries."""

import sqlalchemy as sa
from alembic import op

revision: str = "0012"
down_revision: str | None = "0011"

VERBS = ("claim.moved", "qr.status_changed", "qr.deleted")
IS_WANTED = "EXISTS (SELECT 1 FROM webhook_endpoints WHERE disabled_at IS NULL AND removed_at IS NULL)"
INTO_OUTBOX = "INSERT INTO webhook_outbox (at, verb, subject_id, before, after)"
Moment = sa.String | sa.DateTime
WAITING = sa.text("state = 'waiting'")


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    moment: Moment = sa.String(24) if is_sqlite else sa.DateTime(timezone=True)
    _create_endpoints(moment)
    _create_outbox(moment)
    _create_deliveries(moment)
    if is_sqlite:
        _fill_outbox_on_sqlite()
    else:
        _fill_outbox_on_postgres()


def _create_endpoints(moment: Moment) -> None:
    op.create_table(
        "webhook_endpoints",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("created_at", moment, nullable=False),
        sa.Column("url", sa.String(500), nullable=False),
        sa.Column("events", sa.JSON, nullable=False),
        sa.Column("secret", sa.String(100), nullable=False),
        sa.Column("previous_secret", sa.String(100)),
        sa.Column("previous_secret_until", moment),
        sa.Column("disabled_at", moment),
        sa.Column("disabled_why", sa.String(300)),
        sa.Column("removed_at", moment),
        sa.Column("failing_since", moment),
        sa.Column("paused_until", moment),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_endpoints"),
    )


def _create_outbox(moment: Moment) -> None:
    op.create_table(
        "webhook_outbox",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), sa.Identity(always=True), primary_key=True),
        sa.Column("at", moment, nullable=False),
        sa.Column("verb", sa.String(40), nullable=False),
        sa.Column("subject_id", sa.String(64), nullable=False),
        sa.Column("before", sa.Text),
        sa.Column("after", sa.Text),
        sqlite_autoincrement=True,
    )


def _create_deliveries(moment: Moment) -> None:
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("created_at", moment, nullable=False),
        sa.Column("endpoint_id", sa.String(24), nullable=False),
        sa.Column("event_id", sa.String(40), nullable=False),
        sa.Column("type", sa.String(40), nullable=False),
        sa.Column("subject_id", sa.String(64), nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due_at", moment),
        sa.Column("lease", sa.String(24)),
        sa.Column("last_attempt_at", moment),
        sa.Column("last_status", sa.Integer),
        sa.Column("last_excerpt", sa.String(500)),
        sa.Column("last_error", sa.String(300)),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_deliveries"),
        sa.ForeignKeyConstraint(["endpoint_id"], ["webhook_endpoints.id"], name="fk_webhook_deliveries_endpoint_id"),
        sa.CheckConstraint(
            "state IN ('waiting', 'delivered', 'failed')", name=op.f("ck_webhook_deliveries_state_is_known")
        ),
        sa.UniqueConstraint("endpoint_id", "event_id", name="uq_webhook_deliveries_event"),
    )
    table = "webhook_deliveries"
    op.create_index("ix_webhook_deliveries_newest", table, ["created_at", "id"])
    op.create_index("ix_webhook_deliveries_endpoint", table, ["endpoint_id", "created_at", "id"])
    for name, columns in (("due", ["endpoint_id", "due_at"]), ("subject", ["endpoint_id", "subject_id", "position"])):
        op.create_index(f"ix_{table}_{name}", table, columns, sqlite_where=WAITING, postgresql_where=WAITING)


def _fill_outbox_on_sqlite() -> None:
    op.execute(
        f"CREATE TRIGGER audit_log_to_outbox AFTER INSERT ON audit_log WHEN new.verb IN {VERBS} AND {IS_WANTED} BEGIN "
        f"{INTO_OUTBOX} VALUES (new.at, new.verb, new.subject_id, new.before, new.after); END"
    )
    moment = "strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')"
    for change, before, condition in (
        ("INSERT", "NULL", "new.findings <> ''"),
        ("UPDATE OF findings", "old.findings", "new.findings <> '' AND new.findings IS NOT old.findings"),
    ):
        op.execute(
            f"CREATE TRIGGER purchases_to_outbox_{change.split()[0].lower()} AFTER {change} ON purchases "
            f"WHEN {condition} AND {IS_WANTED} BEGIN "
            f"{INTO_OUTBOX} VALUES ({moment}, 'purchase.checked', new.id, {before}, new.findings); END"
        )


def _fill_outbox_on_postgres() -> None:
    op.execute(
        "CREATE FUNCTION audit_log_to_outbox() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF {IS_WANTED} THEN {INTO_OUTBOX} "
        "VALUES (new.at, new.verb, new.subject_id, new.before::text, new.after::text); END IF; RETURN NULL; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_log_to_outbox AFTER INSERT ON audit_log FOR EACH ROW "
        f"WHEN (new.verb IN {VERBS}) EXECUTE FUNCTION audit_log_to_outbox()"
    )
    op.execute(
        "CREATE FUNCTION purchases_to_outbox() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "DECLARE before text; BEGIN "
        f"IF {IS_WANTED} THEN IF TG_OP = 'UPDATE' THEN before := old.findings; END IF; "
        f"{INTO_OUTBOX} VALUES (clock_timestamp(), 'purchase.checked', new.id, before, new.findings); "
        "END IF; RETURN NULL; END $$"
    )
    op.execute(
        "CREATE TRIGGER purchases_to_outbox_insert AFTER INSERT ON purchases FOR EACH ROW "
        "WHEN (new.findings <> '') EXECUTE FUNCTION purchases_to_outbox()"
    )
    op.execute(
        "CREATE TRIGGER purchases_to_outbox_update AFTER UPDATE OF findings ON purchases FOR EACH ROW "
        "WHEN (new.findings <> '' AND new.findings IS DISTINCT FROM old.findings) "
        "EXECUTE FUNCTION purchases_to_outbox()"
    )
