"""Adding, changing and removing endpoints, the log, and sending again."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from countinghouse.core.times import iso, now
from countinghouse.webhooks.actions import MOST_ENDPOINTS
from countinghouse.webhooks.deliveries import KEPT_FOR, MOST_WAITING
from countinghouse.webhooks.events import EVENT_TYPES
from countinghouse.webhooks.queries import MOST_COUNTED
from countinghouse.webhooks.tables import webhook_deliveries, webhook_endpoints
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.webhooks.receiver import Answer, Receiver
from tests.webhooks.webhooks import DELIVERIES, WEBHOOKS, add, deliveries, endpoint, listen, make_due, send

URL = "https://shop.example.in/hooks"
NOBODY = "0" * 24


def test_an_endpoint_is_added_and_listed(desk: Desk) -> None:
    added = add(desk, URL, "qr.hidden", "claim.paid", "claim.paid")
    (shown,) = desk.get(WEBHOOKS).json()
    assert shown == added["endpoint"]
    assert shown["url"] == URL
    assert shown["events"] == ["claim.paid", "qr.hidden"]
    assert (shown["isEnabled"], shown["waiting"], shown["failingSince"]) == (True, 0, None)
    (row,) = desk.audit("webhook.added")
    assert (row.actor, row.subject_id) == ("asha", shown["_id"])
    assert row.after == {"url": URL, "events": ["claim.paid", "qr.hidden"]}


@on_one_engine
@pytest.mark.parametrize(
    "body",
    [
        {"url": URL},
        {"events": ["claim.paid"]},
        {"url": URL, "events": []},
        {"url": URL, "events": ["claim.lost"]},
        {"url": URL, "events": "claim.paid"},
        {"url": URL, "events": ["claim.paid"] * 51},
        {"url": URL, "events": ["claim.paid"], "secret": "whsec_mine"},
        {"url": 5, "events": ["claim.paid"]},
        {"url": None, "events": None},
    ],
)
def test_an_invalid_endpoint_is_refused(desk: Desk, body: dict[str, Any]) -> None:
    answer = desk.call("POST", WEBHOOKS, json=body)
    assert answer.status_code == 422
    assert answer.json()["message"].endswith(".")
    assert desk.get(WEBHOOKS).json() == []


@on_one_engine
def test_there_is_a_maximum_number_of_endpoints(desk: Desk) -> None:
    added = [add(desk, URL, "claim.paid") for _ in range(MOST_ENDPOINTS)]
    answer = desk.call("POST", WEBHOOKS, json={"url": URL, "events": ["claim.paid"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_webhooks")
    desk.call("DELETE", f"{WEBHOOKS}/{added[0]['endpoint']['_id']}")
    add(desk, URL)


def test_an_endpoint_can_be_changed_and_disabled(desk: Desk) -> None:
    endpoint_id = add(desk, URL, "claim.paid")["endpoint"]["_id"]
    path = f"{WEBHOOKS}/{endpoint_id}"
    changed = {"url": f"{URL}/2", "events": ["qr.hidden"], "isEnabled": False}
    for _ in range(2):
        answer = desk.call("PUT", path, by="ravi", json=changed)
        assert answer.status_code == 200, answer.text
        assert {name: answer.json()[name] for name in changed} == changed
        assert answer.json()["disabledWhy"] == "Disabled by ravi."
    # Repeating it changes nothing and is not logged.
    (row,) = desk.audit("webhook.changed")
    assert row.before == {"url": URL, "events": ["claim.paid"], "isEnabled": True}
    assert row.after == changed
    assert desk.call("POST", f"{path}/test").json()["code"] == "webhook_disabled"
    assert desk.call("POST", f"{path}/resend", json={"since": iso(now())}).json()["code"] == "webhook_disabled"
    for wrong in ({"url": URL, "events": ["qr.hidden"]}, changed | {"url": "http://10.0.0.8/"}, changed | {"x": 1}):
        assert desk.call("PUT", path, json=wrong).status_code == 422
    assert desk.call("PUT", path, json=changed | {"isEnabled": True}).json()["disabledAt"] is None


def test_a_change_of_what_somebody_else_has_changed_is_refused(desk: Desk) -> None:
    seen = {"url": URL, "events": ["claim.paid"], "isEnabled": True}
    path = f"{WEBHOOKS}/{add(desk, URL, 'claim.paid')['endpoint']['_id']}"
    other = {"url": f"{URL}/2", "events": ["qr.hidden"], "isEnabled": False}
    assert desk.call("PUT", path, by="ravi", json=other | {"before": seen}).status_code == 200
    late = seen | {"events": ["claim.paid", "claim.accepted"], "before": seen}
    refused = desk.call("PUT", path, json=late)
    assert (refused.status_code, refused.json()["code"]) == (409, "webhook_changed")
    (shown,) = desk.get(WEBHOOKS).json()
    assert {name: shown[name] for name in other} == other
    assert len(desk.audit("webhook.changed")) == 1
    assert desk.call("PUT", path, json=late | {"before": other}).status_code == 200


def test_a_removed_endpoint_gets_nothing_more_but_its_log_is_kept(desk: Desk, receiver: Receiver) -> None:
    endpoint_id = listen(desk, receiver)
    receiver.answer = lambda _: Answer(500)
    desk.add_claim_moved_to("Paid")
    send(desk)
    assert desk.call("DELETE", f"{WEBHOOKS}/{endpoint_id}").status_code == 204
    assert desk.get(WEBHOOKS).json() == []
    make_due(desk)
    desk.add_claim_moved_to("Paid")
    send(desk)
    assert len(receiver.received) == 1
    assert [(one["state"], one["lastError"]) for one in deliveries(desk)] == [
        ("failed", "The webhook was removed."),
    ] * 2
    (row,) = desk.audit("webhook.removed")
    assert row.before["url"] == receiver.url
    assert desk.rows(select(webhook_endpoints))[0].removed_at is not None
    for method, path in (
        ("PUT", f"/{endpoint_id}"),
        ("DELETE", f"/{endpoint_id}"),
        ("POST", f"/{endpoint_id}/secret"),
        ("POST", f"/{endpoint_id}/test"),
        ("POST", f"/{endpoint_id}/resend"),
        ("POST", f"/deliveries/{deliveries(desk)[0]['_id']}/resend"),
    ):
        body = {"url": URL, "events": ["claim.paid"], "isEnabled": True} if method == "PUT" else None
        body = {"since": iso(now())} if path.endswith(f"{endpoint_id}/resend") else body
        assert desk.call(method, WEBHOOKS + path, json=body).status_code == 404, path


@on_one_engine
def test_what_does_not_exist_is_not_found(desk: Desk) -> None:
    for unknown in (NOBODY, "x"):
        assert desk.call("DELETE", f"{WEBHOOKS}/{unknown}").status_code == 404
        assert desk.call("POST", f"{DELIVERIES}/{unknown}/resend").status_code == 404


def test_a_test_event_is_sent(desk: Desk, receiver: Receiver) -> None:
    endpoint_id = listen(desk, receiver, "claim.paid")
    answer = desk.call("POST", f"{WEBHOOKS}/{endpoint_id}/test")
    assert (answer.status_code, answer.json()["state"]) == (202, "waiting")
    send(desk)
    (received,) = receiver.taken
    assert (received.type, received.message["data"]) == ("webhook.test", {"endpoint": endpoint_id})
    assert desk.audit("webhook.tested")[0].subject_id == endpoint_id


def test_an_endpoint_shows_its_last_delivery_and_a_disabled_one_is_not_failing(desk: Desk, receiver: Receiver) -> None:
    endpoint_id = listen(desk, receiver, "claim.paid")
    add(desk, URL)
    path = f"{WEBHOOKS}/{endpoint_id}"
    assert endpoint(desk, endpoint_id)["lastDelivery"] is None
    desk.call("POST", f"{path}/test")
    assert endpoint(desk, endpoint_id)["lastDelivery"]["state"] == "waiting"
    send(desk)
    desk.call("POST", f"{path}/test")
    receiver.answer = lambda _: Answer(503)
    send(desk)
    (newest, _) = deliveries(desk)
    last = {"at": newest["lastAttemptAt"], "type": "webhook.test", "state": "waiting", "status": 503}
    assert endpoint(desk, endpoint_id)["lastDelivery"] == last
    assert endpoint(desk, endpoint_id)["failingSince"] is not None
    disabled = desk.call("PUT", path, json={"url": receiver.url, "events": ["claim.paid"], "isEnabled": False}).json()
    assert (disabled["failingSince"], disabled["lastDelivery"]) == (None, last)


def test_the_log_has_pages_and_filters(desk: Desk, receiver: Receiver) -> None:
    first, second = listen(desk, receiver), add(desk, receiver.url, "claim.paid")["endpoint"]["_id"]
    receiver.secrets.clear()
    for _ in range(3):
        desk.add_claim_moved_to("Paid")
    send(desk)
    assert len(deliveries(desk)) == 9
    assert len(deliveries(desk, endpoint=first)) == 6
    assert {one["endpoint"] for one in deliveries(desk, endpoint=second)} == {second}
    assert deliveries(desk, state="failed") == []
    assert len(deliveries(desk, q="claim.paid")) == 6
    page = desk.get(DELIVERIES, params={"limit": "4"})
    walked = page.json()
    while "next" in page.links:
        page = desk.get(page.links["next"]["url"])
        walked += page.json()
    assert walked == deliveries(desk)
    for wrong in ({"state": "lost"}, {"endpoint": "x" * 30}, {"limit": "0"}, {"cursor": "x", "limit": "1"}):
        assert desk.get(DELIVERIES, params=wrong).status_code == 422


def test_one_delivery_can_be_sent_again(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    desk.add_claim_moved_to("Paid")
    send(desk)
    accepted = deliveries(desk)[-1] if deliveries(desk)[-1]["type"] == "claim.accepted" else deliveries(desk)[0]
    answer = desk.call("POST", f"{DELIVERIES}/{accepted['_id']}/resend", by="ravi")
    assert (answer.status_code, answer.json()["state"], answer.json()["attempts"]) == (202, "waiting", 0)
    send(desk)
    assert receiver.types() == ["claim.accepted", "claim.paid", "claim.accepted"]
    assert receiver.received[0].id == receiver.received[2].id
    (row,) = desk.audit("webhook.resent")
    assert (row.actor, row.after["delivery"]) == ("ravi", accepted["_id"])


def test_a_waiting_delivery_can_be_sent_at_once(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    receiver.answer = lambda _: Answer(500)
    desk.add_claim_moved_to("Accepted")
    send(desk)
    receiver.answer = lambda _: Answer()
    desk.call("POST", f"{DELIVERIES}/{deliveries(desk)[0]['_id']}/resend")
    send(desk)
    assert deliveries(desk)[0]["state"] == "delivered"


def test_everything_since_a_time_can_be_sent_again_in_order(desk: Desk, receiver: Receiver) -> None:
    endpoint_id = listen(desk, receiver)
    claim_id = desk.add_claim_moved_to("Paid")
    send(desk)
    desk.change(update(webhook_deliveries).values(created_at=now() - timedelta(days=2)))
    for status in ("Returned", "Accepted", "Paid"):
        desk.move(claim_id, status, reason="Why.", by="ravi" if status == "Accepted" else "asha")
    # A failure in the middle, after which the last two wait.
    receiver.answer = lambda _: Answer(500)
    send(desk)
    receiver.answer = lambda _: Answer()
    receiver.received.clear()
    answer = desk.call("POST", f"{WEBHOOKS}/{endpoint_id}/resend", json={"since": iso(now() - timedelta(days=1))})
    assert answer.json() == {"resent": 3}
    send(desk)
    assert receiver.types() == ["claim.returned", "claim.accepted", "claim.paid"]
    receiver.received.clear()
    answer = desk.call("POST", f"{WEBHOOKS}/{endpoint_id}/resend", json={"since": iso(now() - timedelta(days=9))})
    assert answer.json() == {"resent": 5}
    send(desk)
    assert [one.message["data"]["version"] for one in receiver.received] == [1, 2, 3, 4, 5]
    assert desk.audit("webhook.resent")[-1].after["deliveries"] == 5


@on_one_engine
@pytest.mark.parametrize("body", [{}, {"since": "yesterday"}, {"since": 5}, {"since": "2026-11-15T00:00:00"}])
def test_an_invalid_time_to_resend_from_is_refused(desk: Desk, receiver: Receiver, body: dict[str, Any]) -> None:
    endpoint_id = listen(desk, receiver)
    assert desk.call("POST", f"{WEBHOOKS}/{endpoint_id}/resend", json=body).status_code == 422


def test_old_entries_of_the_log_are_deleted_but_nothing_that_waits(desk: Desk, receiver: Receiver) -> None:
    endpoint_id = listen(desk, receiver)
    desk.add_claim_moved_to("Accepted")
    send(desk)
    receiver.answer = lambda _: Answer(500)
    desk.add_claim_moved_to("Accepted")
    send(desk)
    desk.change(update(webhook_deliveries).values(created_at=now() - KEPT_FOR - timedelta(hours=1)))
    send(desk)
    assert [one["state"] for one in deliveries(desk)] == ["waiting"]
    assert endpoint(desk, endpoint_id)["waiting"] == 1


@on_one_engine
def test_an_endpoint_with_too_many_waiting_deliveries_is_disabled(desk: Desk, receiver: Receiver) -> None:
    endpoint_id = listen(desk, receiver)
    desk.call("POST", f"{WEBHOOKS}/{endpoint_id}/test")
    receiver.answer = lambda _: Answer(500)
    send(desk)
    (waiting,) = desk.rows(select(webhook_deliveries))
    row = dict(waiting._mapping)
    rows = [row | {"id": f"{place:024x}", "event_id": f"msg_{place}"} for place in range(MOST_WAITING)]
    with desk.database.writing() as connection:
        connection.execute(insert(webhook_deliveries), rows)
    assert endpoint(desk, endpoint_id)["waiting"] == MOST_COUNTED
    answer = desk.call("POST", f"{WEBHOOKS}/{endpoint_id}/resend", json={"since": iso(now() - timedelta(days=1))})
    assert answer.status_code == 422
    assert answer.json()["message"] == "More than 10,000 deliveries match. Choose a later time."
    send(desk)
    shown = endpoint(desk, endpoint_id)
    assert (shown["isEnabled"], shown["disabledWhy"]) == (False, "More than 100,000 deliveries are waiting.")
    assert desk.audit("webhook.disabled")[0].actor == "webhooks"


def test_a_change_of_the_url_applies_to_what_is_waiting(desk: Desk, receiver: Receiver) -> None:
    with Receiver() as old:
        old.answer = lambda _: Answer(500)
        endpoint_id = listen(desk, old)
        desk.add_claim_moved_to("Accepted")
        send(desk)
    body = {"url": receiver.url, "events": list(EVENT_TYPES), "isEnabled": True}
    assert desk.call("PUT", f"{WEBHOOKS}/{endpoint_id}", json=body).status_code == 200
    make_due(desk)
    send(desk)
    assert receiver.types() == ["claim.accepted"]


def test_a_server_with_no_endpoint_does_nothing(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    desk.add_claim_moved_to("Paid")
    send(desk)
    assert desk.rows(select(webhook_deliveries)) == []
