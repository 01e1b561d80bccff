"""How one message is delivered: retries, and what a receiver may answer."""

import socket
import threading
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from countinghouse.webhooks.client import MOST_READ_BYTES
from countinghouse.webhooks.retrying import MOST_ATTEMPTS
from countinghouse.webhooks.tables import webhook_endpoints
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.webhooks.receiver import Answer, HalfFailing, Received, Receiver
from tests.webhooks.webhooks import (
    WEBHOOKS,
    Clock,
    add,
    deliveries,
    endpoint,
    listen,
    make_due,
    send,
    send_all,
    sender_of,
)


def test_a_retry_has_the_same_id_and_body_and_a_new_time(desk: Desk, receiver: Receiver) -> None:
    clock = Clock()
    add(desk, receiver.url)
    receiver.answer = lambda _: Answer(503 if len(receiver.received) == 1 else 200)
    desk.add_claim_moved_to("Accepted")
    send(desk, clock)
    clock.at += timedelta(seconds=4)
    send(desk, clock)
    assert len(receiver.received) == 1
    clock.at += timedelta(seconds=2)
    send(desk, clock)
    first, second = receiver.received
    assert (first.id, first.body) == (second.id, second.body)
    assert int(second.headers["webhook-timestamp"]) - int(first.headers["webhook-timestamp"]) == 6
    assert deliveries(desk)[0]["state"] == "delivered"


def test_a_delivery_is_given_up_after_ten_attempts_in_about_75_hours(desk: Desk, receiver: Receiver) -> None:
    clock = Clock()
    began_at = clock.at
    endpoint_id = add(desk, receiver.url)["endpoint"]["_id"]
    receiver.answer = lambda _: Answer(500, body=b"out of order")
    desk.add_claim_moved_to("Accepted")
    send(desk, clock)
    assert endpoint(desk, endpoint_id)["failingSince"] is not None
    while (delivery := deliveries(desk)[0])["state"] == "waiting":
        clock.at = datetime.fromisoformat(delivery["dueAt"]) + timedelta(milliseconds=1)
        send(desk, clock)
    assert delivery["state"] == "failed"
    assert len(receiver.received) == delivery["attempts"] == MOST_ATTEMPTS == 10
    assert (delivery["lastStatus"], delivery["lastExcerpt"]) == (500, "out of order")
    assert timedelta(hours=67) < clock.at - began_at < timedelta(hours=84)
    # Later events are sent nevertheless, and a success ends the failing.
    receiver.answer = lambda _: Answer()
    desk.add_claim_moved_to("Accepted")
    send(desk, clock)
    assert endpoint(desk, endpoint_id)["failingSince"] is None


def test_everything_arrives_at_a_receiver_that_fails_half_of_the_time(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    receiver.answer = HalfFailing(7)
    claim_ids = [desk.add_claim() for _ in range(10)]
    for status in ("Accepted", "Paid", "Returned"):
        for claim_id in claim_ids:
            assert desk.move(claim_id, status, reason="Why.").status_code == 200
    send(desk)
    while deliveries(desk, state="waiting"):
        make_due(desk)
        send(desk)
    expected = ["claim.accepted", "claim.paid", "claim.returned"]
    for claim_id in claim_ids:
        assert [one.type for one in receiver.taken if one.subject == claim_id] == expected
        # No attempt was made for an event before the one in front of it had arrived.
        tried = [one.type for one in receiver.received if one.subject == claim_id]
        assert tried == sorted(tried, key=expected.index)
    assert len(receiver.received) > len(receiver.taken) == 30


def test_gone_disables_the_endpoint(desk: Desk, receiver: Receiver) -> None:
    endpoint_id = listen(desk, receiver)
    receiver.answer = lambda _: Answer(410)
    desk.add_claim_moved_to("Paid")
    send(desk)
    shown = endpoint(desk, endpoint_id)
    assert (shown["isEnabled"], shown["disabledWhy"]) == (False, "The receiver answered 410 Gone.")
    assert [one["state"] for one in deliveries(desk)] == ["waiting", "failed"]
    (row,) = desk.audit("webhook.disabled")
    assert (row.actor, row.subject_id) == ("webhooks", endpoint_id)
    make_due(desk)
    send(desk)
    assert len(receiver.received) == 1
    # Enabled again, it gets what was waiting.
    receiver.answer = lambda _: Answer()
    body = {"url": shown["url"], "events": shown["events"], "isEnabled": True}
    assert desk.call("PUT", f"{WEBHOOKS}/{endpoint_id}", json=body).json()["disabledWhy"] is None
    send(desk)
    assert [one.type for one in receiver.taken] == ["claim.paid"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@on_one_engine
def test_a_redirect_is_a_failure_and_is_not_followed(desk: Desk, receiver: Receiver, status: int) -> None:
    listen(desk, receiver)
    with Receiver() as other:
        receiver.answer = lambda _: Answer(status, {"Location": other.url})
        desk.add_claim_moved_to("Accepted")
        send(desk)
        assert other.received == []
    assert [(one["state"], one["lastStatus"]) for one in deliveries(desk)] == [("waiting", status)]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("120", 120), ("999999999999", 86_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400)],
)
def test_retry_after_pauses_the_endpoint(desk: Desk, receiver: Receiver, header: str, seconds: int) -> None:
    clock = Clock()
    endpoint_id = add(desk, receiver.url)["endpoint"]["_id"]
    receiver.answer = lambda _: Answer(429, {"Retry-After": header})
    desk.add_claim_moved_to("Accepted")
    send(desk, clock)
    receiver.answer = lambda _: Answer()
    # Another event has to wait as well.
    desk.add_claim_moved_to("Accepted")
    clock.at += timedelta(seconds=seconds - 1)
    send(desk, clock)
    assert len(receiver.received) == 1
    assert endpoint(desk, endpoint_id)["pausedUntil"] is not None
    clock.at += timedelta(seconds=2)
    send(desk, clock)
    assert len(receiver.taken) == 2
    assert endpoint(desk, endpoint_id)["pausedUntil"] is None


@pytest.mark.parametrize("header", ["soon", "-5", "0", "Thu, 01 Jan 1970 00:00:00 GMT", "", "٣٠", "1.5"])
@on_one_engine
def test_a_meaningless_retry_after_is_ignored(desk: Desk, receiver: Receiver, header: str) -> None:
    clock = Clock()
    add(desk, receiver.url)
    receiver.answer = lambda _: Answer(503, {"Retry-After": header.encode().decode("latin-1")})
    desk.add_claim_moved_to("Accepted")
    send(desk, clock)
    clock.at += timedelta(seconds=6)
    send(desk, clock)
    assert len(receiver.received) == 2


def test_a_slow_receiver_is_given_up_and_delays_no_other(desk: Desk, receiver: Receiver) -> None:
    may_answer = threading.Event()

    def wait(_received: Received) -> Answer:
        may_answer.wait(30)
        return Answer()

    receiver.answer = wait
    listen(desk, receiver)
    with Receiver() as quick:
        listen(desk, quick)
        for _ in range(8):
            desk.add_claim_moved_to("Accepted")
        sender = sender_of(desk, attempt_seconds=2.0)
        run(send_all(sender))
        assert len(quick.taken) == 8
        run(sender.stop())
    may_answer.set()
    slow = deliveries(desk, state="waiting")
    assert {one["lastError"] for one in slow} == {"No answer within 2 seconds."}
    assert len(slow) == 8


@on_one_engine
def test_only_the_beginning_of_an_endless_response_is_read(desk: Desk, receiver: Receiver) -> None:
    written = []

    def more() -> bytes:
        written.append(1)
        return b"<b>\x00\x1b more \xff</b>" * 100

    receiver.answer = lambda _: Answer(200, more=more)
    listen(desk, receiver)
    desk.add_claim_moved_to("Accepted")
    send(desk)
    (delivery,) = deliveries(desk)
    assert delivery["state"] == "delivered"
    assert len(delivery["lastExcerpt"]) == 500
    assert "\x00" not in delivery["lastExcerpt"]
    assert sum(written) * 1500 < MOST_READ_BYTES * 1000


@on_one_engine
def test_a_response_that_is_not_http_is_a_failure(desk: Desk) -> None:
    def answer() -> None:
        with server.accept()[0] as connection:
            connection.recv(10_000)
            connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n" * 10)
            connection.shutdown(socket.SHUT_WR)
            # Closing with a part of the request unread would reset the connection, and the response could be lost.
            while connection.recv(10_000):
                pass

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer)
        thread.start()
        add(desk, f"http://127.0.0.1:{server.getsockname()[1]}/")
        desk.add_claim_moved_to("Accepted")
        send(desk)
        thread.join()
    (delivery,) = deliveries(desk)
    assert delivery["state"] == "waiting"
    assert "no valid HTTP response" in delivery["lastError"]


@on_one_engine
def test_endless_informational_responses_are_a_failure_long_before_the_deadline(desk: Desk) -> None:
    written = 0

    def answer() -> None:
        nonlocal written
        with server.accept()[0] as connection, suppress(ConnectionError):
            connection.recv(10_000)
            while written < 40_000_000:
                connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 400)
                written += 10_000

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer)
        thread.start()
        add(desk, f"http://127.0.0.1:{server.getsockname()[1]}/")
        desk.add_claim_moved_to("Accepted")
        send(desk)
        thread.join()
    (delivery,) = deliveries(desk)
    assert delivery["state"] == "waiting"
    assert delivery["lastError"] == "There was no valid HTTP response: 64 KB came, and it was not complete."
    # What is beyond it was in the buffers of the sockets.
    assert written < 40_000_000


@on_one_engine
def test_a_receiver_that_is_not_there_is_a_failure(desk: Desk) -> None:
    with Receiver() as receiver:
        url = receiver.url
    endpoint_id = add(desk, url)["endpoint"]["_id"]
    desk.add_claim_moved_to("Accepted")
    send(desk)
    (delivery,) = deliveries(desk)
    assert delivery["lastError"].startswith("The connection failed")
    assert endpoint(desk, endpoint_id)["waiting"] == 1
    assert desk.rows(select(webhook_endpoints))[0].failing_since is not None
