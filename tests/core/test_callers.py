"""Who takes turns with whom: a valid token is a caller of its own, everybody else is one of their network."""

from collections.abc import Callable, Hashable
from secrets import token_urlsafe

import pytest

from countinghouse.core.http.callers import MOST_REMEMBERED
from countinghouse.core.lanes import Lane, current_caller
from countinghouse.keys.queries import KEY_PREFIX
from tests.core.refusals import assert_refused
from tests.desk import Desk

NETWORK = "2001:db8:0:5::/64"
# Of that network.
ADDRESSES = [f"2001:db8:0:5::{number:x}" for number in range(1, 4)]

# On SQLite, short reads need no turn.
pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk(peer="127.0.0.1", trusted_proxies="127.0.0.0/8")


@pytest.fixture
def met(monkeypatch: pytest.MonkeyPatch) -> set[Hashable]:
    """Every caller that has asked for a turn in any lane."""
    callers: set[Hashable] = set()
    enter = Lane.enter

    async def enter_noted(lane: Lane) -> Hashable:
        callers.add(current_caller.get())
        return await enter(lane)

    monkeypatch.setattr(Lane, "enter", enter_noted)
    return callers


@pytest.mark.parametrize("prefix", ["", KEY_PREFIX])
def test_tokens_that_nobody_has_share_the_turns_of_their_network(desk: Desk, met: set[Hashable], prefix: str) -> None:
    for address in ADDRESSES:
        sent = {"X-Forwarded-For": address}
        assert desk.get("/api/claims/all", by=prefix + token_urlsafe(32), headers=sent).status_code == 401
        assert desk.get("/api/qr", by=None, headers=sent).status_code == 200
    assert met == {NETWORK}


def test_bodies_and_logins_of_one_network_share_turns(desk: Desk, met: set[Hashable]) -> None:
    for address in ADDRESSES:
        sent = {"X-Forwarded-For": address}
        login = {"username": address, "password": "a long sentence"}
        desk.call("POST", "/api/admin/login", by=token_urlsafe(32), json=login, headers=sent)
        desk.call("POST", "/api/invitations/open", by=None, json={"token": "a"}, headers=sent)
    assert met == {NETWORK}


def test_a_valid_token_is_a_caller_of_its_own_until_it_is_forgotten(desk: Desk, met: set[Hashable]) -> None:
    def callers_of(by: str) -> set[Hashable]:
        met.clear()
        desk.get("/api/claims/all", by=by, headers={"X-Forwarded-For": ADDRESSES[0]})
        return set(met)

    for by in ("asha", "ravi"):
        callers_of(by)
    asha, ravi = callers_of("asha"), callers_of("ravi")
    assert len(asha) == len(ravi) == 1
    assert not asha & ravi
    assert NETWORK not in asha | ravi
    callers = desk.client.app.state.callers
    for number in range(MOST_REMEMBERED):
        callers._remember(number)
    assert NETWORK in callers_of("asha")


def test_a_few_kilobytes_of_cookies_are_accepted_and_more_are_refused_with_a_sentence(desk: Desk) -> None:
    escapes = 'a="' + r"\101" * 15_000 + '"'
    message = assert_refused(desk.get("/api/qr", by=None, headers={"Cookie": escapes}), 431, "headers_too_large")
    assert message == "Your browser sends too many or too long cookies. Delete those of this address."
    assert desk.get("/api/qr", by=None, headers={"Cookie": escapes[:8_000]}).status_code == 200


def test_only_our_cookie_is_parsed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def note(cookies: str) -> dict[str, str]:
        parsed.append(cookies)
        return {}

    monkeypatch.setattr("starlette.requests.cookie_parser", note)
    ours = "countinghouse_device=Ab-9_z"
    others = ('a="' + r"\101" * 1_000 + '"', "b=1; c", f"x{ours}", 'countinghouse_device="\\101"')
    for cookies in (*others, f"{others[0]}; {ours}; b=2", ours):
        desk.get("/api/qr", by=None, headers={"Cookie": cookies})
        desk.call("POST", "/api/admin/login", by=None, json={"begin": "passkey"}, headers={"Cookie": cookies})
    assert set(parsed) <= {ours}
    assert parsed
