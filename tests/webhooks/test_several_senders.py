"""Several servers send from one database: each delivery by one of them at a time, and in order."""

import asyncio
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import insert, select

from countinghouse.core.times import iso, now
from countinghouse.webhooks.deliveries import LEASE
from countinghouse.webhooks.sender import Sender
from countinghouse.webhooks.tables import webhook_deliveries, webhook_outbox
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.waiting import eventually
from tests.webhooks.conftest import LOOPBACK
from tests.webhooks.receiver import Answer, HalfFailing, Received, Receiver
from tests.webhooks.webhooks import WEBHOOKS, deliveries, endpoint, listen, make_due, send, send_all, sender_of


async def send_together(*senders: Sender) -> None:
    await asyncio.gather(*map(send_all, senders))
    # One may have seen nothing to do while the other was still sending.
    await send_all(senders[0])
    await asyncio.gather(*(sender.stop() for sender in senders))


def test_two_senders_send_each_event_once_and_in_order(
    desk: Desk, receiver: Receiver, open_desk: Callable[..., Desk]
) -> None:
    other = open_desk(webhook_private_targets=LOOPBACK)
    listen(desk, receiver)
    claim_ids = [desk.add_claim() for _ in range(15)]
    for status in ("Accepted", "Paid", "Returned"):
        for claim_id in claim_ids:
            assert desk.move(claim_id, status, reason="Why.").status_code == 200
    run(send_together(sender_of(desk), sender_of(other), sender_of(desk)))
    assert receiver.overlapping == []
    assert len(receiver.received) == len(receiver.taken) == 45
    for claim_id in claim_ids:
        taken = [one.type for one in receiver.taken if one.subject == claim_id]
        assert taken == ["claim.accepted", "claim.paid", "claim.returned"]


def test_a_change_that_only_a_newer_version_understands_is_left_for_it(desk: Desk, receiver: Receiver) -> None:
    """During an upgrade both run on one database."""
    listen(desk, receiver)
    row = {"at": now(), "verb": "purchase.refunded", "subject_id": "x", "after": "{}"}
    desk.change(insert(webhook_outbox).values(row))
    claim_id = desk.add_claim_moved_to("Accepted")
    send(desk)
    assert [one.subject for one in receiver.taken] == [claim_id]
    assert [row.verb for row in desk.rows(select(webhook_outbox))] == ["purchase.refunded"]


def test_two_senders_and_a_receiver_that_fails_half_of_the_time(
    desk: Desk, receiver: Receiver, open_desk: Callable[..., Desk]
) -> None:
    other = open_desk(webhook_private_targets=LOOPBACK)
    receiver.answer = HalfFailing(3)
    listen(desk, receiver)
    claim_ids = [desk.add_claim_moved_to("Paid") for _ in range(8)]
    run(send_together(sender_of(desk), sender_of(other)))
    while deliveries(desk, state="waiting"):
        make_due(desk)
        run(send_together(sender_of(desk), sender_of(other)))
    assert receiver.overlapping == []
    for claim_id in claim_ids:
        assert [one.type for one in receiver.taken if one.subject == claim_id] == ["claim.accepted", "claim.paid"]


def test_a_delivery_is_taken_over_when_its_lease_ends(desk: Desk, receiver: Receiver) -> None:
    """As after a kill: the first sender never reports how its attempt ended."""
    may_answer = threading.Event()

    def hang(_received: Received) -> Answer:
        may_answer.wait(30)
        return Answer(500)

    receiver.answer = hang
    listen(desk, receiver)
    desk.add_claim_moved_to("Paid")
    stuck = sender_of(desk)
    run(stuck.step())
    eventually(lambda: receiver.received)
    # Another server leaves it alone while the lease holds.
    send(desk)
    send(desk, lambda: now() + LEASE - timedelta(seconds=20))
    assert len(receiver.received) == 1
    receiver.answer = lambda _: Answer()
    receiver.secrets.clear()
    send(desk, lambda: now() + LEASE + timedelta(seconds=1))
    assert [one.type for one in receiver.taken] == ["claim.accepted", "claim.paid"]
    # The late outcome of the first sender changes nothing.
    may_answer.set()
    run(stuck.rest())
    assert [(one["state"], one["attempts"]) for one in deliveries(desk)] == [("delivered", 1), ("delivered", 2)]
    run(stuck.stop())


def test_a_sender_that_stops_gives_back_what_it_has_not_sent(desk: Desk, receiver: Receiver) -> None:
    may_answer = threading.Event()

    def hang(_received: Received) -> Answer:
        may_answer.wait(30)
        return Answer()

    receiver.answer = hang
    listen(desk, receiver)
    desk.add_claim_moved_to("Accepted")
    sender = sender_of(desk)
    run(sender.step())
    eventually(lambda: receiver.received)
    run(sender.stop())
    (row,) = desk.rows(select(webhook_deliveries))
    assert (row.state, row.lease, row.attempts) == ("waiting", None, 0)
    may_answer.set()
    receiver.answer = lambda _: Answer()
    send(desk)
    assert deliveries(desk)[0]["state"] == "delivered"


def test_what_is_sent_again_waits_for_what_is_being_sent_about_the_same_claim(desk: Desk, receiver: Receiver) -> None:
    may_answer = threading.Event()

    def hang(_received: Received) -> Answer:
        may_answer.wait(30)
        return Answer(500)

    endpoint_id = listen(desk, receiver)
    claim_id = desk.add_claim_moved_to("Accepted")
    send(desk)
    receiver.answer = hang
    assert desk.move(claim_id, "Paid").status_code == 200
    busy = sender_of(desk)
    run(busy.step())
    eventually(lambda: len(receiver.received) == 2)
    since = {"since": iso(now() - timedelta(days=1))}
    assert desk.call("POST", f"{WEBHOOKS}/{endpoint_id}/resend", json=since).json() == {"resent": 1}
    send(desk)
    assert len(receiver.received) == 2
    receiver.answer = lambda _: Answer()
    may_answer.set()
    run(busy.rest())
    # It has failed, so both are waiting now, in their order.
    send(desk)
    assert receiver.types()[2:] == ["claim.accepted", "claim.paid"]
    run(busy.stop())


@pytest.mark.parametrize("late", [Answer(), Answer(429, {"Retry-After": "1"})], ids=["success", "shorter pause"])
@on_one_engine
def test_an_answer_to_an_earlier_request_does_not_end_a_pause(desk: Desk, receiver: Receiver, late: Answer) -> None:
    endpoint_id = listen(desk, receiver)
    may_answer = threading.Event()

    def hang(_received: Received) -> Answer:
        may_answer.wait(30)
        return late

    receiver.answer = hang
    desk.add_claim_moved_to("Accepted")
    earlier = sender_of(desk)
    run(earlier.step())
    eventually(lambda: receiver.received)
    receiver.answer = lambda _: Answer(429, {"Retry-After": "3600"})
    desk.add_claim_moved_to("Accepted")
    send(desk)
    asked = endpoint(desk, endpoint_id)["pausedUntil"]
    assert asked is not None
    may_answer.set()
    run(earlier.rest())
    run(earlier.stop())
    assert endpoint(desk, endpoint_id)["pausedUntil"] == asked


def test_an_endpoint_that_is_disabled_during_an_attempt_is_not_failing_and_enabling_it_sends_at_once(
    desk: Desk, receiver: Receiver
) -> None:
    endpoint_id = listen(desk, receiver)
    may_answer = threading.Event()

    def hang(_received: Received) -> Answer:
        may_answer.wait(30)
        return Answer(500)

    receiver.answer = hang
    desk.add_claim_moved_to("Paid")
    sender = sender_of(desk)
    run(sender.step())
    eventually(lambda: receiver.received)
    shown = endpoint(desk, endpoint_id)
    wish = {"url": shown["url"], "events": shown["events"], "isEnabled": False}
    assert desk.call("PUT", f"{WEBHOOKS}/{endpoint_id}", json=wish).status_code == 200
    may_answer.set()
    run(sender.rest())
    run(sender.stop())
    assert endpoint(desk, endpoint_id)["failingSince"] is None
    receiver.answer = lambda _: Answer()
    assert desk.call("PUT", f"{WEBHOOKS}/{endpoint_id}", json=wish | {"isEnabled": True}).status_code == 200
    send(desk)
    assert [one.type for one in receiver.taken] == ["claim.accepted", "claim.paid"]
