"""Guessing is slowed per name and per address, and the real admin still gets in from a known browser."""

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
    """Real argon2 would make a hundred guesses take a minute; what is tested here is who gets to make one."""
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


def test_strangers_get_five_guesses_at_one_name_from_any_number_of_addresses(
    proxied: Desk, count_of_hashes: list[str]
) -> None:
    answers = [guess(proxied, "wrong", address=f"198.51.100.{n}").status_code for n in range(40)]
    assert answers == [401] * 5 + [429] * 35
    assert len(count_of_hashes) == 5


def test_the_wait_is_told_in_words_and_in_the_header(proxied: Desk) -> None:
    for n in range(5):
        guess(proxied, "wrong", address=f"198.51.100.{n}")
    answer = guess(proxied, "wrong", address="198.51.100.99")
    assert answer.status_code == 429
    assert answer.json()["code"] == "login_throttled"
    assert answer.json()["message"] == "Too many attempts. Try again in 15 minutes."
    assert int(answer.headers["retry-after"]) == int(answer.json()["fields"]["retryAfter"])
    assert 800 <= int(answer.headers["retry-after"]) <= 900


def test_one_address_gets_twenty_guesses_at_any_number_of_names(proxied: Desk) -> None:
    answers = [guess(proxied, "wrong", username=f"name{n}", address="198.51.100.7").status_code for n in range(30)]
    assert answers == [401] * 20 + [429] * 10


def test_a_neighbourhood_of_ipv6_counts_as_one_address(proxied: Desk) -> None:
    answers = [guess(proxied, "wrong", f"name{n}", f"2001:db8:1:2::{n + 1:x}").status_code for n in range(25)]
    assert answers.count(401) == 20
    assert guess(proxied, "wrong", "another", "2001:db8:1:3::1").status_code == 401


def test_a_browser_that_signed_in_before_is_let_in_while_strangers_are_guessing(proxied: Desk) -> None:
    mark = guess(proxied, PASSWORD, address="192.0.2.1").cookies["countinghouse_device"]
    proxied.client.cookies.clear()
    for n in range(50):
        guess(proxied, "wrong", address=f"198.51.100.{n}")
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 429
    proxied.client.cookies.set("countinghouse_device", mark)
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 200


def test_strangers_behind_the_same_router_do_not_lock_a_known_browser_out(proxied: Desk) -> None:
    mark = guess(proxied, PASSWORD, address="192.0.2.1").cookies["countinghouse_device"]
    proxied.client.cookies.clear()
    for n in range(30):
        guess(proxied, "wrong", username=f"name{n}", address="192.0.2.1")
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 429
    proxied.client.cookies.set("countinghouse_device", mark)
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 200


def test_a_known_browser_is_slowed_too_when_it_guesses(proxied: Desk) -> None:
    mark = guess(proxied, PASSWORD, address="192.0.2.1").cookies["countinghouse_device"]
    proxied.client.cookies.clear()
    proxied.client.cookies.set("countinghouse_device", mark)
    answers = [guess(proxied, "wrong", address=f"198.51.100.{n}").status_code for n in range(15)]
    assert answers == [401] * 10 + [429] * 5


def test_the_mark_of_one_admin_opens_no_bucket_of_another(proxied: Desk) -> None:
    mark = guess(proxied, PASSWORD, username="ravi", address="192.0.2.1").cookies["countinghouse_device"]
    proxied.client.cookies.clear()
    proxied.client.cookies.set("countinghouse_device", mark)
    answers = [guess(proxied, "wrong", "asha", address=f"198.51.100.{n}").status_code for n in range(8)]
    assert answers == [401] * 5 + [429] * 3


def test_logging_in_rightly_costs_no_guess(proxied: Desk) -> None:
    for _ in range(30):
        proxied.client.cookies.clear()
        assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 200


def test_the_bucket_drains_with_time(proxied: Desk) -> None:
    for n in range(6):
        guess(proxied, "wrong", address=f"198.51.100.{n}")
    assert guess(proxied, PASSWORD, address="198.51.100.50").status_code == 429
    proxied.change(text("UPDATE login_buckets SET drained_at_ms = drained_at_ms - 900000"))
    assert guess(proxied, "wrong", address="198.51.100.51").status_code == 401
    assert guess(proxied, "wrong", address="198.51.100.52").status_code == 429


def test_drained_buckets_are_swept_by_the_next_login(proxied: Desk) -> None:
    guess(proxied, "wrong", username="made up", address="198.51.100.1")
    proxied.change(text("UPDATE login_buckets SET drained_at_ms = 1"))
    guess(proxied, PASSWORD, address="192.0.2.1")
    assert not [row for row in proxied.rows(select(login_buckets)) if row.drained_at_ms == 1]


class Clock:
    """What the throttle knows of the time."""

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
def test_a_clock_that_is_set_back_keeps_nobody_out(proxied: Desk, clock: Clock, back: timedelta) -> None:
    assert guess(proxied, "wrong", address="192.0.2.1").status_code == 401
    clock.ahead -= back
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 200


@pytest.mark.parametrize("back", JUMPS, ids=str)
def test_a_clock_that_is_set_back_gives_no_more_guesses(proxied: Desk, clock: Clock, back: timedelta) -> None:
    for n in range(5):
        assert guess(proxied, "wrong", address=f"198.51.100.{n}").status_code == 401
    clock.ahead -= back
    waiting = guess(proxied, PASSWORD, address="198.51.100.50")
    assert waiting.status_code == 429
    assert int(waiting.headers["retry-after"]) <= 900
    # And the wait that it was told is long enough, although the clock shows an earlier time than when it began.
    clock.ahead += timedelta(minutes=15)
    assert guess(proxied, "wrong", address="198.51.100.51").status_code == 401
    assert guess(proxied, "wrong", address="198.51.100.52").status_code == 429


def test_a_server_whose_clock_is_a_little_behind_gives_no_more_guesses(proxied: Desk, clock: Clock) -> None:
    for _ in range(5):
        guess(proxied, "wrong")
    clock.ahead -= timedelta(seconds=50)
    assert guess(proxied, "wrong").status_code == 429
