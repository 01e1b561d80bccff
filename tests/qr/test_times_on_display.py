"""Each display period has a start and an end, and the database itself refuses to display uncleared codes."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.qr.tables import qr_codes, qr_displays, qr_images
from tests.desk import NEWEST, Desk
from tests.pictures import code_for, qr_png

ROUNDS = 10

pytestmark = pytest.mark.usefixtures("one_admin_displays")


def set_status(desk: Desk, qr_id: str, status: str, by: str = "asha") -> int:
    return desk.call("PATCH", f"/api/qr/status/{qr_id}", by=by, json={"status": status}).status_code


def times(desk: Desk) -> list[tuple[bool, bool]]:
    """For each display period, whether it has a start and an end."""
    rows = desk.rows(select(qr_displays).order_by(qr_displays.c.id))
    return [(row.shown_at is not None, row.hidden_at is not None) for row in rows]


def test_displaying_starts_a_display_period_and_hiding_or_deleting_ends_it(desk: Desk) -> None:
    qr_id = desk.upload(qr_png(), name="Desk 1").json()["_id"]
    assert times(desk) == []
    for status in ("display", "display", "hide", "hide", "display"):
        assert set_status(desk, qr_id, status) == 200
    assert times(desk) == [(True, True), (True, False)]
    changes = desk.audit("qr.status_changed")
    displays = desk.rows(select(qr_displays).order_by(qr_displays.c.id))
    assert [row.name for row in displays] == ["Desk 1", "Desk 1"]
    assert displays[0].shown_at <= changes[0].at <= displays[0].hidden_at <= changes[1].at
    assert desk.call("DELETE", f"/api/qr/{qr_id}").status_code == 200
    assert times(desk) == [(True, True), (True, True)]
    deleted_at = desk.rows(select(qr_codes.c.deleted_at))[0].deleted_at
    assert desk.rows(select(qr_displays).order_by(qr_displays.c.id))[1].hidden_at == deleted_at


@pytest.mark.parametrize(("method", "path"), [("PATCH", "/api/qr/status/"), ("DELETE", "/api/qr/")])
def test_a_code_can_be_taken_off_display_after_the_clock_was_set_back(desk: Desk, method: str, path: str) -> None:
    qr_id = desk.upload(qr_png()).json()["_id"]
    set_status(desk, qr_id, "display")
    ahead = now() + timedelta(hours=1)
    desk.let_history_be_altered("qr_displays")
    desk.change(update(qr_displays).values(shown_at=ahead))
    body = {"status": "hide"} if method == "PATCH" else None
    assert desk.call(method, path + qr_id, json=body).status_code == 200
    assert desk.get("/api/qr", by=None).json() == []
    (shown,) = desk.rows(select(qr_displays))
    assert (shown.shown_at, shown.hidden_at) == (ahead, ahead)


def test_deleting_a_hidden_code_does_not_change_its_ended_display_period(desk: Desk) -> None:
    qr_id = desk.upload(qr_png()).json()["_id"]
    set_status(desk, qr_id, "display")
    set_status(desk, qr_id, "hide")
    (before,) = desk.rows(select(qr_displays))
    desk.call("DELETE", f"/api/qr/{qr_id}")
    assert desk.rows(select(qr_displays)) == [before]


def test_the_database_refuses_to_display_an_uncleared_code(desk: Desk) -> None:
    qr_id = desk.upload(code_for("other@okbank")).json()["_id"]
    with pytest.raises(DBAPIError, match="display_is_cleared"):
        desk.change(update(qr_codes).where(qr_codes.c.id == qr_id).values(status="display"))
    assert desk.get("/api/qr", by=None).json() == []


def test_the_database_refuses_to_change_a_picture_or_its_address(desk: Desk) -> None:
    desk.upload(qr_png())
    for statement in (
        update(qr_images).values(content=b"another"),
        delete(qr_images),
        update(qr_codes).values(upi_id="other@okbank"),
        update(qr_codes).values(image_key="k" * 43),
        update(qr_codes).values(image_key=None),
        update(qr_codes).values(upload_key="k" * 43),
        update(qr_codes).values(payload="upi://pay?pa=other@okbank"),
        update(qr_codes).values(former_key="k" * 43),
    ):
        with pytest.raises(DBAPIError, match="never altered"):
            desk.change(statement)
    desk.change(update(qr_codes).values(name="Another name"))


def test_the_database_refuses_a_second_open_display_period(desk: Desk) -> None:
    qr_id = desk.upload(qr_png()).json()["_id"]
    set_status(desk, qr_id, "display")
    row = {"id": new_id(), "qr_id": qr_id, "name": "Desk 1", "shown_at": NEWEST}
    with pytest.raises(DBAPIError):
        desk.change(insert(qr_displays).values(row))


def test_concurrent_confirmations_and_displays_take_effect_once(desk: Desk) -> None:
    """One admin confirms while the other displays: the code is never displayed unconfirmed, and is confirmed once."""
    for _ in range(ROUNDS):
        qr_id = desk.upload(code_for("other@okbank")).json()["_id"]
        together = Barrier(4, timeout=60)

        def confirm(qr_id: str = qr_id, together: Barrier = together) -> int:
            together.wait()
            body = {"reason": "Our second account."}
            return desk.call("POST", f"/api/qr/{qr_id}/confirm", by="ravi", json=body).status_code

        def display(qr_id: str = qr_id, together: Barrier = together) -> int:
            together.wait()
            return set_status(desk, qr_id, "display")

        with ThreadPoolExecutor(4) as pool:
            confirmed = [pool.submit(confirm) for _ in range(2)]
            displayed = [pool.submit(display) for _ in range(2)]
            assert Counter(one.result() for one in confirmed) == {200: 1, 409: 1}
            assert {one.result() for one in displayed} <= {200, 409}
    confirmations = {row.subject_id: row.seq for row in desk.audit("qr.confirmed")}
    assert len(confirmations) == len(desk.audit("qr.confirmed")) == ROUNDS
    changes = desk.audit("qr.status_changed")
    assert all(row.seq > confirmations[row.subject_id] for row in changes)
    shown = {row.id for row in desk.rows(select(qr_codes).where(qr_codes.c.status == "display"))}
    assert shown == {row.subject_id for row in changes} == {row.qr_id for row in desk.rows(select(qr_displays))}
    assert len(changes) == len(shown)
