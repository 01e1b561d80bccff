"""A code with findings cannot be displayed until it has been confirmed."""

from collections.abc import Callable
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import insert, select, update

from countinghouse.admins.tables import admins
from countinghouse.qr.tables import qr_codes
from tests.desk import NEWEST, Desk
from tests.engines import on_one_engine
from tests.pictures import code_for, qr_png, side_by_side, without_a_code

REASON = "Our second account; the bank's letter is in the safe."

pytestmark = pytest.mark.usefixtures("one_admin_displays")


def display(desk: Desk, qr_id: str, by: str | None = "asha") -> Response:
    return desk.call("PATCH", f"/api/qr/status/{qr_id}", by=by, json={"status": "display"})


def confirm(desk: Desk, qr_id: str, by: str | None = "ravi", **more: Any) -> Response:
    return desk.call("POST", f"/api/qr/{qr_id}/confirm", by=by, json={"reason": REASON} | more)


def seen_by(desk: Desk, name: str) -> dict[str, Any]:
    (code,) = desk.get("/api/qr", by=name).json()
    return dict(code)


def leave_one_admin(desk: Desk) -> None:
    desk.change(update(admins).where(admins.c.username == "ravi").values(disabled_at=NEWEST))


@pytest.fixture
def swapped(desk: Desk) -> str:
    return str(desk.upload(code_for("other@okbank", "Acme Traders")).json()["_id"])


PICTURES: dict[str, tuple[Callable[[], bytes], list[str]]] = {
    "nothing to read": (without_a_code, ["unreadable"]),
    "two codes": (lambda: side_by_side(qr_png(), code_for("other@okbank")), ["several"]),
    "a web address": (lambda: qr_png("https://desk.example.in"), ["no_upi"]),
    "an address given twice": (lambda: qr_png("upi://pay?pa=desk1@okbank&pa=other@okbank"), ["no_upi"]),
    "another payee": (lambda: code_for("other@okbank"), ["other_payee"]),
    "a forged payee": (lambda: code_for("d\u0435sk1@okbank"), ["other_payee"]),
    "a fixed amount": (lambda: code_for("desk1@okbank", am="500"), ["fixed_amount"]),
    "both": (lambda: code_for("other@okbank", am="500"), ["other_payee", "fixed_amount"]),
}


@on_one_engine
@pytest.mark.parametrize("what", PICTURES)
def test_a_code_with_findings_is_stored_and_cannot_be_displayed(desk: Desk, what: str) -> None:
    draw, codes = PICTURES[what]
    code = desk.upload(draw()).json()
    assert [finding["code"] for finding in code["reading"]["findings"]] == codes
    assert (code["status"], code["canDisplay"], code["confirmed"]) == ("hide", False, None)
    for by in ("asha", "ravi"):
        refused = display(desk, code["_id"], by)
        assert (refused.status_code, refused.json()["code"]) == (409, "qr_not_confirmed")
        assert refused.json()["message"].startswith(seen_by(desk, by)["confirmNote"] + " ")
    assert desk.get("/api/qr", by=None).json() == []
    assert desk.audit("qr.status_changed") == []
    (row,) = desk.audit("qr.uploaded")
    assert row.after["findings"] == codes


@on_one_engine
def test_a_code_that_pays_the_typed_address_needs_no_confirmation(desk: Desk) -> None:
    code = desk.upload(code_for("DESK1@okbank", "Acme Traders")).json()
    assert code["reading"] == {
        "payee": "DESK1@okbank",
        "payeeName": "Acme Traders",
        "sentence": "This code pays DESK1@okbank, Acme Traders.",
        "findings": [],
    }
    assert (code["canDisplay"], code["confirmBy"], code["confirmNote"]) == (True, None, "")
    assert code["uploadedBy"] == "asha"
    assert display(desk, code["_id"]).status_code == 200
    refused = confirm(desk, code["_id"])
    assert (refused.status_code, refused.json()["code"]) == (409, "qr_already_confirmed")


def test_a_code_can_be_displayed_after_a_second_admin_confirms_it_with_a_reason(desk: Desk, swapped: str) -> None:
    note = "Needs a second admin's approval."
    assert (seen_by(desk, "ravi")["confirmBy"], seen_by(desk, "ravi")["confirmNote"]) == ("second", note)
    assert (seen_by(desk, "asha")["confirmBy"], seen_by(desk, "asha")["confirmNote"]) == (None, note)

    refused = confirm(desk, swapped, by="asha", payee="other@okbank")
    assert (refused.status_code, refused.json()["code"]) == (409, "second_admin_needed")
    assert desk.audit("qr.confirmed") == []

    answer = confirm(desk, swapped)
    assert answer.status_code == 200, answer.text
    code = answer.json()
    assert (code["canDisplay"], code["confirmBy"], code["confirmNote"]) == (True, None, "")
    assert (code["confirmed"]["by"], code["confirmed"]["reason"]) == ("ravi", REASON)
    (row,) = desk.audit("qr.confirmed")
    uploaded = desk.audit("qr.uploaded")[0].after
    assert (row.actor, row.subject_id) == ("ravi", swapped)
    assert row.after == {
        "name": "Desk 1",
        "upiId": "desk1@okbank",
        "imageSha256": uploaded["imageSha256"],
        "textSha256": uploaded["textSha256"],
        "reason": REASON,
        "payee": "other@okbank",
        "fixedAmount": None,
        "findings": ["other_payee"],
        "by": "second",
    }
    assert confirm(desk, swapped).json()["code"] == "qr_already_confirmed"
    assert display(desk, swapped).status_code == 200
    # Confirmed once, it may be hidden and displayed again.
    desk.call("PATCH", f"/api/qr/status/{swapped}", json={"status": "hide"})
    assert display(desk, swapped).status_code == 200


@on_one_engine
def test_the_only_admin_confirms_by_retyping_the_address_in_the_picture(desk: Desk, swapped: str) -> None:
    leave_one_admin(desk)
    assert seen_by(desk, "asha")["confirmBy"] == "retype"
    for wrong in (None, "", "desk1@okbank", "other@okbanc", "oth\u0435r@okbank"):
        refused = confirm(desk, swapped, by="asha", payee=wrong)
        assert (refused.status_code, list(refused.json()["fields"])) == (422, ["payee"]), wrong
    assert display(desk, swapped).status_code == 409
    assert confirm(desk, swapped, by="asha", payee="Other@OKbank").status_code == 200
    assert desk.audit("qr.confirmed")[0].after["by"] == "retype"


@on_one_engine
def test_without_an_address_in_the_picture_the_only_admin_retypes_the_typed_one(desk: Desk) -> None:
    qr_id = desk.upload(without_a_code()).json()["_id"]
    leave_one_admin(desk)
    assert confirm(desk, qr_id, by="asha", payee="other@okbank").status_code == 422
    assert confirm(desk, qr_id, by="asha", payee="desk1@okbank").status_code == 200


@on_one_engine
def test_an_address_with_forged_letters_can_be_confirmed_only_by_a_second_admin(desk: Desk) -> None:
    forged = "d\u0435sk1@okbank"
    qr_id = desk.upload(code_for(forged)).json()["_id"]
    leave_one_admin(desk)
    assert seen_by(desk, "asha")["confirmBy"] is None
    for typed in (forged, "desk1@okbank"):
        assert confirm(desk, qr_id, by="asha", payee=typed).status_code == 409
    desk.change(update(admins).values(disabled_at=None))
    assert confirm(desk, qr_id, by="ravi").status_code == 200


@on_one_engine
def test_a_code_uploaded_without_a_token_is_confirmed_by_an_admin_who_retypes_its_address(
    open_desk: Callable[..., Desk],
) -> None:
    desk = open_desk(peer="10.1.2.3", tokenless_networks="10.1.0.0/16", public_url="https://desk.test")
    code = desk.upload(code_for("other@okbank"), by=None).json()
    assert (code["uploadedBy"], code["confirmBy"]) == ("tokenless@10.1.2.3", None)
    assert confirm(desk, code["_id"], by=None, payee="other@okbank").status_code == 401
    assert display(desk, code["_id"], by=None).json()["code"] == "qr_not_confirmed"
    assert seen_by(desk, "ravi")["confirmBy"] == "retype"
    assert confirm(desk, code["_id"]).status_code == 422
    assert confirm(desk, code["_id"], payee="other@okbank").status_code == 200
    assert display(desk, code["_id"], by=None).status_code == 200


@on_one_engine
def test_without_a_token_the_list_has_only_the_fields_of_the_specification(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(peer="10.1.2.3", tokenless_networks="10.1.0.0/16", public_url="https://desk.test")
    desk.upload(code_for("other@okbank"))
    (listed,) = desk.get("/api/qr", by=None).json()
    assert set(listed) == {"_id", "createdAt", "name", "upiId", "qrImage", "status"}


@on_one_engine
@pytest.mark.parametrize("reason", ["", "ok", "x" * 501, " padded", None])
def test_a_confirmation_needs_a_valid_reason(desk: Desk, swapped: str, reason: str | None) -> None:
    answer = confirm(desk, swapped, reason=reason)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["reason"])
    assert desk.audit("qr.confirmed") == []


@on_one_engine
def test_a_deleted_or_unknown_code_cannot_be_confirmed(desk: Desk, swapped: str) -> None:
    desk.call("DELETE", f"/api/qr/{swapped}")
    for qr_id in (swapped, "0" * 24, "nonsense"):
        assert confirm(desk, qr_id).json()["code"] == "qr_not_found"


@on_one_engine
def test_the_only_admin_counts_as_second_for_the_upload_of_a_disabled_admin(desk: Desk) -> None:
    qr_id = desk.upload(code_for("other@okbank"), by="ravi").json()["_id"]
    leave_one_admin(desk)
    assert seen_by(desk, "asha")["confirmBy"] == "second"
    assert confirm(desk, qr_id, by="asha").status_code == 200


@on_one_engine
def test_an_unread_code_can_be_neither_displayed_nor_confirmed(desk: Desk, swapped: str) -> None:
    desk.change(update(qr_codes).values(findings=None, payee=None))
    assert seen_by(desk, "ravi")["reading"]["sentence"] == "Its picture has not been read yet."
    assert (
        seen_by(desk, "ravi")["confirmNote"]
        == "The server has not read this picture yet. Restart the server to have it read."
    )
    assert display(desk, swapped).json()["code"] == "qr_not_confirmed"
    assert confirm(desk, swapped).json()["code"] == "qr_not_read"


def test_an_admin_added_before_the_confirmation_counts(desk: Desk, swapped: str) -> None:
    leave_one_admin(desk)
    row = {"id": "7" * 24, "created_at": desk.rows(select(admins))[0].created_at, "username": "Meera"}
    desk.change(insert(admins).values(row | {"username_key": "meera", "password_hash": "none"}))
    refused = confirm(desk, swapped, by="asha", payee="other@okbank")
    assert refused.json()["code"] == "second_admin_needed"
