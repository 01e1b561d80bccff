"""The route of a list parses its query itself, but otherwise behaves like any other route."""

from collections.abc import Callable
from datetime import timedelta
from typing import Annotated, Any

import pytest
from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.testclient import TestClient
from sqlalchemy import insert, select, update

from countinghouse.admins.tables import admins, sessions
from countinghouse.claims.queries import CLAIMS as CLAIM_LIST
from countinghouse.claims.queries import Claim, ClaimQuery
from countinghouse.core.errors import NotSignedIn
from countinghouse.core.http import list_route
from countinghouse.core.http.answers import install_error_answers
from countinghouse.core.http.list_route import LONGEST_QUERY, MOST_QUERIES, add_list_route, read_query
from countinghouse.core.listing import ListQuery
from countinghouse.core.times import now
from countinghouse.resources import LISTED
from countinghouse.users.tables import users
from tests.contract.rows import CLAIMS, LISTS, PURCHASES, SORTS, USERS, fill
from tests.desk import Desk
from tests.engines import on_one_engine

QUERIES: dict[str, type[ListQuery]] = {
    CLAIMS: LISTED["claims"].query,
    PURCHASES: LISTED["purchases"].query,
    USERS: LISTED["users"].query,
}

GOOD: tuple[tuple[str, str], ...] = (
    *((path, f"limit=5&sort={sign}{sort}") for path in LISTS for sort in SORTS[path] for sign in ("", "-")),
    *((path, query) for path in LISTS for query in ("", "limit=1", "limit=1000", "limit=7&skip=3", "skip=0&limit=7")),
    *(
        (path, f"limit=5&q={q}")
        for path in LISTS
        for q in ("ananya", "a", "%25", "%E0%A4%85", "no+body", "0000", "%22")
    ),
    *((path, query) for path in LISTS for query in ("q=ananya", "&limit=5&&")),
    (CLAIMS, "limit=5&status=Paid"),
    (CLAIMS, "limit=5&status=Paid&sort=status&from=2026-11-10T00:00:00Z&to=2026-11-12T00:00:00%2B05:30"),
    (CLAIMS, "limit=5&minAmount=100.01&maxAmount=700"),
    (CLAIMS, "limit=5&minAmount=700&maxAmount=100"),
    (PURCHASES, "limit=5&claimType=Daily&qrName=Desk%201"),
    (USERS, "limit=3&from=2026-11-10T00:00:00Z"),
    (USERS, "limit=3&skip=1000"),
)
BAD = (
    "limit=",
    "limit=0",
    "limit=1001",
    "limit",
    "limit=5&skip=-1",
    "limit=5&q=",
    "limit=5&q=%00",
    "limit=5&q=%FF%00",
    "limit=5&limlt=5",
    "limit=5&from=yesterday",
    "limit=5&exact=true",
    "limit=5&status=Refused",
    "limit=5&min_amount=3",
)


@pytest.fixture
def by_fastapi() -> TestClient:
    """The same queries, parsed by FastAPI."""
    app = FastAPI()
    install_error_answers(app)

    def add(path: str, query: type[ListQuery]) -> None:
        def endpoint(asked: Any) -> Any:
            return repr(asked)

        endpoint.__annotations__["asked"] = Annotated[query, Query()]
        app.get(path)(endpoint)

    for path, query in QUERIES.items():
        add(path, query)
    return TestClient(app)


def test_a_valid_query_is_read_as_fastapi_reads_it(by_fastapi: TestClient) -> None:
    for path, query in GOOD:
        # The second time it comes from the cache.
        for _ in range(2):
            read = read_query(query.encode(), QUERIES[path])
            assert repr(read) == by_fastapi.get(f"{path}?{query}").json(), (path, query)


@on_one_engine
def test_an_invalid_query_is_refused_as_fastapi_refuses_it(desk: Desk, by_fastapi: TestClient) -> None:
    for path in LISTS:
        for query in BAD:
            expected, answer = by_fastapi.get(f"{path}?{query}"), desk.get(f"{path}?{query}")
            assert (answer.status_code, answer.json()) == (expected.status_code, expected.json()), (path, query)
            assert answer.status_code == 422, (path, query)


def test_the_cache_of_queries_is_bounded() -> None:
    for number in range(MOST_QUERIES + 50):
        read_query(f"limit=5&q=word{number}".encode(), ClaimQuery)
    assert list_route._read.cache_info().currsize <= MOST_QUERIES
    before = list_route._read.cache_info()
    assert read_query(b"limit=5&q=word" + b"&" * LONGEST_QUERY, ClaimQuery).q == "word"
    assert list_route._read.cache_info() == before


def test_every_dependency_of_its_router_runs_before_the_list_is_read() -> None:
    """Otherwise a rule that is added to all routes would not hold for lists."""
    ran: list[str] = []

    async def refuse(request: Request) -> None:
        ran.append(request.url.path)
        raise NotSignedIn("session_required", "Please log in.")

    router = APIRouter(dependencies=[Depends(refuse)])
    add_list_route(router, "/claims", CLAIM_LIST, ClaimQuery, Claim, name="list_claims", summary="Claims")
    # It has no database: reading the list would fail.
    app = FastAPI(routes=router.routes)
    install_error_answers(app)
    assert TestClient(app).get("/claims?limit=5").status_code == 401
    assert ran == ["/claims"]


def _needs_more(_request: Request, _limit: int) -> None: ...


async def _needs_a_parameter(_limit: int) -> None: ...


async def _needs_another(_request: Request, _session: Annotated[None, Depends(_needs_a_parameter)]) -> None: ...


@pytest.mark.parametrize("dependency", [_needs_more, _needs_a_parameter, _needs_another])
def test_a_list_refuses_to_start_with_a_dependency_that_it_could_not_run(dependency: Callable[..., Any]) -> None:
    router = APIRouter(dependencies=[Depends(dependency)])
    with pytest.raises(TypeError, match="take only the request"):
        add_list_route(router, "/claims", CLAIM_LIST, ClaimQuery, Claim, name="list_claims", summary="Claims")


def test_a_repeated_request_gets_the_same_answer(desk: Desk) -> None:
    fill(desk, 80)
    for path, query in GOOD:
        first, second = desk.get(f"{path}?{query}"), desk.get(f"{path}?{query}")
        assert first.status_code == 200, (path, query)
        assert first.content == second.content, (path, query)
        assert _but_its_id(first) == _but_its_id(second), (path, query)


def _but_its_id(answer: Any) -> list[tuple[bytes, bytes]]:
    return [one for one in answer.headers.raw if one[0] != b"x-request-id"]


@on_one_engine
def test_a_list_answers_only_reads(desk: Desk) -> None:
    for path in LISTS:
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            assert desk.call(method, f"{path}?limit=5").status_code == 405, (path, method)
        assert desk.get(f"{path}?limit=5", headers={"Content-Length": "3"}, content=b"abc").status_code == 200


def test_a_cursor_of_another_order_or_list_is_refused(desk: Desk) -> None:
    fill(desk, 40)
    cursors = {}
    for path, sort in ((CLAIMS, "-createdAt"), (CLAIMS, "createdAt"), (CLAIMS, "username"), (PURCHASES, "invest")):
        link = desk.get(f"{path}?limit=3&sort={sort}").headers["link"]
        cursors[path, sort] = link.partition("cursor=")[2].partition(">")[0]
    for (path, sort), cursor in cursors.items():
        for other_path, other_sort in cursors:
            if sort != other_sort:
                answer = desk.get(f"{other_path}?limit=3&sort={other_sort}&cursor={cursor}")
                assert (answer.status_code, list(answer.json()["fields"])) == (422, ["cursor"]), (path, other_path)


@pytest.mark.parametrize("path", LISTS)
def test_nobody_gets_a_page_who_is_not_signed_in(desk: Desk, path: str) -> None:
    page = f"{path}?limit=5"
    good = desk.tokens["asha"]
    assert desk.get(page).status_code == 200
    for token in (None, "", "x", good[:-1], good + "x", good.swapcase(), "a" * 43, "a" * 5000):
        assert desk.get(page, by=token).status_code == 401, token
    for header in (good, f"Basic {good}", f"Token {good}", f"Bearer{good}", "Bearer", f"Bearer\t{good}"):
        assert desk.get(page, by=None, headers={"Authorization": header}).status_code == 401, header
    assert desk.get(f"{page}&token={good}", by=None).status_code == 401


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


def test_a_disabled_admin_is_refused_on_the_very_next_request(desk: Desk) -> None:
    assert desk.get(f"{CLAIMS}?limit=5").status_code == 200
    desk.change(update(admins).where(admins.c.username == "asha").values(disabled_at=now()))
    assert desk.get(f"{CLAIMS}?limit=5").status_code == 401
    assert desk.get(f"{CLAIMS}?limit=5", by="ravi").status_code == 200


@pytest.mark.parametrize("ending", ["idle", "old"])
def test_a_session_that_is_idle_too_long_or_too_old_is_refused(desk: Desk, ending: str) -> None:
    assert desk.get(f"{CLAIMS}?limit=5").status_code == 200
    longest = timedelta(minutes=desk.settings.session_idle_minutes)
    values = {"idle": {"last_seen_at": now() - longest}, "old": {"expires_at": now()}}
    desk.change(update(sessions).values(values[ending]))
    assert desk.get(f"{CLAIMS}?limit=5").status_code == 401


def test_a_page_updates_the_last_seen_time_of_its_session(desk: Desk) -> None:
    earlier = now() - timedelta(minutes=2)
    desk.change(update(sessions).values(last_seen_at=earlier))
    assert desk.get(f"{CLAIMS}?limit=5").status_code == 200
    assert max(row.last_seen_at for row in desk.rows(select(sessions))) > earlier


def test_the_head_of_a_page_has_its_headers_and_no_body(desk: Desk) -> None:
    fill(desk, 20)
    page, head = desk.get(f"{CLAIMS}?limit=5"), desk.call("HEAD", f"{CLAIMS}?limit=5")
    assert (head.status_code, head.content) == (200, b"")
    for name in ("link", "x-total-count", "content-type", "content-length", "cache-control"):
        assert head.headers[name] == page.headers[name]
    assert desk.call("HEAD", f"{CLAIMS}?limit=5", by=None).status_code == 401


@on_one_engine
def test_a_page_has_the_same_protective_headers_as_other_answers(desk: Desk) -> None:
    page, other = desk.get(f"{USERS}?limit=5"), desk.get("/api/admin/me")
    of_pages = {"link", "vary", "x-total-count"}
    assert set(page.headers) - of_pages == set(other.headers)
    assert page.headers["content-security-policy"] == other.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"


def test_text_of_any_kind_is_the_same_in_a_page_and_in_the_whole_list(desk: Desk) -> None:
    names = ['"quoted"', "back\\slash", "tab\tnew\nline", "</script>", "\u2028", "💸", "\x7f", "é", "\x01", "a/b", "''"]
    for name in names:
        desk.change(insert(users).values(id=f"{len(name):024x}", created_at=now(), username=name, mobile="1"))
        (shown,) = desk.get(f"{USERS}?limit=1").json()
        assert shown["username"] == name
        assert desk.get(USERS).json() == [shown]
        desk.change(users.delete())
