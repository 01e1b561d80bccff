"""An address that was never on display needs two admins: one requests the display, the other approves it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import insert, select, update

from countinghouse.admins.tables import admins
from countinghouse.audit.actions import COMMAND
from countinghouse.policy.actions import set_policy
from countinghouse.qr.tables import qr_codes, qr_displays
from tests.desk import NEWEST, Desk
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.pictures import code_for, qr_png

ROUNDS = 8


def set_status(desk: Desk, qr_id: str, status: str = "display", by: str | None = "asha") -> Response:
    return desk.call("PATCH", f"/api/qr/status/{qr_id}", by=by, json={"status": status})


def drop_request(desk: Desk, qr_id: str, by: str | None = "asha") -> Response:
    return desk.call("DELETE", f"/api/qr/{qr_id}/display-request", by=by)


def seen_by(desk: Desk, name: str) -> dict[str, Any]:
    return dict(desk.get("/api/qr", by=name).json()[0])


def enable(desk: Desk, name: str, is_enabled: bool) -> None:
    desk.change(update(admins).where(admins.c.username == name).values(disabled_at=None if is_enabled else NEWEST))


@pytest.fixture
def new_code(desk: Desk) -> str:
    return str(desk.upload(qr_png()).json()["_id"])


def test_one_admin_requests_and_another_displays_a_new_payee(desk: Desk, new_code: str) -> None:
    assert (seen_by(desk, "asha")["displayBy"], seen_by(desk, "asha")["displayRequest"]) == ("request", None)
    assert seen_by(desk, "asha")["displayNote"] == (
        "desk1@okbank was never on display before. Display asks a second admin to approve it."
    )
    asked = set_status(desk, new_code)
    assert (asked.status_code, asked.json()["status"], asked.json()["displayBy"]) == (202, "hide", "wait")
    assert "waits for a second admin" in asked.json()["displayNote"]
    assert desk.get("/api/qr", by=None).json() == []

    # A second request by the same admin changes nothing and adds no audit row.
    assert set_status(desk, new_code).json()["displayRequest"] == asked.json()["displayRequest"]
    (row,) = desk.audit("qr.display_requested")
    assert (row.actor, row.subject_id) == ("asha", new_code)
    assert row.after == {"name": "Desk 1", "upiId": "desk1@okbank", "payee": "desk1@okbank"}

    waiting = seen_by(desk, "ravi")
    assert (waiting["displayBy"], waiting["displayRequest"]["by"]) == ("approve", "asha")
    assert "asha asked" in waiting["displayNote"]
    shown = set_status(desk, new_code, by="ravi")
    assert (shown.status_code, shown.json()["status"], shown.json()["displayRequest"]) == (200, "display", None)
    assert (shown.json()["displayBy"], shown.json()["displayNote"]) == (None, "")
    (changed,) = desk.audit("qr.status_changed")
    assert (changed.actor, changed.after["requestedBy"], changed.after["status"]) == ("ravi", "asha", "display")
    assert [code["_id"] for code in desk.get("/api/qr", by=None).json()] == [new_code]
    events = desk.get("/api/qr/history").json()["events"]
    assert [event["sentence"] for event in events][:2] == [
        "ravi put Desk 1 (desk1@okbank) on display, as asha had asked.",
        "asha asked to display Desk 1 (desk1@okbank): desk1@okbank was never on display before.",
    ]


def test_one_admin_can_display_an_address_that_was_on_display_before(desk: Desk, new_code: str) -> None:
    assert desk.display(new_code).status_code == 200
    set_status(desk, new_code, "hide")
    assert seen_by(desk, "asha")["displayBy"] == "now"
    assert set_status(desk, new_code).status_code == 200
    # The same holds for another code with the same address, ignoring case, even after the first is deleted.
    assert desk.call("DELETE", f"/api/qr/{new_code}").status_code == 200
    again = desk.upload(code_for("DESK1@okbank"), upi_id="Desk1@OKbank").json()["_id"]
    assert set_status(desk, again).status_code == 200
    other = desk.upload(code_for("desk2@okbank"), upi_id="desk2@okbank").json()["_id"]
    assert set_status(desk, other).status_code == 202


@on_one_engine
def test_the_payee_counts_and_not_the_typed_address(desk: Desk, new_code: str) -> None:
    desk.display(new_code)
    swapped = desk.upload(code_for("other@okbank")).json()["_id"]
    confirmed = desk.call("POST", f"/api/qr/{swapped}/confirm", by="ravi", json={"reason": "Our second account."})
    assert confirmed.json()["displayBy"] == "request"
    # ravi confirmed it and now requests the display: asha still has to approve.
    assert set_status(desk, swapped, by="ravi").status_code == 202
    assert set_status(desk, swapped, by="ravi").status_code == 202
    assert set_status(desk, swapped, by="asha").status_code == 200


@on_one_engine
def test_the_only_admin_needs_no_second_admin(desk: Desk, new_code: str) -> None:
    enable(desk, "ravi", False)
    assert (seen_by(desk, "asha")["displayBy"], seen_by(desk, "asha")["displayNote"]) == ("now", "")
    assert set_status(desk, new_code).status_code == 200


@on_one_engine
def test_the_operator_can_switch_the_rule_off(desk: Desk, new_code: str) -> None:
    run(desk.database.write(lambda transaction: set_policy(transaction, COMMAND, "newPayeeNeedsSecondAdmin", "off")))
    assert set_status(desk, new_code).status_code == 200


def test_the_request_of_a_disabled_admin_no_longer_counts(desk: Desk, new_code: str) -> None:
    row = {"id": "7" * 24, "created_at": NEWEST, "username": "Meera", "username_key": "meera", "password_hash": "none"}
    desk.change(insert(admins).values(row))
    assert set_status(desk, new_code, by="ravi").status_code == 202
    enable(desk, "ravi", False)
    seen = seen_by(desk, "asha")
    assert (seen["displayBy"], seen["displayRequest"]) == ("request", None)
    assert set_status(desk, new_code).status_code == 202
    assert seen_by(desk, "asha")["displayRequest"]["by"] == "asha"
    enable(desk, "ravi", True)
    assert set_status(desk, new_code, by="ravi").status_code == 200


def test_a_request_can_be_withdrawn_by_its_admin_and_declined_by_another(desk: Desk, new_code: str) -> None:
    for by in ("asha", "ravi"):
        set_status(desk, new_code)
        answer = drop_request(desk, new_code, by)
        assert (answer.status_code, answer.json()["displayRequest"]) == (200, None)
        assert (answer.json()["status"], answer.json()["displayBy"]) == ("hide", "request")
        gone = drop_request(desk, new_code, by)
        assert (gone.status_code, gone.json()["code"]) == (409, "no_display_request")
    rows = desk.audit("qr.display_withdrawn")
    assert [(row.actor, row.after["requestedBy"]) for row in rows] == [("asha", "asha"), ("ravi", "asha")]
    sentences = [event["sentence"] for event in desk.get("/api/qr/history").json()["events"]]
    assert sentences[0] == "ravi declined asha's request to display Desk 1 (desk1@okbank)."
    assert sentences[2] == "asha withdrew the request to display Desk 1 (desk1@okbank)."
    for unknown in ("0" * 24, "nonsense"):
        assert drop_request(desk, unknown).status_code == 404
    assert drop_request(desk, new_code, by=None).status_code == 401


@on_one_engine
def test_hiding_and_deleting_cancel_a_request(desk: Desk, new_code: str) -> None:
    set_status(desk, new_code)
    assert set_status(desk, new_code, "hide").json()["displayRequest"] is None
    assert len(desk.audit("qr.display_withdrawn")) == 1
    set_status(desk, new_code)
    desk.call("DELETE", f"/api/qr/{new_code}", by="ravi")
    (kept,) = desk.rows(select(qr_codes))
    assert kept.display_requested_by is None
    assert desk.audit("qr.deleted")[0].before["requestedBy"] == "asha"
    assert drop_request(desk, new_code).status_code == 404


@on_one_engine
def test_a_peer_without_a_token_can_neither_request_nor_approve(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(peer="10.1.2.3", tokenless_networks="10.1.0.0/16", public_url="https://desk.test")
    code = desk.upload(qr_png(), by=None).json()
    assert code["displayBy"] is None
    assert "two admins have to display this code" in code["displayNote"]
    for _ in range(2):
        refused = set_status(desk, code["_id"], by=None)
        assert (refused.status_code, refused.json()["code"]) == (409, "second_admin_needed")
        assert set_status(desk, code["_id"], by="asha").status_code == 202
    assert set_status(desk, code["_id"], by="ravi").status_code == 200
    # An address that was on display before needs no approval.
    assert set_status(desk, code["_id"], "hide", by=None).status_code == 200
    assert set_status(desk, code["_id"], by=None).status_code == 200


@on_one_engine
def test_a_new_upi_id_next_to_a_known_payee_needs_a_second_admin_too(open_desk: Callable[..., Desk]) -> None:
    """Customers may copy the UPI ID shown as text instead of scanning the code."""
    desk = open_desk(peer="10.1.2.3", tokenless_networks="10.1.0.0/16", public_url="https://desk.test")
    desk.display(desk.upload(qr_png()).json()["_id"])
    code = desk.upload(qr_png(), upi_id="evil@okbank", by=None).json()
    confirmation = {"reason": "As told.", "payee": "desk1@okbank"}
    assert desk.call("POST", f"/api/qr/{code['_id']}/confirm", by="asha", json=confirmation).status_code == 200
    assert set_status(desk, code["_id"], by=None).status_code == 409
    assert set_status(desk, code["_id"], by="asha").status_code == 202
    assert {shown["upiId"] for shown in desk.get("/api/qr").json() if shown["status"] == "display"} == {"desk1@okbank"}


def test_concurrent_requests_of_one_admin_do_not_approve_each_other(desk: Desk) -> None:
    for number in range(ROUNDS):
        address = f"desk{number}@okbank"
        qr_id = desk.upload(code_for(address), upi_id=address).json()["_id"]
        together = Barrier(4)

        def press(qr_id: str = qr_id, together: Barrier = together) -> int:
            together.wait()
            return set_status(desk, qr_id).status_code

        with ThreadPoolExecutor(4) as pool:
            assert {pressed.result() for pressed in [pool.submit(press) for _ in range(4)]} == {202}
    assert len(desk.audit("qr.display_requested")) == ROUNDS
    assert desk.rows(select(qr_displays)) == []


def test_disabling_the_requesting_admin_during_an_approval_is_consistent(desk: Desk) -> None:
    """Whichever of the two transactions commits first, the other sees its result."""
    for turn in range(ROUNDS):
        address = f"round{turn}@okbank"
        new_code = desk.upload(code_for(address), upi_id=address).json()["_id"]
        assert set_status(desk, new_code, by="asha").status_code == 202
        together = Barrier(2)

        def disable(together: Barrier = together) -> None:
            together.wait()
            enable(desk, "asha", False)

        def approve(together: Barrier = together, new_code: str = new_code) -> int:
            together.wait()
            return set_status(desk, new_code, by="ravi").status_code

        with ThreadPoolExecutor(2) as pool:
            disabled, approved = pool.submit(disable), pool.submit(approve)
            disabled.result()
            # Once asha is disabled, ravi is the only admin and needs no request.
            assert approved.result() == 200
        enable(desk, "asha", True)
