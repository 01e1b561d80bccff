"""Messages are signed as Standard Webhooks says; its own package checks them here."""

import base64
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import update

from countinghouse.core.times import now
from countinghouse.webhooks.tables import webhook_endpoints
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.webhooks.receiver import Receiver, is_genuine
from tests.webhooks.webhooks import WEBHOOKS, add, deliveries, listen, make_due, send


def test_the_package_of_the_standard_accepts_a_message(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    desk.add_claim_moved_to("Accepted")
    send(desk)
    (received,) = receiver.taken
    assert is_genuine(receiver.secrets[0], received)
    assert received.path == "/hooks?from=desk"
    assert received.headers["content-type"] == "application/json"
    assert received.id.startswith("msg_")
    assert "." not in received.id
    assert len(received.body) < 20_000
    (delivery,) = deliveries(desk)
    assert (delivery["state"], delivery["attempts"], delivery["lastStatus"]) == ("delivered", 1, 204)


@on_one_engine
def test_the_package_refuses_what_is_tampered_with_or_old(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    desk.add_claim_moved_to("Paid")
    send(desk)
    first, second = receiver.taken
    secret = receiver.secrets[0]
    assert not is_genuine(secret, replace(first, body=first.body.replace(b"Accepted", b"Rejected")))
    assert not is_genuine(secret, replace(first, headers={**first.headers, "webhook-id": second.id}))
    assert not is_genuine(add(desk, receiver.url)["secret"], first)
    # A sender whose clock is ten minutes slow signs with an old time.
    desk.add_claim_moved_to("Accepted")
    send(desk, lambda: now() - timedelta(minutes=10))
    make_due(desk)
    send(desk, lambda: now() - timedelta(minutes=10))
    assert "who are you?" in {one["lastExcerpt"] for one in deliveries(desk)}


def test_a_secret_has_32_random_bytes_and_is_shown_once(desk: Desk, receiver: Receiver) -> None:
    added = [add(desk, receiver.url) for _ in range(2)]
    for one in added:
        prefix, _, encoded = one["secret"].partition("_")
        assert prefix == "whsec"
        assert len(base64.b64decode(encoded, validate=True)) == 32
    assert added[0]["secret"] != added[1]["secret"]
    everything = desk.get(WEBHOOKS).text + desk.get("/api/webhooks/deliveries").text
    everything += "".join(str(row) for row in desk.audit())
    for one in added:
        assert one["secret"].removeprefix("whsec_") not in everything


def test_after_a_rotation_both_secrets_sign_for_a_day(desk: Desk, receiver: Receiver) -> None:
    endpoint_id = listen(desk, receiver)
    old = receiver.secrets[0]
    rotated = desk.call("POST", f"{WEBHOOKS}/{endpoint_id}/secret").json()
    assert rotated["endpoint"]["previousSecretUntil"] is not None
    receiver.secrets.append(rotated["secret"])
    desk.add_claim_moved_to("Accepted")
    send(desk)
    (received,) = receiver.taken
    assert is_genuine(old, received)
    assert is_genuine(rotated["secret"], received)
    yesterday = {"previous_secret_until": now() - timedelta(seconds=1)}
    desk.change(update(webhook_endpoints).values(yesterday))
    desk.add_claim_moved_to("Accepted")
    send(desk)
    assert not is_genuine(old, receiver.taken[1])
    assert is_genuine(rotated["secret"], receiver.taken[1])


@on_one_engine
def test_another_new_secret_within_the_day_is_refused_unless_it_is_to_end_the_old_one(
    desk: Desk, receiver: Receiver
) -> None:
    """Two admins, or one who presses twice, must not end the secret that the receiver still uses."""
    path = f"{WEBHOOKS}/{listen(desk, receiver)}/secret"
    second = desk.call("POST", path).json()
    until = second["endpoint"]["previousSecretUntil"]
    refused = desk.call("POST", path, by="ravi")
    assert (refused.status_code, refused.json()["code"]) == (409, "previous_secret_signs")
    assert until in refused.json()["message"]
    desk.add_claim_moved_to("Accepted")
    send(desk)
    assert is_genuine(receiver.secrets[0], receiver.received[0])
    third = desk.call("POST", path, params={"endPrevious": "true"})
    assert third.status_code == 200
    receiver.secrets[:] = [second["secret"]]
    desk.add_claim_moved_to("Accepted")
    send(desk)
    assert is_genuine(third.json()["secret"], receiver.taken[1])
