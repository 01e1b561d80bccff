"""Turns rows of the outbox into deliveries: one for each endpoint that wants the event."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
import structlog
from sqlalchemy import Row, String, Table, Text, bindparam, delete, insert, select

from countinghouse.audit.checkpoints import Checkpoint
from countinghouse.claims.tables import claims
from countinghouse.core.db import Database, Reader, Statement, Transaction
from countinghouse.core.ids import new_id
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.sql import among, number, written
from countinghouse.core.money import rupees
from countinghouse.core.numbers import with_letter
from countinghouse.core.times import Moment, iso, now
from countinghouse.purchases.tables import purchases
from countinghouse.webhooks.deliveries import IS_ACTIVE, IS_UNDERSTOOD, set_due
from countinghouse.webhooks.events import Facts, find_event
from countinghouse.webhooks.tables import webhook_deliveries, webhook_endpoints, webhook_outbox

log = structlog.get_logger()

DISPATCHED_TOGETHER = 200

_ENDPOINTS = Statement(select(webhook_endpoints).where(IS_ACTIVE).order_by(webhook_endpoints.c.id).with_for_update())
_OUTBOX = Statement(
    select(webhook_outbox)
    .where(IS_UNDERSTOOD)
    .order_by(webhook_outbox.c.id)
    .limit(number(DISPATCHED_TOGETHER))
    .with_for_update()
)


def _select_facts(table: Table, amount: str) -> Statement:
    """The columns that a message may contain: never a name, a bank detail or a mobile number."""
    optional = [table.c[name] for name in ("purchase_id",) if name in table.c]
    own = table.c.id, table.c.number, table.c.external_id, table.c.user_id
    facts = select(*own, table.c[amount].label("amount_paise"), *optional)
    return Statement(facts.where(among(table.c.id, bindparam("ids"))))


# By the first part of the event's type.
_FACTS = {
    "claim": (claims, _select_facts(claims, "amount_paise")),
    "purchase": (purchases, _select_facts(purchases, "invest_paise")),
}


async def dispatch(transaction: Transaction, at: datetime) -> int:
    """Returns how many rows it has taken from the outbox."""
    # Locked first: while one sender dispatches, the others wait, so that the order of the outbox is kept.
    endpoints = await transaction.rows(_ENDPOINTS)
    rows = await transaction.rows(_OUTBOX)
    if not rows:
        return 0
    events = [(row, *event) for row in rows if (event := _event_of(row)) is not None]
    facts = await _read_facts(transaction, ((kind, row.subject_id) for row, kind, _facts in events))
    messages = [
        (row, kind, f"msg_{new_id()}", _body(row, kind, facts.get(row.subject_id, {}) | changed))
        for row, kind, changed in events
    ]
    for endpoint in endpoints:
        wanted = [message for message in messages if message[1] in endpoint.events]
        await _deliver(transaction, endpoint.id, wanted, at)
    await transaction.execute(delete(webhook_outbox).where(webhook_outbox.c.id.in_([row.id for row in rows])))
    return len(rows)


_ANNOUNCE = Statement(
    insert(webhook_outbox).from_select(
        ["at", "verb", "subject_id", "after"],
        select(
            bindparam("at", type_=Moment),
            written("audit.checkpoint"),
            bindparam("subject_id", type_=String),
            bindparam("after", type_=Text),
        ).where(select(webhook_endpoints.c.id).where(IS_ACTIVE).exists()),
    )
)


async def announce_checkpoint(database: Database, checkpoint: Checkpoint) -> None:
    """Puts it into the outbox, as triggers do with changes. Each is its own subject, so none waits for another."""
    after = msgspec.json.encode(checkpoint.as_json).decode()
    row = {"at": now(), "subject_id": str(checkpoint.count), "after": after}
    await database.write(lambda transaction: transaction.execute(_ANNOUNCE, row))


def _event_of(row: Row[Any]) -> tuple[str, Facts] | None:
    try:
        return find_event(row.verb, row.before, row.after)
    except (LookupError, TypeError, ValueError) as error:
        # Another program wrote something that this one never writes. It must not hold up all other events.
        log.warning("webhook_event_not_readable", verb=row.verb, subject_id=row.subject_id, error=repr(error))
        return None


async def _read_facts(reader: Reader, subjects: Iterable[tuple[str, str]]) -> dict[str, Facts]:
    by_noun: dict[str, set[str]] = {}
    for kind, subject_id in subjects:
        by_noun.setdefault(kind.partition(".")[0], set()).add(subject_id)
    facts: dict[str, Facts] = {}
    for noun, ids in by_noun.items():
        if noun in _FACTS:
            table, statement = _FACTS[noun]
            for row in await reader.rows(statement, {"ids": bound_ids(sorted(ids), reader.is_sqlite)}):
                facts[row.id] = _shown(table, row._mapping)
    return facts


def _shown(table: Table, row: Any) -> Facts:
    shown = {
        "number": with_letter(table, row["number"]),
        "externalId": row["external_id"],
        "amount": rupees(row["amount_paise"]),
        "user": row["user_id"],
        "purchase": row.get("purchase_id"),
    }
    return {name: value for name, value in shown.items() if value is not None}


def _body(row: Row[Any], kind: str, facts: Facts) -> str:
    return message_body(kind, row.at, {"_id": row.subject_id, **facts})


def message_body(kind: str, at: datetime, data: Facts) -> str:
    return msgspec.json.encode({"type": kind, "timestamp": iso(at), "data": data}).decode()


async def _deliver(
    transaction: Transaction, endpoint_id: str, messages: Sequence[tuple[Row[Any], str, str, str]], at: datetime
) -> None:
    rows = [
        new_delivery(endpoint_id, event_id, kind, row.subject_id, row.id, body, at)
        for row, kind, event_id, body in messages
    ]
    if rows:
        await transaction.execute(insert(webhook_deliveries), rows)
        await set_due(transaction, endpoint_id, [str(row["subject_id"]) for row in rows], at)


def new_delivery(
    endpoint_id: str, event_id: str, kind: str, subject_id: str, position: int, body: str, at: datetime
) -> dict[str, Any]:
    return {
        "id": new_id(),
        "created_at": at,
        "endpoint_id": endpoint_id,
        "event_id": event_id,
        "type": kind,
        "subject_id": subject_id,
        "position": position,
        "body": body,
        "state": "waiting",
        "attempts": 0,
    }
