"""The short way to a page answers what the long way would, or leaves the request to it."""

from collections.abc import Callable
from copy import copy
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import insert, select, update
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from countinghouse.admins.tables import admins, sessions
from countinghouse.core.http.edge import Edge
from countinghouse.core.http.shortcut import Shortcut
from countinghouse.core.times import now
from countinghouse.main import DeskApp, create_app
from countinghouse.users.tables import users
from tests.contract.rows import CLAIMS, LISTS, PURCHASES, SORTS, USERS, fill
from tests.desk import Desk

LEFT_TO_THE_LONG_WAY = 418


def shortcut_of(app: DeskApp) -> Shortcut:
    assert isinstance(app.front, Edge)
    assert isinstance(app.front.app, Shortcut)
    return app.front.app


class BothWays:
    """One database behind the short way alone, which leaves by a plain sign, and behind the long way alone."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        app = desk.client.app
        assert isinstance(app, DeskApp)
        self.only_short = TestClient(self._without_the_long_way(app), base_url="http://desk.test")
        self.long_app = create_app(desk.settings)
        assert isinstance(self.long_app.front, Edge)
        self.long_app.front.app = shortcut_of(self.long_app).app
        self.only_long = TestClient(self.long_app, base_url="http://desk.test", raise_server_exceptions=False)

    def _without_the_long_way(self, app: DeskApp) -> Edge:
        async def leave(scope: Scope, receive: Receive, send: Send) -> None:
            await PlainTextResponse("", LEFT_TO_THE_LONG_WAY)(scope, receive, send)

        short, edge = copy(shortcut_of(app)), copy(app.front)
        assert isinstance(edge, Edge)
        short.app, edge.app = leave, short
        return edge

    def ask(self, client: TestClient, path: str, method: str = "GET", by: str | None = "asha", **more: Any) -> Any:
        headers = dict(more.pop("headers", {}))
        if by is not None:
            headers["Authorization"] = f"Bearer {self.desk.tokens.get(by, by)}"
        return client.request(method, path, headers=headers, **more)

    def short(self, path: str, **more: Any) -> Response:
        answer: Response = self.ask(self.only_short, path, **more)
        return answer

    def long(self, path: str, **more: Any) -> Response:
        answer: Response = self.ask(self.only_long, path, **more)
        return answer

    def close(self) -> None:
        self.long_app.state.database.close()


@pytest.fixture
def ways(desk: Desk) -> Any:
    # So recent that it is not written again, however slow the machine is.
    desk.change(update(sessions).values(last_seen_at=now() + timedelta(seconds=50)))
    both = BothWays(desk)
    yield both
    both.close()


def told(answer: Response) -> tuple[Any, ...]:
    """All of it, down to the order and the letters of the headers; only an id is new each time."""
    return answer.status_code, answer.content, [one for one in answer.headers.raw if one[0] != b"x-request-id"]


GOOD: tuple[tuple[str, str], ...] = (
    *((path, f"limit=5&sort={sign}{sort}") for path in LISTS for sort in SORTS[path] for sign in ("", "-")),
    *((path, query) for path in LISTS for query in ("limit=1", "limit=1000", "limit=7&skip=3", "skip=0&limit=7")),
    *(
        (path, f"limit=5&q={q}")
        for path in LISTS
        for q in ("ananya", "a", "%25", "%E0%A4%85", "no+body", "0000", "%22")
    ),
    (CLAIMS, "limit=5&status=Paid"),
    (CLAIMS, "limit=5&status=Paid&sort=status&from=2026-11-10T00:00:00Z&to=2026-11-12T00:00:00%2B05:30"),
    (CLAIMS, "limit=5&minAmount=100.01&maxAmount=700"),
    (CLAIMS, "limit=5&minAmount=700&maxAmount=100"),
    (PURCHASES, "limit=5&claimType=Daily&qrName=Desk%201"),
    (USERS, "limit=3&from=2026-11-10T00:00:00Z"),
    (USERS, "limit=3&skip=1000"),
)


def test_both_ways_answer_a_good_request_alike(ways: BothWays) -> None:
    fill(ways.desk, 80)
    for path, query in GOOD:
        short, long = ways.short(f"{path}?{query}"), ways.long(f"{path}?{query}")
        assert short.status_code == 200, (path, query)
        assert told(short) == told(long), (path, query)
        assert told(short) == told(ways.desk.get(f"{path}?{query}")), (path, query)
        link = short.headers.get("link")
        if link is not None:
            following = link.removeprefix("<http://desk.test").partition(">")[0]
            assert told(ways.short(following)) == told(ways.long(following)), following


BAD_QUERIES = (
    "",
    "limit=",
    "limit=0",
    "limit=1001",
    "limit=5&limit=5",
    "limit=5&sort=nothing",
    "limit=5&sort=",
    "limit=5&cursor=nonsense",
    "limit=5&cursor=",
    "limit=5&skip=-1",
    "limit=5&q=",
    "limit=5&q=%00",
    "limit=5&q=%FF%00",
    "limit=5&limlt=5",
    "limit=5&from=yesterday",
    "limit=5&exact=true",
    "skip=5",
    "q=ananya",
    "limit=5&status=Refused",
)


@pytest.mark.parametrize("path", LISTS)
def test_what_is_unusual_is_left_to_the_long_way(ways: BothWays, path: str) -> None:
    fill(ways.desk, 20)
    for query in BAD_QUERIES:
        assert ways.short(f"{path}?{query}").status_code == LEFT_TO_THE_LONG_WAY, query
    for headers in ({"Content-Length": "3"}, {"Transfer-Encoding": "chunked"}):
        assert ways.short(f"{path}?limit=5", headers=headers).status_code == LEFT_TO_THE_LONG_WAY, headers
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert ways.short(f"{path}?limit=5", method=method).status_code == LEFT_TO_THE_LONG_WAY, method
    for other in ("/api/claims/totals?limit=5", f"{path}/?limit=5", "/api/qr?limit=5", "/api/CLAIMS/all?limit=5"):
        assert ways.short(other).status_code == LEFT_TO_THE_LONG_WAY, other


def test_a_cursor_of_another_order_or_list_is_left_to_the_long_way_and_refused_there(ways: BothWays) -> None:
    fill(ways.desk, 40)
    cursors = {}
    for path, sort in ((CLAIMS, "-createdAt"), (CLAIMS, "createdAt"), (CLAIMS, "username"), (PURCHASES, "invest")):
        link = ways.short(f"{path}?limit=3&sort={sort}").headers["link"]
        cursors[path, sort] = link.partition("cursor=")[2].partition(">")[0]
    for (path, sort), cursor in cursors.items():
        for other_path, other_sort in cursors:
            if sort != other_sort:
                foreign = f"{other_path}?limit=3&sort={other_sort}&cursor={cursor}"
                assert ways.short(foreign).status_code == LEFT_TO_THE_LONG_WAY
                answer = ways.long(foreign)
                assert (answer.status_code, list(answer.json()["fields"])) == (422, ["cursor"]), (path, foreign)


@pytest.mark.parametrize("path", LISTS)
def test_nobody_comes_in_by_the_short_way_who_is_not_signed_in(ways: BothWays, path: str) -> None:
    page = f"{path}?limit=5"
    good = ways.desk.tokens["asha"]
    assert ways.short(page).status_code == 200
    for token in (None, "", "x", good[:-1], good + "x", good.swapcase(), "a" * 43, "a" * 5000):
        assert ways.short(page, by=token).status_code == LEFT_TO_THE_LONG_WAY, token
        assert ways.desk.get(page, by=token).status_code == 401
    for header in (good, f"Basic {good}", f"Token {good}", f"Bearer{good}", "Bearer", f"Bearer\t{good}"):
        answer = ways.short(page, by=None, headers={"Authorization": header})
        assert answer.status_code == LEFT_TO_THE_LONG_WAY, header
        assert ways.desk.get(page, by=None, headers={"Authorization": header}).status_code == 401, header
    assert ways.short(f"{page}&token={good}", by=None).status_code == LEFT_TO_THE_LONG_WAY


@pytest.mark.parametrize("path", LISTS)
def test_an_ended_session_is_refused_on_the_very_next_request(desk: Desk, path: str) -> None:
    for _ in range(3):
        assert desk.get(f"{path}?limit=5").status_code == 200
    assert desk.call("POST", "/api/admin/logout").status_code == 204
    answer = desk.get(f"{path}?limit=5")
    assert (answer.status_code, answer.json()["code"]) == (401, "session_ended")
    assert desk.get(f"{path}?limit=5", by="ravi").status_code == 200


def test_a_session_ended_by_another_instance_is_refused_on_the_very_next_request(
    open_desk: Callable[..., Desk],
) -> None:
    here, there = open_desk(), open_desk()
    assert here.get(f"{CLAIMS}?limit=5").status_code == 200
    assert there.call("POST", "/api/admin/logout").status_code == 204
    assert here.get(f"{CLAIMS}?limit=5").status_code == 401


def test_a_disabled_admin_is_refused_on_the_very_next_request(ways: BothWays) -> None:
    assert ways.short(f"{CLAIMS}?limit=5").status_code == 200
    ways.desk.change(update(admins).where(admins.c.username == "asha").values(disabled_at=now()))
    assert ways.short(f"{CLAIMS}?limit=5").status_code == LEFT_TO_THE_LONG_WAY
    assert ways.desk.get(f"{CLAIMS}?limit=5").status_code == 401
    assert ways.desk.get(f"{CLAIMS}?limit=5", by="ravi").status_code == 200


@pytest.mark.parametrize("ending", ["idle", "old"])
def test_a_session_that_is_idle_too_long_or_too_old_is_refused(ways: BothWays, ending: str) -> None:
    longest = timedelta(minutes=ways.desk.settings.session_idle_minutes)
    values = {"idle": {"last_seen_at": now() - longest}, "old": {"expires_at": now()}}
    ways.desk.change(update(sessions).values(values[ending]))
    assert ways.short(f"{CLAIMS}?limit=5").status_code == LEFT_TO_THE_LONG_WAY
    assert ways.desk.get(f"{CLAIMS}?limit=5").status_code == 401


def test_a_session_that_is_due_to_be_marked_as_seen_goes_the_long_way_once(ways: BothWays) -> None:
    earlier = now() - timedelta(minutes=2)
    ways.desk.change(update(sessions).values(last_seen_at=earlier))
    assert ways.short(f"{CLAIMS}?limit=5").status_code == LEFT_TO_THE_LONG_WAY
    assert ways.desk.get(f"{CLAIMS}?limit=5").status_code == 200
    assert max(row.last_seen_at for row in ways.desk.rows(select(sessions))) > earlier
    assert ways.short(f"{CLAIMS}?limit=5").status_code == 200


def test_the_head_of_a_page_has_its_headers_and_no_body(desk: Desk) -> None:
    fill(desk, 20)
    page, head = desk.get(f"{CLAIMS}?limit=5"), desk.call("HEAD", f"{CLAIMS}?limit=5")
    assert (head.status_code, head.content) == (200, b"")
    for name in ("link", "x-total-count", "content-type", "content-length", "cache-control"):
        assert head.headers[name] == page.headers[name]
    assert desk.call("HEAD", f"{CLAIMS}?limit=5", by=None).status_code == 401


def test_both_ways_carry_the_same_protection(ways: BothWays) -> None:
    short, long = ways.desk.get(f"{USERS}?limit=5"), ways.long(f"{USERS}?limit=5")
    assert set(short.headers) == set(long.headers)
    assert short.headers["content-security-policy"] == long.headers["content-security-policy"]
    assert short.headers["cache-control"] == "no-store"


def test_text_of_any_kind_goes_out_by_both_ways_alike(ways: BothWays) -> None:
    names = ['"quoted"', "back\\slash", "tab\tnew\nline", "</script>", "\u2028", "💸", "\x7f", "é", "\x01", "a/b", "''"]
    for name in names:
        ways.desk.change(insert(users).values(id=f"{len(name):024x}", created_at=now(), username=name, mobile="1"))
        (shown,) = ways.short(f"{USERS}?limit=1").json()
        assert shown["username"] == name
        assert ways.desk.get(USERS).json() == [shown]
        ways.desk.change(users.delete())
