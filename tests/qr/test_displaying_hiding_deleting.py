"""What customers see, what admins see, and what stays in the audit log."""

from collections.abc import Callable

import pytest
from sqlalchemy import select

from countinghouse.qr.tables import qr_codes, qr_images
from tests.desk import Desk
from tests.pictures import qr_png

pytestmark = pytest.mark.usefixtures("one_admin_displays")


def set_status(desk: Desk, qr_id: str, status: str, by: str | None = "asha") -> int:
    return desk.call("PATCH", f"/api/qr/status/{qr_id}", by=by, json={"status": status}).status_code


def test_customers_see_only_displayed_codes(desk: Desk) -> None:
    shown, hidden = desk.upload(qr_png(), name="Shown").json(), desk.upload(qr_png(), name="Hidden").json()
    assert desk.get("/api/qr", by=None).json() == []
    assert set_status(desk, shown["_id"], "display") == 200
    assert [code["_id"] for code in desk.get("/api/qr", by=None).json()] == [shown["_id"]]
    assert [code["_id"] for code in desk.get("/api/qr").json()] == [hidden["_id"], shown["_id"]]
    assert set_status(desk, shown["_id"], "hide") == 200
    assert desk.get("/api/qr", by=None).json() == []


def test_an_invalid_token_is_refused_and_not_treated_as_a_customer(desk: Desk) -> None:
    answer = desk.get("/api/qr", by="no such token")
    assert answer.status_code == 401
    assert answer.json()["code"] == "session_ended"


def test_each_change_is_audited_once_with_before_and_after(desk: Desk) -> None:
    code = desk.upload(qr_png()).json()
    for status in ("display", "display", "hide"):
        assert set_status(desk, code["_id"], status, by="ravi") == 200
    rows = desk.audit("qr.status_changed")
    assert [(row.actor, row.before["status"], row.after["status"]) for row in rows] == [
        ("ravi", "hide", "display"),
        ("ravi", "display", "hide"),
    ]
    assert rows[0].after["upiId"] == "desk1@okbank"


@pytest.mark.parametrize("status", ["Display", "hidden", "", None, 1])
def test_an_unknown_status_is_refused(desk: Desk, status: object) -> None:
    code = desk.upload(qr_png()).json()
    answer = desk.call("PATCH", f"/api/qr/status/{code['_id']}", json={"status": status})
    assert answer.status_code == 422
    assert answer.json()["fields"] == {"status": "status must be 'display' or 'hide'."}


def test_a_deleted_code_is_no_longer_listed_but_stays_on_record(desk: Desk) -> None:
    code = desk.upload(qr_png()).json()
    set_status(desk, code["_id"], "display")
    assert desk.call("DELETE", f"/api/qr/{code['_id']}").status_code == 200

    assert desk.get("/api/qr").json() == []
    assert desk.get("/api/qr", by=None).json() == []
    assert desk.get(code["qrImage"], by=None).status_code == 404
    (kept,) = desk.rows(select(qr_codes))
    assert (kept.name, kept.status) == ("Desk 1", "hide")
    assert kept.deleted_at is not None
    assert len(desk.rows(select(qr_images))) == 2
    (row,) = desk.audit("qr.deleted")
    assert row.before == {"name": "Desk 1", "upiId": "desk1@okbank", "status": "display"}


def test_a_deleted_code_can_be_neither_displayed_nor_deleted_again(desk: Desk) -> None:
    code = desk.upload(qr_png()).json()
    desk.call("DELETE", f"/api/qr/{code['_id']}")
    assert set_status(desk, code["_id"], "display") == 404
    assert desk.call("DELETE", f"/api/qr/{code['_id']}").status_code == 404
    assert len(desk.audit("qr.deleted")) == 1
    assert desk.audit("qr.status_changed") == []


@pytest.mark.parametrize("qr_id", ["0" * 24, "nonsense", "%00"])
def test_an_unknown_code_is_not_found(desk: Desk, qr_id: str) -> None:
    assert set_status(desk, qr_id, "display") == 404
    assert desk.call("DELETE", f"/api/qr/{qr_id}").status_code == 404


def test_an_unknown_picture_is_not_found(desk: Desk) -> None:
    for key in ("x", "%00", "A" * 43):
        assert desk.get(f"/qr-images/{key}.png", by=None).json()["code"] == "qr_image_not_found"


def test_image_urls_start_with_the_public_url(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(public_url="https://desk.example.in")
    code = desk.upload(qr_png()).json()
    assert code["qrImage"].startswith("https://desk.example.in/qr-images/")
