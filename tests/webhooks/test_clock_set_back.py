"""What waits for a time of a clock that was wrong is sent when it is corrected, or by a server whose clock is right."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.webhooks.deliveries import LEASE, Leased
from countinghouse.webhooks.tables import webhook_deliveries, webhook_endpoints
from tests.clocks import ServerClock
from tests.desk import Desk
from tests.webhooks.receiver import Answer, Receiver
from tests.webhooks.webhooks import WEBHOOKS, Clock, add, deliveries, send

AHEAD = [timedelta(minutes=20), timedelta(hours=20), timedelta(days=365)]


@pytest.mark.parametrize("ahead", AHEAD)
@pytest.mark.parametrize("answer", [Answer(503), Answer(429, {"Retry-After": "600"})])
def test_a_retry_that_was_set_by_a_clock_ahead_is_due(
    desk: Desk, receiver: Receiver, ahead: timedelta, answer: Answer
) -> None:
    clock = Clock()
    clock.at += ahead
    add(desk, receiver.url)
    receiver.answer = lambda _: answer
    claim_id = desk.add_claim_moved_to("Accepted")
    send(desk, clock)
    receiver.answer = lambda _: Answer()
    clock.at -= ahead
    # A later event of the same claim waits for it.
    assert desk.move(claim_id, "Paid").status_code == 200
    send(desk, clock)
    assert [one["state"] for one in deliveries(desk)] == ["delivered", "delivered"]


@pytest.mark.parametrize("ahead", AHEAD)
def test_a_lease_and_a_first_attempt_that_were_set_by_a_clock_ahead_are_over(
    desk: Desk, receiver: Receiver, ahead: timedelta
) -> None:
    """One sender died while it was sending, and more was dispatched meanwhile."""
    clock = Clock()
    clock.at += ahead
    add(desk, receiver.url)
    claim_id = desk.add_claim_moved_to("Accepted")
    send(desk, clock)
    leased = {"state": "waiting", "lease": new_id(), "due_at": clock.at + LEASE, "attempts": 1}
    desk.change(update(webhook_deliveries).values(leased | {"last_attempt_at": clock.at}))
    desk.add_claim_moved_to("Accepted")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("countinghouse.webhooks.sender.lease_due", nothing_is_leased)
        send(desk, clock)
    clock.at -= ahead
    assert desk.move(claim_id, "Paid").status_code == 200
    send(desk, clock)
    assert [one["state"] for one in deliveries(desk)] == ["delivered"] * 3


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("wrong_by", [sign * by for by in AHEAD for sign in (1, -1)], ids=str)
def test_an_event_and_a_new_secret_of_a_server_whose_clock_is_wrong(
    desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, wrong_by: timedelta
) -> None:
    endpoint_id = add(desk, receiver.url)["endpoint"]["_id"]
    clock = ServerClock(monkeypatch)
    clock.wrong_by = wrong_by
    desk.add_claim_moved_to("Accepted")
    assert desk.call("POST", f"{WEBHOOKS}/{endpoint_id}/secret").status_code == 200
    clock.wrong_by = timedelta(0)
    send(desk)
    assert [one["state"] for one in deliveries(desk)] == ["delivered"]
    (endpoint,) = desk.rows(select(webhook_endpoints))
    assert abs(endpoint.previous_secret_until - now() - timedelta(hours=24)) < timedelta(minutes=1)


async def nothing_is_leased(*_: object, **__: object) -> list[Leased]:
    return []
