"""Run by `test_adding_a_resource.py`, in a copy of the server that has complaints."""

from datetime import timedelta

from countinghouse.complaints.tables import complaints
from sqlalchemy import insert, update

from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.core.ids import new_id
from tests.desk import NEWEST, Desk
from tests.exports.downloads import download, read_csv

PATH = "/api/complaints/all"


def add(desk: Desk, subject: str, channel: str = "phone", minutes: int = 0) -> str:
    complaint_id = new_id()
    at = NEWEST + timedelta(minutes=minutes)
    desk.change(insert(complaints).values(id=complaint_id, created_at=at, subject=subject, channel=channel))
    return complaint_id


def subjects(desk: Desk, query: str = "") -> list[str]:
    return [row["subject"] for row in desk.get(f"{PATH}?{query}").json()]


def test_the_list_has_pages_filters_orders_and_a_search(desk: Desk) -> None:
    for minutes, (subject, channel) in enumerate((("Late payout", "phone"), ("Wrong name", "mail"), ("Late", "mail"))):
        add(desk, subject, channel, minutes)
    assert subjects(desk) == ["Late", "Wrong name", "Late payout"]
    assert subjects(desk, "channel=mail") == ["Late", "Wrong name"]
    assert subjects(desk, "q=late&limit=10") == ["Late", "Late payout"]
    assert subjects(desk, "q=%25") == []
    assert subjects(desk, "sort=subject&limit=2") == ["Late", "Late payout"]
    page = desk.get(f"{PATH}?limit=2")
    assert page.headers["x-total-count"] == "3"
    assert 'rel="next"' in page.headers["link"]
    totals = desk.get("/api/complaints/totals?channel=mail")
    assert totals.json() == {"count": 2, "isExact": True}
    assert desk.get(f"{PATH}?channel=fax").status_code == 422
    assert desk.get(f"{PATH}?limit=1", by=None).status_code == 401


def test_an_answer_is_stored_once_and_audited(desk: Desk) -> None:
    complaint_id = add(desk, "Late payout")
    path = f"/api/complaints/{complaint_id}/answer"
    assert desk.call("POST", path, by=None).status_code == 401
    assert desk.get(PATH).json()[0]["answeredAt"] is None
    assert desk.call("POST", path).status_code == 204
    assert desk.call("POST", path).status_code == 409
    assert desk.get(PATH).json()[0]["answeredAt"] is not None
    (logged,) = desk.audit("complaint.answered")
    assert (logged.actor, logged.subject_id) == ("asha", complaint_id)


def test_it_can_be_exported_and_its_screen_can_have_views(desk: Desk) -> None:
    add(desk, "Late payout")
    add(desk, "Wrong name", "mail", 1)
    rows = read_csv(download(desk, "complaints", channel="mail"))
    assert [row[1:] for row in rows] == [["Subject", "Channel"], ["Wrong name", "mail"]]
    view = {"screen": "complaints", "name": "By mail", "search": "channel=mail"}
    assert desk.call("POST", "/api/views", json=view).status_code == 201


def test_a_number_in_its_texts_is_masked_although_it_declares_nothing(desk: Desk) -> None:
    add(desk, "Please call 004512345678")
    assert subjects(desk) == ["Please call 004512345678"]
    desk.change(update(admins).where(admins.c.username == "asha").values(role=Role.VIEWER.value))
    assert subjects(desk) == subjects(desk, "limit=5") == ["Please call ••••5678"]
    assert read_csv(download(desk, "complaints"))[1][1] == "Please call ••••5678"
    assert subjects(desk, "q=please") == ["Please call ••••5678"]
