"""Each admin keeps named views of each screen, and sees only their own."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import insert

from countinghouse.admins.tables import admins
from countinghouse.core.db import Transaction
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.views import actions
from countinghouse.views.queries import View, list_views
from countinghouse.views.tables import saved_views
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.engines import on_one_engine

SEARCH = "status=Pending&minAmount=50000&q=%E0%A4%85&sort=-amount"


def save(desk: Desk, name: str = "Large", search: str = SEARCH, screen: str = "claims", by: str = "asha") -> Response:
    return desk.call("POST", "/api/views", by=by, json={"screen": screen, "name": name, "search": search})


def saved(desk: Desk, **more: Any) -> dict[str, str]:
    answer = save(desk, **more)
    assert answer.status_code == 201, answer.text
    view: dict[str, str] = answer.json()
    return view


def views(desk: Desk, screen: str = "claims", by: str = "asha") -> list[dict[str, str]]:
    listed: list[dict[str, str]] = desk.get(f"/api/views?screen={screen}", by=by).json()
    return listed


def change(desk: Desk, view_id: str, by: str = "asha", **body: str) -> Response:
    return desk.call("PUT", f"/api/views/{view_id}", by=by, json={"name": "Large", "search": SEARCH} | body)


def test_a_saved_view_is_in_the_list_of_its_screen(desk: Desk) -> None:
    view = saved(desk)
    assert view == {"_id": view["_id"], "screen": "claims", "name": "Large", "search": SEARCH}
    assert views(desk) == [view]
    assert views(desk, "users") == []


def test_views_are_sorted_by_name_ignoring_case(desk: Desk) -> None:
    for name in ("beta", "Alpha", "गामा", "Delta"):
        saved(desk, name=name)
    assert [view["name"] for view in views(desk)] == ["Alpha", "beta", "Delta", "गामा"]


@pytest.mark.parametrize("name", ["Large", "LARGE", "ｌａｒｇｅ"])  # noqa: RUF001 - wide letters are what is tested
def test_the_same_name_on_the_same_screen_is_refused(desk: Desk, name: str) -> None:
    saved(desk)
    assert name in assert_refused(save(desk, name=name), 409, "view_exists")
    assert len(views(desk)) == 1
    saved(desk, name=name, screen="users")
    saved(desk, name=name, by="ravi")


def test_a_view_can_be_renamed_and_its_search_changed(desk: Desk) -> None:
    view = saved(desk)
    changed = change(desk, view["_id"], name="Small", search="").json()
    assert changed == {"_id": view["_id"], "screen": "claims", "name": "Small", "search": ""}
    assert views(desk) == [changed]
    assert change(desk, view["_id"], name="SMALL").json()["name"] == "SMALL"


def test_a_view_cannot_be_given_the_name_of_another(desk: Desk) -> None:
    saved(desk)
    other = saved(desk, name="Small")
    assert_refused(change(desk, other["_id"], name="large"), 409, "view_exists")
    assert [view["name"] for view in views(desk)] == ["Large", "Small"]


def test_a_deleted_view_is_gone(desk: Desk) -> None:
    view = saved(desk)
    assert desk.call("DELETE", f"/api/views/{view['_id']}").status_code == 204
    assert views(desk) == []
    assert_refused(desk.call("DELETE", f"/api/views/{view['_id']}"), 404, "view_not_found")
    assert_refused(change(desk, view["_id"]), 404, "view_not_found")
    saved(desk)


def test_the_views_of_another_admin_are_not_found(desk: Desk) -> None:
    view = saved(desk)
    assert views(desk, by="ravi") == []
    for view_id in (view["_id"], "0" * 24, "x"):
        assert_refused(change(desk, view_id, by="ravi"), 404, "view_not_found")
        assert_refused(desk.call("DELETE", f"/api/views/{view_id}", by="ravi"), 404, "view_not_found")
    assert views(desk) == [view]


def test_every_change_is_logged_except_those_without_effect(desk: Desk) -> None:
    view = saved(desk)
    change(desk, view["_id"])
    change(desk, view["_id"], name="Small")
    desk.call("DELETE", f"/api/views/{view['_id']}")
    rows = [row for row in desk.audit() if row.verb.startswith("view.")]
    assert [(row.verb, row.actor, row.subject_id) for row in rows] == [
        ("view.saved", "asha", view["_id"]),
        ("view.changed", "asha", view["_id"]),
        ("view.deleted", "asha", view["_id"]),
    ]
    assert rows[0].after == {"screen": "claims", "name": "Large", "search": SEARCH}
    assert (rows[1].before["name"], rows[1].after["name"]) == ("Large", "Small")
    assert rows[2].before == {"screen": "claims", "name": "Small", "search": SEARCH}


def _fill(desk: Desk, count: int) -> None:
    (admin,) = desk.rows(admins.select().where(admins.c.username == "asha"))
    rows = [
        {
            "id": new_id(),
            "admin_id": admin.id,
            "screen": "claims",
            "name": f"view {number}",
            "name_key": f"view {number}",
            "search": "",
            "created_at": now(),
            "updated_at": now(),
        }
        for number in range(count)
    ]
    with desk.database.writing() as connection:
        connection.execute(insert(saved_views), rows)


def test_a_screen_has_at_most_fifty_views(desk: Desk) -> None:
    _fill(desk, 49)
    saved(desk)
    assert_refused(save(desk, name="One more"), 409, "too_many_views")
    assert save(desk, screen="users").status_code == 201
    assert save(desk, by="ravi").status_code == 201


def test_concurrent_saves_cannot_exceed_fifty_views(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(desk, 48)

    async def list_slowly(transaction: Transaction, *asked: Any) -> list[View]:
        found = await list_views(transaction, *asked)
        if transaction.is_sqlite:
            time.sleep(0.1)
        else:
            await transaction.command("SELECT pg_sleep(0.1)")
        return found

    monkeypatch.setattr(actions, "list_views", list_slowly)
    with ThreadPoolExecutor(6) as windows:
        answers = list(windows.map(lambda number: save(desk, name=f"new {number}").status_code, range(6)))
    assert sorted(answers) == [201, 201, 409, 409, 409, 409]


@on_one_engine
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": " x"}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"name": "\ufdfa" * 60}, "name"),
        ({"search": "x" * 2001}, "search"),
        ({"search": "a\nb"}, "search"),
        ({"search": None}, "search"),
        ({"screen": "admins"}, "screen"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_an_invalid_view_is_refused_with_the_field_named(desk: Desk, body: dict[str, Any], field: str) -> None:
    sent = {"screen": "claims", "name": "Large", "search": SEARCH} | body
    answer = desk.call("POST", "/api/views", json=sent)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [field]
    assert views(desk) == []


@pytest.mark.parametrize("query", ["", "?screen=admins"])
def test_listing_views_of_an_unknown_screen_is_refused(desk: Desk, query: str) -> None:
    answer = desk.get(f"/api/views{query}")
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == ["screen"]
