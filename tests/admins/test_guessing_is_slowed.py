"""Login guesses are throttled per username and per address; the real admin can still log in from a known browser."""

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from httpx2 import Response
from sqlalchemy import select, text

from countinghouse.admins import passwords, throttle
from countinghouse.admins.tables import login_buckets
from tests.databases import PASSWORD
from tests.desk import Desk


@pytest.fixture(autouse=True)
def count_of_hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace argon2, which would take a minute for a hundred guesses. Returns the passwords that were checked."""
    tried: list[str] = []

    def verify(_password_hash: str | None, password: str) -> bool:
        tried.append(password)
        return password == PASSWORD and _password_hash is not None

    monkeypatch.setattr(passwords, "_verify", verify)
    return tried


def guess(desk: Desk, password: str, username: str = "asha", address: str | None = None) -> Response:
    headers = {"X-Forwarded-For": address} if address else {}
    body = {"username": username, "password": password}
    return desk.call("POST", "/api/admin/login", by=None, json=body, headers=headers)


@pytest.fixture
def proxied(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk(peer="127.0.0.1", trusted_proxies="127.0.0.0/8")


def test_unknown_browsers_get_five_guesses_per_username_from_any_number_of_addresses(
    proxied: Desk, count_of_hashes: list[str]
) -> None:
    answers = [guess(proxied, "wrong", address=f"198.51.100.{n}").status_code for n in range(40)]
    assert answers == [401] * 5 + [429] * 35
    assert len(count_of_hashes) == 5


def test_a_throttled_login_states_the_wait_in_the_message_and_the_header(proxied: Desk) -> None:
    for n in range(5):
        guess(proxied, "wrong", address=f"198.51.100.{n}")
    answer = guess(proxied, "wrong", address="198.51.100.99")
    assert answer.status_code == 429
    assert answer.json()["code"] == "login_throttled"
    assert answer.json()["message"] == "Too many attempts. Try again in 15 minutes."
    assert int(answer.headers["retry-after"]) == int(answer.json()["fields"]["retryAfter"])
    assert 800 <= int(answer.headers["retry-after"]) <= 900


def test_one_address_gets_twenty_guesses_across_all_usernames(proxied: Desk) -> None:
    answers = [guess(proxied, "wrong", username=f"name{n}", address="198.51.100.7").status_code for n in range(30)]
    assert answers == [401] * 20 + [429] * 10


def test_an_ipv6_64_prefix_counts_as_one_address(proxied: Desk) -> None:
    answers = [guess(proxied, "wrong", f"name{n}", f"2001:db8:1:2::{n + 1:x}").status_code for n in range(25)]
    assert answers.count(401) == 20
    assert guess(proxied, "wrong", "another", "2001:db8:1:3::1").status_code == 401


def test_a_known_browser_can_log_in_while_others_guess_the_password(proxied: Desk) -> None:
    mark = guess(proxied, PASSWORD, address="192.0.2.1").cookies["countinghouse_device"]
    proxied.client.cookies.clear()
    for n in range(50):
        guess(proxied, "wrong", address=f"198.51.100.{n}")
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 429
    proxied.client.cookies.set("countinghouse_device", mark)
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 200


def test_guesses_from_the_same_address_do_not_lock_out_a_known_browser(proxied: Desk) -> None:
    mark = guess(proxied, PASSWORD, address="192.0.2.1").cookies["countinghouse_device"]
    proxied.client.cookies.clear()
    for n in range(30):
        guess(proxied, "wrong", username=f"name{n}", address="192.0.2.1")
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 429
    proxied.client.cookies.set("countinghouse_device", mark)
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 200


def test_a_known_browser_is_throttled_too_after_ten_guesses(proxied: Desk) -> None:
    mark = guess(proxied, PASSWORD, address="192.0.2.1").cookies["countinghouse_device"]
    proxied.client.cookies.clear()
    proxied.client.cookies.set("countinghouse_device", mark)
    answers = [guess(proxied, "wrong", address=f"198.51.100.{n}").status_code for n in range(15)]
    assert answers == [401] * 10 + [429] * 5


def test_the_device_cookie_of_one_admin_does_not_raise_the_limit_for_another(proxied: Desk) -> None:
    mark = guess(proxied, PASSWORD, username="ravi", address="192.0.2.1").cookies["countinghouse_device"]
    proxied.client.cookies.clear()
    proxied.client.cookies.set("countinghouse_device", mark)
    answers = [guess(proxied, "wrong", "asha", address=f"198.51.100.{n}").status_code for n in range(8)]
    assert answers == [401] * 5 + [429] * 3


def test_a_successful_login_does_not_count_as_a_guess(proxied: Desk) -> None:
    for _ in range(30):
        proxied.client.cookies.clear()
        assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 200


def test_the_bucket_drains_over_time(proxied: Desk) -> None:
    for n in range(6):
        guess(proxied, "wrong", address=f"198.51.100.{n}")
    assert guess(proxied, PASSWORD, address="198.51.100.50").status_code == 429
    proxied.change(text("UPDATE login_buckets SET drained_at_ms = drained_at_ms - 900000"))
    assert guess(proxied, "wrong", address="198.51.100.51").status_code == 401
    assert guess(proxied, "wrong", address="198.51.100.52").status_code == 429


def test_the_next_login_deletes_drained_buckets(proxied: Desk) -> None:
    guess(proxied, "wrong", username="made up", address="198.51.100.1")
    proxied.change(text("UPDATE login_buckets SET drained_at_ms = 1"))
    guess(proxied, PASSWORD, address="192.0.2.1")
    assert not [row for row in proxied.rows(select(login_buckets)) if row.drained_at_ms == 1]


class Clock:
    """The clock that the throttle reads; tests can move it."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def time(self) -> float:
        return time.time() + self.ahead.total_seconds()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(throttle, "time", clock)
    return clock


JUMPS = [timedelta(minutes=30), timedelta(hours=2), timedelta(days=1), timedelta(days=3650)]


@pytest.mark.parametrize("back", JUMPS, ids=str)
def test_setting_the_clock_back_locks_nobody_out(proxied: Desk, clock: Clock, back: timedelta) -> None:
    assert guess(proxied, "wrong", address="192.0.2.1").status_code == 401
    clock.ahead -= back
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 200


@pytest.mark.parametrize("back", JUMPS, ids=str)
def test_setting_the_clock_back_allows_no_extra_guesses(proxied: Desk, clock: Clock, back: timedelta) -> None:
    for n in range(5):
        assert guess(proxied, "wrong", address=f"198.51.100.{n}").status_code == 401
    clock.ahead -= back
    waiting = guess(proxied, PASSWORD, address="198.51.100.50")
    assert waiting.status_code == 429
    assert int(waiting.headers["retry-after"]) <= 900
    # The wait in the response is long enough, although the clock now shows a time before the first guess.
    clock.ahead += timedelta(minutes=15)
    assert guess(proxied, "wrong", address="198.51.100.51").status_code == 401
    assert guess(proxied, "wrong", address="198.51.100.52").status_code == 429


def test_a_server_with_a_slightly_slow_clock_allows_no_extra_guesses(proxied: Desk, clock: Clock) -> None:
    for _ in range(5):
        guess(proxied, "wrong")
    clock.ahead -= timedelta(seconds=50)
    assert guess(proxied, "wrong").status_code == 429
