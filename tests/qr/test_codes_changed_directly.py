"""A code that somebody has changed in the database is not displayed or confirmed: the audit log says what it was."""

import pytest
from sqlalchemy import func, insert, select, update

from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.qr.tables import qr_codes, qr_displays
from tests.audit.sealed import disable_triggers
from tests.desk import Desk
from tests.pictures import code_for, qr_png
from tests.qr.test_new_payees import set_status

THIEF = "thief@okbank"


def refusal(desk: Desk, qr_id: str, by: str = "asha") -> str:
    refused = set_status(desk, qr_id, by=by)
    assert (refused.status_code, refused.json()["code"]) == (409, "qr_changed_directly"), refused.text
    assert desk.get("/api/qr", by=None).json() == []
    return str(refused.json()["message"])


@pytest.fixture
def stolen(desk: Desk) -> str:
    """A code that pays the thief, uploaded by asha, who has asked to display it."""
    qr_id = str(desk.upload(code_for(THIEF), upi_id=THIEF).json()["_id"])
    assert set_status(desk, qr_id, by="asha").status_code == 202
    return qr_id


def test_a_request_in_the_name_of_another_admin_is_not_approved(desk: Desk, stolen: str) -> None:
    desk.change(update(qr_codes).values(display_requested_by="ravi"))
    said = refusal(desk, stolen)
    assert "the audit log says requestedBy asha, and stored is requestedBy ravi" in said
    desk.change(update(qr_codes).values(display_requested_by="asha"))
    assert set_status(desk, stolen, by="ravi").status_code == 200


def test_a_request_that_replaces_another_code_is_not_approved(desk: Desk, stolen: str) -> None:
    other = desk.upload(qr_png()).json()["_id"]
    desk.change(update(qr_codes).where(qr_codes.c.id == stolen).values(display_replaces=other))
    assert "stored is replaces" in refusal(desk, stolen, by="ravi")


def test_a_display_that_never_was_makes_no_address_known(desk: Desk, stolen: str) -> None:
    display = {"id": new_id(), "name": "Desk 1", "shown_at": now(), "hidden_at": now()}
    desk.change(insert(qr_displays).values(display | {"qr_id": stolen}))
    assert "displays 0, and stored is displays 1" in refusal(desk, stolen)
    disable_triggers(desk, "qr_displays")
    desk.change(update(qr_displays).values(qr_id=desk.upload(code_for(THIEF), upi_id=THIEF).json()["_id"]))
    assert "displays 0, and stored is displays 1" in refusal(desk, stolen)


def test_a_code_that_was_cleared_directly_is_not_displayed(desk: Desk) -> None:
    other = desk.upload(code_for(THIEF)).json()["_id"]
    drawn = select(func.max(qr_codes.c.image_key)).scalar_subquery()
    assert desk.rows(select(drawn)) != [(None,)]
    desk.change(update(qr_codes).values(is_cleared=True))
    assert "isCleared False" in refusal(desk, other)


def test_who_uploaded_a_code_does_not_confirm_it_as_another(desk: Desk) -> None:
    other = desk.upload(code_for(THIEF)).json()["_id"]
    desk.change(update(qr_codes).values(uploaded_by="ravi"))
    refused = desk.call("POST", f"/api/qr/{other}/confirm", json={"reason": "Our second account."})
    assert (refused.status_code, refused.json()["code"]) == (409, "qr_changed_directly"), refused.text


def test_the_former_address_of_another_code_does_not_hide_a_picture(desk: Desk) -> None:
    ours = desk.upload(qr_png()).json()["_id"]
    assert desk.display(ours).status_code == 200
    thief = desk.upload(code_for(THIEF), upi_id=THIEF).json()["_id"]
    ((key,),) = desk.rows(select(qr_codes.c.image_key).where(qr_codes.c.id == ours))
    picture = desk.get(f"/qr-images/{key}.png", by=None).content
    disable_triggers(desk, "qr_codes")
    desk.change(update(qr_codes).where(qr_codes.c.id == thief).values(former_key=key))
    # PostgreSQL finds the row that was written last last.
    desk.change(update(qr_codes).where(qr_codes.c.id == ours).values(name=qr_codes.c.name))
    assert desk.get(f"/qr-images/{key}.png", by=None).content == picture
