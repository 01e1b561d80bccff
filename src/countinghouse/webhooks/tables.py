from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

# The row of an endpoint is also the lock for its deliveries: whoever changes one holds the row until the commit.
webhook_endpoints = Table(
    "webhook_endpoints",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("url", String(500), nullable=False),
    # Types of events, separated by commas.
    Column("events", JSON, nullable=False),
    # Needed to sign each message, so it cannot be stored as a hash.
    Column("secret", String(100), nullable=False),
    # Signs as well until then, so that a receiver can change to the new secret without a gap.
    Column("previous_secret", String(100)),
    Column("previous_secret_until", Moment),
    Column("disabled_at", Moment),
    Column("disabled_why", String(300)),
    Column("removed_at", Moment),
    # Since its last success; NULL if the last attempt succeeded.
    Column("failing_since", Moment),
    # The receiver asked for a pause (Retry-After).
    Column("paused_until", Moment),
)

# Filled while there is an endpoint: by triggers in the transaction of a change, and by the sealer of the audit log with
# checkpoints. Emptied by the sender.
webhook_outbox = Table(
    "webhook_outbox",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), Identity(always=True), primary_key=True),
    Column("at", Moment, nullable=False),
    Column("verb", String(40), nullable=False),
    Column("subject_id", String(64), nullable=False),
    # JSON: as in the audit log, or the findings of a purchase.
    Column("before", Text),
    Column("after", Text),
    # Numbers are never reused: they give the order of the deliveries.
    sqlite_autoincrement=True,
)

_WAITING = "state = 'waiting'"

# One row per event and endpoint.
webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("endpoint_id", ForeignKey("webhook_endpoints.id"), nullable=False),
    Column("event_id", String(40), nullable=False),
    Column("type", String(40), nullable=False),
    Column("subject_id", String(64), nullable=False),
    # The number in the outbox: deliveries about one subject are sent in this order.
    Column("position", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Column("state", String(10), nullable=False),
    Column("attempts", Integer, nullable=False),
    # When to send it next, or when its lease ends; NULL while an earlier one about the same subject is waiting.
    Column("due_at", Moment),
    # Set while a sender is sending it.
    Column("lease", String(24)),
    Column("last_attempt_at", Moment),
    Column("last_status", Integer),
    Column("last_excerpt", String(500)),
    Column("last_error", String(300)),
    CheckConstraint("state IN ('waiting', 'delivered', 'failed')", name="state_is_known"),
    UniqueConstraint("endpoint_id", "event_id", name="uq_webhook_deliveries_event"),
    Index("ix_webhook_deliveries_newest", "created_at", "id"),
    Index("ix_webhook_deliveries_endpoint", "endpoint_id", "created_at", "id"),
    Index(
        "ix_webhook_deliveries_due",
        "endpoint_id",
        "due_at",
        sqlite_where=text(_WAITING),
        postgresql_where=text(_WAITING),
    ),
    Index(
        "ix_webhook_deliveries_subject",
        "endpoint_id",
        "subject_id",
        "position",
        sqlite_where=text(_WAITING),
        postgresql_where=text(_WAITING),
    ),
)
