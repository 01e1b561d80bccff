"""Reading endpoints and the log of their deliveries."""

from typing import Annotated, Any, Literal

from pydantic import Field, with_config
from sqlalchemy import FromClause, Row, bindparam, func, select
from typing_extensions import TypedDict

from countinghouse.core.db import Reader, Statement
from countinghouse.core.errors import NotFound
from countinghouse.core.ids import is_id
from countinghouse.core.inputs import PlainText
from countinghouse.core.listing import Filter, ListFilters, Listing, ListQuery, Order, Tallies
from countinghouse.core.listing.items import Fields
from countinghouse.core.listing.sql import number, written
from countinghouse.core.times import iso
from countinghouse.webhooks.events import EventType
from countinghouse.webhooks.tables import webhook_deliveries, webhook_endpoints

State = Literal["waiting", "delivered", "failed"]

# Waiting deliveries are counted up to here.
MOST_COUNTED = 1000

ENDPOINT_EXAMPLE: dict[str, Any] = {
    "_id": "6917e2f4a1b2c3d4e5000009",
    "createdAt": "2026-11-15T02:52:36.120Z",
    "url": "https://shop.example.in/hooks/countinghouse",
    "events": ["claim.paid", "claim.returned"],
    "isEnabled": True,
    "disabledAt": None,
    "disabledWhy": None,
    "failingSince": None,
    "pausedUntil": None,
    "previousSecretUntil": None,
    "waiting": 0,
    "lastDelivery": {"at": "2026-11-15T02:52:36.320Z", "type": "claim.paid", "state": "delivered", "status": 204},
}


@with_config(json_schema_extra={"examples": [ENDPOINT_EXAMPLE["lastDelivery"]]})
class LastDelivery(TypedDict):
    """The newest event: `at` is its last attempt, or when it happened if there was none."""

    at: str
    type: str
    state: State
    status: int | None


@with_config(json_schema_extra={"examples": [ENDPOINT_EXAMPLE]})
class Endpoint(TypedDict):
    """`failingSince`: no attempt has succeeded since. `waiting` counts up to a thousand."""

    _id: str
    createdAt: str
    url: str
    events: list[EventType]
    isEnabled: bool
    disabledAt: str | None
    disabledWhy: str | None
    failingSince: str | None
    pausedUntil: str | None
    previousSecretUntil: str | None
    waiting: int
    lastDelivery: LastDelivery | None


_waiting = (
    select(number(1).label("one"))
    .where(webhook_deliveries.c.endpoint_id == webhook_endpoints.c.id, webhook_deliveries.c.state == written("waiting"))
    .limit(number(MOST_COUNTED))
    .correlate(webhook_endpoints)
    .subquery()
)
_last = webhook_deliveries.alias("last")
_last_id = (
    select(webhook_deliveries.c.id)
    .where(webhook_deliveries.c.endpoint_id == webhook_endpoints.c.id)
    .order_by(webhook_deliveries.c.created_at.desc(), webhook_deliveries.c.id.desc())
    .limit(number(1))
    .correlate(webhook_endpoints)
    .scalar_subquery()
)
_endpoints = (
    select(
        webhook_endpoints,
        select(func.count()).select_from(_waiting).scalar_subquery().label("waiting"),
        func.coalesce(_last.c.last_attempt_at, _last.c.created_at).label("last_at"),
        _last.c.type.label("last_type"),
        _last.c.state.label("last_state"),
        _last.c.last_status,
    )
    .select_from(webhook_endpoints.outerjoin(_last, _last.c.id == _last_id))
    .where(webhook_endpoints.c.removed_at.is_(None))
)
_ALL = Statement(_endpoints.order_by(webhook_endpoints.c.created_at, webhook_endpoints.c.id))
_ONE = Statement(_endpoints.where(webhook_endpoints.c.id == bindparam("endpoint_id")))


def _to_endpoint(row: Row[Any]) -> Endpoint:
    def shown(name: str) -> str | None:
        moment = row._mapping[name]
        return None if moment is None else iso(moment)

    return {
        "_id": row.id,
        "createdAt": iso(row.created_at),
        "url": row.url,
        "events": row.events,
        "isEnabled": row.disabled_at is None,
        "disabledAt": shown("disabled_at"),
        "disabledWhy": row.disabled_why,
        "failingSince": shown("failing_since"),
        "pausedUntil": shown("paused_until"),
        "previousSecretUntil": shown("previous_secret_until"),
        "waiting": row.waiting,
        "lastDelivery": _to_last_delivery(row),
    }


def _to_last_delivery(row: Row[Any]) -> LastDelivery | None:
    if row.last_type is None:
        return None
    return {"at": iso(row.last_at), "type": row.last_type, "state": row.last_state, "status": row.last_status}


async def list_endpoints(reader: Reader) -> list[Endpoint]:
    return [_to_endpoint(row) for row in await reader.rows(_ALL)]


async def get_endpoint(reader: Reader, endpoint_id: str) -> Endpoint:
    found = await reader.first(_ONE, {"endpoint_id": endpoint_id}) if is_id(endpoint_id) else None
    if found is None:
        raise endpoint_not_found()
    return _to_endpoint(found)


def endpoint_not_found() -> NotFound:
    return NotFound("webhook_not_found", "There is no such webhook. It may have been removed.")


@with_config(
    json_schema_extra={
        "examples": [
            {
                "_id": "6917e2f4a1b2c3d4e5000010",
                "createdAt": "2026-11-15T02:52:36.120Z",
                "endpoint": "6917e2f4a1b2c3d4e5000009",
                "eventId": "msg_6917e2f4a1b2c3d4e5000011",
                "type": "claim.paid",
                "subject": "6917e2f4a1b2c3d4e5000003",
                "body": '{"type":"claim.paid","timestamp":"2026-11-15T02:52:36.120Z","data":{}}',
                "state": "waiting",
                "attempts": 1,
                "dueAt": "2026-11-15T02:52:41.320Z",
                "lastAttemptAt": "2026-11-15T02:52:36.320Z",
                "lastStatus": 503,
                "lastExcerpt": "Service Unavailable",
                "lastError": None,
            }
        ]
    }
)
class Delivery(TypedDict):
    """`lastExcerpt` is the beginning of the receiver's response; `lastError` says why there was none."""

    _id: str
    createdAt: str
    endpoint: str
    eventId: str
    type: str
    subject: str
    body: str
    state: State
    attempts: int
    dueAt: str | None
    lastAttemptAt: str | None
    lastStatus: int | None
    lastExcerpt: str | None
    lastError: str | None


def _delivery_fields(delivery: FromClause) -> Fields:
    return {
        "_id": delivery.c.id,
        "createdAt": delivery.c.created_at,
        "endpoint": delivery.c.endpoint_id,
        "eventId": delivery.c.event_id,
        "type": delivery.c.type,
        "subject": delivery.c.subject_id,
        "body": delivery.c.body,
        "state": delivery.c.state,
        "attempts": delivery.c.attempts,
        "dueAt": delivery.c.due_at,
        "lastAttemptAt": delivery.c.last_attempt_at,
        "lastStatus": delivery.c.last_status,
        "lastExcerpt": delivery.c.last_excerpt,
        "lastError": delivery.c.last_error,
    }


class DeliveryFilters(ListFilters):
    endpoint: Annotated[
        PlainText | None,
        Field(max_length=24, description="Only deliveries to this endpoint."),
        Filter(lambda _: webhook_deliveries.c.endpoint_id == bindparam("endpoint")),
    ] = None
    state: Annotated[
        State | None,
        Field(description="Only deliveries in this state."),
        Filter(lambda _: webhook_deliveries.c.state == bindparam("state")),
    ] = None


class DeliveryQuery(DeliveryFilters, ListQuery):
    pass


DELIVERIES = Listing(
    webhook_deliveries,
    Tallies(),
    _delivery_fields,
    orders={"createdAt": Order((webhook_deliveries.c.created_at, webhook_deliveries.c.id))},
    query=DeliveryFilters,
    searched=(webhook_deliveries.c.type, webhook_deliveries.c.subject_id, webhook_deliveries.c.event_id),
    has_search_index=False,
)
_DELIVERY = Statement(
    DELIVERIES.select_rows(webhook_deliveries).where(webhook_deliveries.c.id == bindparam("delivery_id"))
)


async def get_delivery(reader: Reader, delivery_id: str) -> Delivery:
    found = await reader.all(_DELIVERY, {"delivery_id": delivery_id}) if is_id(delivery_id) else []
    if not found:
        raise NotFound("delivery_not_found", "There is no such delivery. It may be older than the log goes back.")
    delivery: Delivery = DELIVERIES.items.as_dict(found[0])
    return delivery
