"""A page can continue after any row that can be stored, and time filters finer than the stored times are exact."""

from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from sqlalchemy import insert

from countinghouse.core.ids import new_id
from countinghouse.users.tables import users
from tests.contract.rows import CLAIMS, LISTS, PURCHASES, USERS, ids, matching, walk
from tests.core.sockets import connected, read_answer, served
from tests.desk import NEWEST, Desk
from tests.engines import on_one_engine

# None of these can be typed into a form, but an import or the service's own app may have stored them.
ODD = ("Ravi ", " Ravi", "Ra\nvi", "Ra\tvi", "Ra\u200bvi", "\u202eivaR", "\x01\x1f", "💸" * 100, "अ" * 100, "\\\"'", "")


def test_a_page_can_end_at_any_text_that_can_be_stored(desk: Desk) -> None:
    for name in ODD:
        desk.add_user(username=name)
        desk.add_user(username=name)
    whole = desk.get(USERS, params={"sort": "username"}).json()
    assert len(whole) == 2 * len(ODD)
    assert walk(desk, USERS, {"sort": "username", "limit": "1"}) == whole
    assert walk(desk, USERS, {"sort": "-username", "limit": "1"}) == whole[::-1]


def test_a_page_can_end_at_any_time_that_can_be_stored(desk: Desk) -> None:
    """Some programs store the first or the last possible time for a date that they do not know."""
    last = datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)
    for moment in (datetime(1, 1, 1, tzinfo=UTC), datetime(1899, 12, 31, tzinfo=UTC), NEWEST, last):
        desk.add_user(created_at=moment)
        desk.add_user(created_at=moment)
    whole = desk.get(USERS).json()
    assert len(whole) == 8
    assert walk(desk, USERS, {"limit": "1"}) == whole
    assert walk(desk, USERS, {"sort": "createdAt", "limit": "1"}) == whole[::-1]


@pytest.mark.parametrize("letter", ["a", "अ", "💸", '"', "\x01"])
def test_a_page_can_end_at_the_longest_address(desk: Desk, letter: str) -> None:
    for _ in range(3):
        desk.add_claim(address=letter * 300)
    assert len(set(ids(walk(desk, CLAIMS, {"sort": "address", "limit": "1"})))) == 3


@pytest.mark.parametrize("digits", ["119", "119500", "119999", "120", "120000", "120001", "120999", "121"])
def test_a_time_filter_between_two_milliseconds_is_exact(desk: Desk, digits: str) -> None:
    """In the whole list, on a page and in the totals."""
    desk.add_user(created_at=NEWEST)
    whole = desk.get(USERS).json()
    for name in ("from", "to"):
        asked = {name: f"2026-11-15T02:52:36.{digits}Z"}
        expected = matching(whole, asked)
        assert desk.get(USERS, params=asked).json() == expected, asked
        assert desk.get(USERS, params={**asked, "limit": "5"}).json() == expected, asked
        assert desk.get("/api/users/totals", params=asked).json()["count"] == len(expected), asked


@pytest.mark.parametrize("path", LISTS)
def test_internal_filter_names_are_refused(desk: Desk, path: str) -> None:
    inside = {CLAIMS: ("min_amount", "max_amount"), PURCHASES: ("min_amount", "claim_type", "qr_name"), USERS: ()}[path]
    for name in ("from_", *inside):
        value = "2026-11-15T00:00:00Z" if name == "from_" else "5"
        for where, more in ((path, {}), (path, {"limit": "5"}), (path.removesuffix("/all") + "/totals", {})):
            answer = desk.get(where, params={name: value, **more})
            assert answer.status_code == 422, (where, name)
            assert list(answer.json()["fields"]) == [name]


@on_one_engine
@pytest.mark.parametrize("skip", ["skip", "%73kip", "sk%69p"])
def test_skip_is_applied_once_however_it_is_percent_encoded(desk: Desk, skip: str) -> None:
    claims = [desk.add_claim(amount_paise=100 + number) for number in range(9)]
    first = desk.get(f"{CLAIMS}?limit=2&{skip}=3&sort=amount")
    rest = desk.get(first.links["next"]["url"].replace("limit=2", "limit=20"))
    assert ids(first.json() + rest.json()) == claims[3:]


@pytest.mark.parametrize("bare", ['a"', "a>", "a<", "a|b", "a^", "a`", "{a}"])
def test_the_next_link_is_valid_when_the_query_has_unescaped_characters(desk: Desk, bare: str) -> None:
    rows = [{"id": new_id(), "created_at": NEWEST, "username": f"x{bare}x", "mobile": "1"} for _ in range(3)]
    with desk.database.writing() as connection:
        connection.execute(insert(users), rows)
    request = f"GET /api/users?limit=2&q={bare} HTTP/1.1\r\nHost: desk.test\r\nAuthorization: Bearer "
    with served(desk.client.app) as port, connected(port) as client:
        client.sendall(f"{request}{desk.tokens['asha']}\r\n\r\n".encode())
        head = read_answer(client).partition(b"\r\n\r\n")[0].decode("latin-1")
    assert head.startswith("HTTP/1.1 200")
    (link,) = [line.partition(": ")[2] for line in head.split("\r\n") if line.lower().startswith("link: ")]
    address, _, rest = link.removeprefix("<").partition(">")
    assert rest == '; rel="next"'
    parts = urlsplit(address)
    assert len(desk.get(f"{parts.path}?{parts.query}").json()) == 1
