"""Helpers for tests of webhooks."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import null, select, update

from countinghouse.core.db import Reader
from countinghouse.core.times import now
from countinghouse.settings import Settings
from countinghouse.webhooks.client import WebhookClient
from countinghouse.webhooks.events import EVENT_TYPES
from countinghouse.webhooks.sender import Sender
from countinghouse.webhooks.tables import webhook_deliveries
from tests.desk import Desk
from tests.event_loop import run
from tests.webhooks.receiver import Receiver

WEBHOOKS = "/api/webhooks"
DELIVERIES = f"{WEBHOOKS}/deliveries"


def add(desk: Desk, url: str, *events: str) -> dict[str, Any]:
    answer = desk.call("POST", WEBHOOKS, json={"url": url, "events": list(events or EVENT_TYPES)})
    assert answer.status_code == 201, answer.text
    added: dict[str, Any] = answer.json()
    return added


def listen(desk: Desk, receiver: Receiver, *events: str) -> str:
    """Adds the receiver as an endpoint, with its secret. Returns the endpoint's id."""
    added = add(desk, receiver.url, *events)
    receiver.secrets.append(added["secret"])
    return str(added["endpoint"]["_id"])


class Clock:
    """Time that passes only when the test says so."""

    def __init__(self) -> None:
        self.at = now()

    def __call__(self) -> datetime:
        return self.at


def sender_of(desk: Desk, clock: Callable[[], datetime] = now, **options: Any) -> Sender:
    """`clock` stands for the clock of the database."""
    settings: Settings = desk.settings

    async def read_clock(_reader: Reader) -> datetime:
        return clock()

    return Sender(desk.app_database, WebhookClient(settings.webhook_private_targets, **options), read_clock)


def send(desk: Desk, clock: Callable[[], datetime] = now, **options: Any) -> None:
    """Sends everything that is due at this moment, in the way of a server."""
    sender = sender_of(desk, clock, **options)
    run(send_all(sender))
    run(sender.stop())


async def send_all(sender: Sender) -> None:
    while await sender.step() or sender.is_sending:
        await sender.rest()


def make_due(desk: Desk) -> None:
    """As if the time of the next attempt had come, of whatever could be sent."""
    rows = webhook_deliveries.c
    due = update(webhook_deliveries).where(rows.state == "waiting", rows.due_at.is_not(None))
    desk.change(due.values(due_at=now(), lease=null()))


def deliveries(desk: Desk, **filters: str) -> list[dict[str, Any]]:
    """Newest first."""
    found: list[dict[str, Any]] = desk.get(DELIVERIES, params={"limit": "100", **filters}).json()
    return found


def states(desk: Desk) -> list[str]:
    return [row.state for row in desk.rows(select(webhook_deliveries).order_by(webhook_deliveries.c.position))]


def endpoint(desk: Desk, endpoint_id: str) -> dict[str, Any]:
    (found,) = (one for one in desk.get(WEBHOOKS).json() if one["_id"] == endpoint_id)
    shown: dict[str, Any] = found
    return shown
