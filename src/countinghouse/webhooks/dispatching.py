"""Turns rows of the outbox into deliveries: one for each endpoint that wants the event."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
import structlog
from sqlalchemy import Row, Table, bindparam, delete, insert, select

from countinghouse.claims.tables import claims
from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.ids import new_id
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.sql import among, number
from countinghouse.core.money import rupees
from countinghouse.core.times import iso
from countinghouse.purchases.tables import purchases
from countinghouse.webhooks.deliveries import IS_ACTIVE, set_due
from countinghouse.webhooks.events import Facts, find_event
from countinghouse.webhooks.tables import webhook_deliveries, webhook_endpoints, webhook_outbox

log = structlog.get_logger()

DISPATCHED_TOGETHER = 200

_ENDPOINTS = Statement(select(webhook_endpoints).where(IS_ACTIVE).order_by(webhook_endpoints.c.id).with_for_update())
_OUTBOX = Statement(
    select(webhook_outbox).order_by(webhook_outbox.c.id).limit(number(DISPATCHED_TOGETHER)).with_for_update()
)


def _select_facts(table: Table, amount: str) -> Statement:
    """The columns that a message may contain: never a name, a bank detail or a mobile number."""
    optional = [table.c[name] for name in ("number", "external_id", "purchase_id") if name in table.c]
    facts = select(table.c.id, table.c.user_id, table.c[amount].label("amount_paise"), *optional)
    return Statement(facts.where(among(table.c.id, bindparam("ids"))))


# By the first part of the event's type.
_FACTS = {
    "claim": _select_facts(claims, "amount_paise"),
    "purchase": _select_facts(purchases, "invest_paise"),
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
            for row in await reader.rows(_FACTS[noun], {"ids": bound_ids(sorted(ids), reader.is_sqlite)}):
                facts[row.id] = _shown(row._mapping)
    return facts


def _shown(row: Any) -> Facts:
    shown = {
        "number": row.get("number"),
        "externalId": row.get("external_id"),
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
