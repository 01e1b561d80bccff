"""Adding and changing endpoints, and sending again."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from sqlalchemy import ColumnElement, Row, insert, null, or_, select, update

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Transaction
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.examples import body_examples
from countinghouse.core.ids import is_id, new_id
from countinghouse.core.inputs import Body
from countinghouse.core.listing.query import PossibleMoment
from countinghouse.core.times import iso, now
from countinghouse.settings import Network
from countinghouse.webhooks.deliveries import lock_endpoint, previous_secret_signs, set_due
from countinghouse.webhooks.dispatching import message_body, new_delivery
from countinghouse.webhooks.events import EVENT_TYPES, TEST_EVENT, EventType
from countinghouse.webhooks.queries import (
    Delivery,
    Endpoint,
    endpoint_not_found,
    get_delivery,
    get_endpoint,
    list_endpoints,
)
from countinghouse.webhooks.resource import WebhookVerb
from countinghouse.webhooks.signing import new_secret
from countinghouse.webhooks.tables import webhook_deliveries, webhook_endpoints
from countinghouse.webhooks.targets import LONGEST_URL, find_problem

MOST_ENDPOINTS = 20
# How long the old secret still signs.
ROTATION = timedelta(hours=24)
MOST_RESENT = 10_000

_delivery = webhook_deliveries.c


def _in_order(events: list[EventType]) -> list[EventType]:
    return [event for event in EVENT_TYPES if event in events]


_URL = Field(min_length=1, max_length=LONGEST_URL, description="Where to send the events.")
_Events = Annotated[list[EventType], Field(min_length=1, max_length=50), AfterValidator(_in_order)]


class NewEndpoint(Body):
    model_config = body_examples({"url": "https://shop.example.in/hooks", "events": ["claim.paid"]})

    url: Annotated[str, _URL]
    events: _Events


class EndpointBefore(Body):
    """As the admin has seen it. Its address may be one that a new endpoint cannot have."""

    model_config = body_examples({"url": "https://shop.example.in/hooks", "events": ["claim.paid"], "isEnabled": True})

    url: str
    events: list[str]
    is_enabled: Annotated[bool, Field(alias="isEnabled")]


class EndpointChange(NewEndpoint):
    model_config = body_examples({"url": "https://shop.example.in/hooks", "events": ["claim.paid"], "isEnabled": False})

    is_enabled: Annotated[bool, Field(alias="isEnabled", description="A disabled endpoint gets no events.")]
    before: Annotated[
        EndpointBefore | None,
        Field(description="The endpoint as it was seen. If it is another by now, nothing is changed."),
    ] = None


class ResendRequest(Body):
    model_config = body_examples({"since": "2026-11-15T00:00:00Z"})

    since: Annotated[PossibleMoment, Field(description="Everything that happened at or after this moment.")]


def _check_url(url: str, allowed: Sequence[Network]) -> None:
    problem = find_problem(url, allowed)
    if problem is not None:
        raise InvalidInput({"url": f"The address {problem}"})


async def add_endpoint(
    transaction: Transaction, actor: Actor, new: NewEndpoint, allowed: Sequence[Network]
) -> tuple[Endpoint, str]:
    """Returns the secret too. It is never shown again."""
    _check_url(new.url, allowed)
    if not transaction.is_sqlite:
        # Two admins who add one at the same moment check the limit one after the other.
        await transaction.command("LOCK TABLE webhook_endpoints IN SHARE ROW EXCLUSIVE MODE")
    if len(await list_endpoints(transaction)) >= MOST_ENDPOINTS:
        raise Conflict(
            "too_many_webhooks", f"There are already {MOST_ENDPOINTS} webhooks. Remove one that is not used."
        )
    endpoint_id, secret = new_id(), new_secret()
    row = {"id": endpoint_id, "created_at": now(), "url": new.url, "events": new.events, "secret": secret}
    await transaction.execute(insert(webhook_endpoints).values(row))
    await record(transaction, actor, WebhookVerb.ADDED, endpoint_id, after={"url": new.url, "events": new.events})
    return await get_endpoint(transaction, endpoint_id), secret


async def change_endpoint(
    transaction: Transaction, actor: Actor, endpoint_id: str, asked: EndpointChange, allowed: Sequence[Network]
) -> Endpoint:
    """An update without a change writes nothing. Enabling an endpoint sends what was waiting."""
    endpoint = await _lock(transaction, endpoint_id)
    if asked.url != endpoint.url:
        _check_url(asked.url, allowed)
    is_enabled = endpoint.disabled_at is None
    before = {"url": endpoint.url, "events": endpoint.events, "isEnabled": is_enabled}
    if asked.before is not None and asked.before.model_dump(by_alias=True) != before:
        message = "Somebody has changed this endpoint meanwhile. Close this, look at it again, and then change it."
        raise Conflict("webhook_changed", message)
    after = {"url": asked.url, "events": asked.events, "isEnabled": asked.is_enabled}
    if before == after:
        return await get_endpoint(transaction, endpoint_id)
    changed: dict[str, Any] = {"url": asked.url, "events": asked.events}
    if asked.is_enabled and not is_enabled:
        changed |= {"disabled_at": None, "disabled_why": None, "failing_since": None, "paused_until": None}
        await _end_waits(transaction, endpoint_id)
    if is_enabled and not asked.is_enabled:
        # An admin knows of it, so it is no longer reported as failing.
        changed |= {"disabled_at": now(), "disabled_why": f"Disabled by {actor.name}.", "failing_since": None}
    await _update(transaction, endpoint_id, changed)
    await record(transaction, actor, WebhookVerb.CHANGED, endpoint_id, before=before, after=after)
    return await get_endpoint(transaction, endpoint_id)


async def _end_waits(transaction: Transaction, endpoint_id: str) -> None:
    """The next attempt of a delivery may be a day away."""
    is_next = (_delivery.state == "waiting") & _delivery.due_at.is_not(None) & _delivery.lease.is_(None)
    of_endpoint = _delivery.endpoint_id == endpoint_id
    due = update(webhook_deliveries).where(of_endpoint, is_next).values(due_at=await transaction.now())
    await transaction.execute(due)


async def rotate_secret(
    transaction: Transaction, actor: Actor, endpoint_id: str, *, end_previous: bool
) -> tuple[Endpoint, str]:
    """Returns the new secret. For a day, messages are signed with the old one as well."""
    endpoint = await _lock(transaction, endpoint_id)
    at = await transaction.now()
    if not end_previous and previous_secret_signs(endpoint, at):
        # The receiver may still use it. Only the last two secrets sign.
        signs = f"The one before it signs until {iso(endpoint.previous_secret_until)}"
        message = f"A new secret was made less than a day ago. {signs}; another new secret would end that at once."
        raise Conflict("previous_secret_signs", message)
    secret, until = new_secret(), at + ROTATION
    changed = {"secret": secret, "previous_secret": endpoint.secret, "previous_secret_until": until}
    await _update(transaction, endpoint_id, changed)
    after = {"url": endpoint.url, "previousSecretUntil": iso(until)}
    await record(transaction, actor, WebhookVerb.SECRET_ROTATED, endpoint_id, after=after)
    return await get_endpoint(transaction, endpoint_id), secret


async def remove_endpoint(transaction: Transaction, actor: Actor, endpoint_id: str) -> None:
    """Its log is kept; what was waiting is not sent any more."""
    endpoint = await _lock(transaction, endpoint_id)
    await _update(transaction, endpoint_id, {"removed_at": now()})
    await transaction.execute(
        update(webhook_deliveries)
        .where(_delivery.endpoint_id == endpoint_id, _delivery.state == "waiting")
        .values(state="failed", due_at=null(), lease=null(), last_error="The webhook was removed.")
    )
    before = {"url": endpoint.url, "events": endpoint.events}
    await record(transaction, actor, WebhookVerb.REMOVED, endpoint_id, before=before)


async def resend_one(transaction: Transaction, actor: Actor, delivery_id: str) -> Delivery:
    """Sends it as soon as possible, with the same id and a new series of attempts."""
    delivery = await get_delivery(transaction, delivery_id)
    await _lock_enabled(transaction, delivery["endpoint"])
    if not await _resend(transaction, delivery["endpoint"], _delivery.id == delivery_id, await transaction.now()):
        raise Conflict("being_sent", "This delivery is being sent at this moment.")
    after = {"delivery": delivery_id, "type": delivery["type"], "subject": delivery["subject"]}
    await record(transaction, actor, WebhookVerb.RESENT, delivery["endpoint"], after=after)
    return await get_delivery(transaction, delivery_id)


async def resend_since(transaction: Transaction, actor: Actor, endpoint_id: str, since: datetime) -> int:
    """Everything the endpoint was sent, or should have been, since then."""
    await _lock_enabled(transaction, endpoint_id)
    count = await _resend(transaction, endpoint_id, _delivery.created_at >= since, await transaction.now())
    await record(transaction, actor, WebhookVerb.RESENT, endpoint_id, after={"since": iso(since), "deliveries": count})
    return count


async def _resend(transaction: Transaction, endpoint_id: str, chosen: ColumnElement[bool], at: datetime) -> int:
    is_idle = or_(_delivery.state != "waiting", _delivery.lease.is_(None), _delivery.due_at <= at)
    condition = (_delivery.endpoint_id == endpoint_id) & chosen & is_idle
    found = select(_delivery.id, _delivery.subject_id).where(condition).limit(MOST_RESENT + 1)
    rows = await transaction.rows(found)
    if len(rows) > MOST_RESENT:
        message = f"More than {MOST_RESENT:,} deliveries match. Choose a later time."
        raise InvalidInput({"since": message})
    await transaction.execute(
        update(webhook_deliveries).where(condition).values(state="waiting", attempts=0, due_at=null(), lease=null())
    )
    await set_due(transaction, endpoint_id, [row.subject_id for row in rows], at)
    return len(rows)


async def send_test(transaction: Transaction, actor: Actor, endpoint_id: str) -> Delivery:
    await _lock_enabled(transaction, endpoint_id)
    at, event_id = now(), f"msg_{new_id()}"
    body = message_body(TEST_EVENT, at, {"endpoint": endpoint_id})
    # It is its own subject, so it waits for nothing and nothing waits for it.
    row = new_delivery(endpoint_id, event_id, TEST_EVENT, event_id, 0, body, at) | {"due_at": at}
    await transaction.execute(insert(webhook_deliveries).values(row))
    await record(transaction, actor, WebhookVerb.TESTED, endpoint_id, after={"delivery": row["id"]})
    return await get_delivery(transaction, str(row["id"]))


async def _lock(transaction: Transaction, endpoint_id: str) -> Row[Any]:
    found = await lock_endpoint(transaction, endpoint_id) if is_id(endpoint_id) else None
    if found is None or found.removed_at is not None:
        raise endpoint_not_found()
    return found


async def _lock_enabled(transaction: Transaction, endpoint_id: str) -> None:
    if (await _lock(transaction, endpoint_id)).disabled_at is not None:
        raise Conflict("webhook_disabled", "This webhook is disabled. Enable it first.")


async def _update(transaction: Transaction, endpoint_id: str, changed: dict[str, Any]) -> None:
    await transaction.execute(update(webhook_endpoints).where(webhook_endpoints.c.id == endpoint_id).values(changed))
