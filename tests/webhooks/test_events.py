"""Which changes are sent, and what a message contains."""

import json
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from countinghouse.audit.checkpoints import read_checkpoint
from countinghouse.audit.sealer import Sealer
from countinghouse.claims.tables import claims
from countinghouse.core.ids import new_id
from countinghouse.purchases.tables import purchases
from countinghouse.webhooks.dispatching import announce_checkpoint
from countinghouse.webhooks.tables import webhook_outbox
from tests.audit.sealed import checkpoints_in
from tests.batches import batches
from tests.desk import NEWEST, Desk
from tests.event_loop import run
from tests.pictures import qr_png
from tests.purchases.purchases import buy, check
from tests.webhooks.receiver import Receiver
from tests.webhooks.webhooks import add, deliveries, listen, send, states

REASON = {"reason": "Because."}


def test_every_move_of_a_claim_is_sent_in_order(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    claim_id = desk.add_claim()
    road = ("Accepted", "Pending", "On hold", "Pending", "Accepted", "Paid", "Returned", "Rejected")
    for status in road:
        assert desk.move(claim_id, status, **REASON).status_code == 200
    send(desk)
    assert receiver.types() == [
        "claim.accepted",
        "claim.released",
        "claim.held",
        "claim.released",
        "claim.accepted",
        "claim.paid",
        "claim.returned",
        "claim.rejected",
    ]
    assert [one.message["data"]["status"] for one in receiver.received] == list(road)
    assert [one.message["data"]["version"] for one in receiver.received] == list(range(1, 9))


def test_a_message_has_ids_status_and_amount_but_no_personal_data(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    claim_id = desk.add_claim()
    desk.move(claim_id, "Accepted")
    desk.move(claim_id, "Paid", reference="N319260012345678")
    send(desk)
    claim = desk.rows(select(claims))[0]
    moved = desk.audit("claim.moved")
    message = receiver.received[1].message
    assert message == {
        "type": "claim.paid",
        "timestamp": moved[1].at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "data": {
            "_id": claim_id,
            "number": "C-10001",
            "amount": 1937.5,
            "user": claim.user_id,
            "purchase": claim.purchase_id,
            "status": "Paid",
            "version": 2,
        },
    }
    for secret in ("004512345678", "HDFC0001234", "MG Road", "Ananya", "0980575609", "N319260012345678", "asha"):
        assert secret not in receiver.received[1].body.decode()


def test_a_qr_code_that_goes_on_or_off_display_is_sent(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    first, second = (desk.upload(qr_png(), name=name).json()["_id"] for name in ("Desk 1", "Desk 2"))
    for qr_id in (first, second):
        assert desk.display(qr_id).status_code == 200
    desk.call("PATCH", f"/api/qr/status/{first}", json={"status": "hide"})
    # Hidden already, so its deletion changes nothing for customers.
    desk.call("DELETE", f"/api/qr/{first}")
    desk.call("DELETE", f"/api/qr/{second}")
    send(desk)
    sent = {qr_id: [one.message for one in receiver.received if one.subject == qr_id] for qr_id in (first, second)}
    for qr_id, messages in sent.items():
        assert [message["type"] for message in messages] == ["qr.displayed", "qr.hidden"]
        assert [message["data"] for message in messages] == [
            {"_id": qr_id, "status": "display"},
            {"_id": qr_id, "status": "hide"},
        ]
    assert len(receiver.received) == 4


def test_a_purchase_with_a_new_finding_is_sent_once(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    first = buy(desk, "631902345678", client="Om Rao")
    send(desk)
    assert receiver.received == []
    second = buy(desk, "631902345678")
    send(desk)
    # Both are flagged: each has the transaction ID of the other.
    assert sorted(one.subject for one in receiver.received) == sorted((first, second))
    data = receiver.received[0].message["data"]
    assert (data["findings"], data["amount"]) == (["repeated"], 5000)
    assert "Rao" not in receiver.received[0].body.decode()
    # Checked again, nothing new; a third purchase flags itself, and only changes the sentence of the other two.
    check(desk, every=True)
    third = buy(desk, "631902345678")
    send(desk)
    assert [one.subject for one in receiver.received[2:]] == [third]


def test_settled_findings_are_sent_once(desk: Desk, receiver: Receiver) -> None:
    first, _second = buy(desk, "631902345678", client="Om Rao"), buy(desk, "631902345678")
    listen(desk, receiver)
    path, body = f"/api/purchases/{first}/checked", {"note": "Two payments.", "findings": ["repeated"]}
    for by, status in (("asha", 200), ("asha", 200), ("ravi", 409)):
        assert desk.call("PUT", path, by=by, json=body).status_code == status
    # Reopening it is no event.
    assert desk.call("DELETE", path).status_code == 200
    send(desk)
    (sent,) = receiver.received
    assert (sent.message["type"], sent.subject) == ("purchase.confirmed", first)
    assert set(sent.message["data"]) == {"_id", "number", "amount", "user", "findings"}
    assert (sent.message["data"]["findings"], sent.message["data"]["amount"]) == (["repeated"], 5000)
    for secret in ("Two payments", "Rao", "asha"):
        assert secret not in sent.body.decode()


def test_a_purchase_inserted_directly_is_sent_when_it_is_checked(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    for _ in range(2):
        desk.add_purchase()
    send(desk)
    assert receiver.received == []
    check(desk)
    send(desk)
    assert receiver.types() == ["purchase.flagged"] * 2
    # Another program may insert findings as well.
    (row,) = desk.rows(select(purchases).limit(1))
    found = '[{"code":"near","sentence":"It is nearly the same."}]'
    new = {**row._mapping, "id": new_id(), "findings": found, "created_at": NEWEST}
    del new["number"]
    desk.change(insert(purchases).values(new))
    send(desk)
    assert receiver.received[2].message["data"]["findings"] == ["near"]


def test_an_unreadable_row_does_not_hold_up_the_others(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    _, purchase_id = desk.add_purchase()
    desk.change(text(f"UPDATE purchases SET findings = 'not JSON' WHERE id = '{purchase_id}'"))
    desk.add_claim_moved_to("Accepted")
    send(desk)
    assert receiver.types() == ["claim.accepted"]
    assert desk.rows(select(webhook_outbox)) == []


def test_a_refused_move_sends_nothing(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    claim_id = desk.add_claim()
    assert desk.move(claim_id, "Paid").status_code == 409
    assert desk.move(claim_id, "Accepted").status_code == 200
    # Repeating one's own move changes nothing.
    assert desk.move(claim_id, "Accepted").status_code == 200
    send(desk)
    assert receiver.types() == ["claim.accepted"]


def test_without_an_active_endpoint_nothing_is_stored(desk: Desk, receiver: Receiver) -> None:
    desk.add_claim_moved_to("Accepted")
    assert desk.rows(select(webhook_outbox)) == []
    endpoint_id = listen(desk, receiver)
    body = {"url": receiver.url, "events": ["claim.paid"], "isEnabled": False}
    assert desk.call("PUT", f"/api/webhooks/{endpoint_id}", json=body).status_code == 200
    desk.add_claim_moved_to("Accepted")
    assert desk.rows(select(webhook_outbox)) == []
    desk.call("DELETE", f"/api/webhooks/{endpoint_id}")
    desk.add_claim_moved_to("Accepted")
    assert desk.rows(select(webhook_outbox)) == []


def test_each_endpoint_gets_the_events_it_asked_for(desk: Desk, receiver: Receiver) -> None:
    with Receiver() as other:
        listen(desk, receiver, "claim.paid")
        listen(desk, other, "claim.accepted", "claim.paid")
        desk.add_claim_moved_to("Paid")
        send(desk)
        assert receiver.types() == ["claim.paid"]
        assert other.types() == ["claim.accepted", "claim.paid"]
        # One event has the same id everywhere.
        assert receiver.received[0].id == other.received[1].id
    assert states(desk) == ["delivered"] * 3


def test_the_outbox_is_written_in_the_transaction_of_the_change(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    claim_id = desk.add_claim()

    class Undone(Exception): ...

    def change_and_undo() -> None:
        with desk.database.writing() as connection:
            connection.execute(
                text(
                    "INSERT INTO audit_log (at, actor, verb, subject_id, after) "
                    "VALUES (:at, 'asha', 'claim.moved', :id, :after)"
                ),
                {"at": "2026-11-15T02:52:36.120000Z", "id": claim_id, "after": json.dumps({"status": "Paid"})},
            )
            assert len(connection.execute(select(webhook_outbox.c.id)).all()) == 1
            raise Undone

    with pytest.raises(Undone):
        change_and_undo()
    send(desk)
    assert receiver.received == []


def test_many_changes_are_all_sent(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    claim_ids = [desk.add_claim() for _ in range(30)]
    for status in ("Accepted", "Paid"):
        for claim_id in claim_ids:
            assert desk.move(claim_id, status).status_code == 200
    send(desk)
    for claim_id in claim_ids:
        assert [one.type for one in receiver.received if one.subject == claim_id] == ["claim.accepted", "claim.paid"]
    assert len(deliveries(desk, state="delivered")) == 60


def test_the_moves_of_a_batch_are_sent(desk: Desk, receiver: Receiver) -> None:
    listen(desk, receiver)
    claim_ids = batches.add_claims(desk, 12)
    sheet = batches.plan(desk, status="Accepted", claims=batches.seen(desk, claim_ids))
    assert batches.run(desk, sheet).status_code == 200
    send(desk)
    assert sorted(one.subject for one in receiver.taken) == claim_ids
    assert set(receiver.types()) == {"claim.accepted"}


def test_an_endpoint_gets_only_what_happens_after_it_was_added(desk: Desk, receiver: Receiver) -> None:
    desk.add_claim_moved_to("Accepted")
    add(desk, receiver.url)
    desk.add_claim_moved_to("Paid")
    send(desk)
    assert receiver.types() == ["claim.accepted", "claim.paid"]


def test_a_checkpoint_of_the_audit_log_is_sent_with_its_signature(
    desk: Desk, receiver: Receiver, tmp_path: Path
) -> None:
    checkpoints = checkpoints_in(tmp_path)

    def make_checkpoint() -> None:
        async def work() -> None:
            sealer = Sealer(desk.app_database, checkpoints, partial(announce_checkpoint, desk.app_database))
            await sealer.step()
            await sealer.checkpoint()

        run(work())

    make_checkpoint()
    # Nobody wanted the first.
    assert desk.rows(select(webhook_outbox)) == []
    listen(desk, receiver, "audit.checkpoint")
    make_checkpoint()
    send(desk)
    assert receiver.types() == ["audit.checkpoint"]
    data = receiver.received[0].message["data"]
    assert data.pop("_id") == str(data["count"])
    sent = read_checkpoint(data)
    assert sent is not None
    assert sent.is_signed_by(str(checkpoints.find_public_key()))
    assert [one for _, one in checkpoints.read()][-1] == sent
