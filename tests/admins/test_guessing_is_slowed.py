"""Login guesses are throttled per username and per address; the real admin can still log in from a known browser."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import httpx2
import pytest
from httpx2 import Response
from sqlalchemy import select, text

from countinghouse.admins import passwords, throttle
from countinghouse.admins.actions import change_password
from countinghouse.admins.tables import login_buckets
from countinghouse.audit.actions import COMMAND
from countinghouse.core.db import Transaction
from tests.core.sockets import served
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.event_loop import run
from tests.waiting import eventually


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
    """The clock of the database, as the throttle reads it; tests can move it."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    async def clock_ms(self, _transaction: Transaction) -> int:
        return int((time.time() + self.ahead.total_seconds()) * 1000)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(throttle, "clock_ms", clock.clock_ms)
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


def test_a_clock_that_is_set_back_a_little_allows_no_extra_guesses(proxied: Desk, clock: Clock) -> None:
    for _ in range(5):
        guess(proxied, "wrong")
    clock.ahead -= timedelta(seconds=50)
    assert guess(proxied, "wrong").status_code == 429


def test_refused_logins_are_counted_per_admin_and_hour_and_a_typed_password_is_never_stored(proxied: Desk) -> None:
    for number in range(12):
        guess(proxied, "wrong", address=f"198.51.100.{number}")
    for _ in range(2):
        guess(proxied, "wrong", username="correct horse battery", address="198.51.100.99")
    rows = proxied.audit("login.refused")
    assert [(row.after["name"], row.after["refused"]) for row in rows[:2]] == [("asha", 1), ("asha", 10)]
    (unknown,) = rows[2:]
    assert unknown.after["name"] == unknown.subject_id == "unknown names from 198.51.100.99"
    assert unknown.after["refused"] == 1
    assert {row.actor for row in rows} == {"login"}
    for table in ("refused_logins", "audit_log", "login_buckets"):
        assert "horse" not in str(proxied.rows(text(f"SELECT * FROM {table}")))


def test_a_changed_password_gives_strangers_their_guesses_back(proxied: Desk) -> None:
    for number in range(6):
        guess(proxied, "wrong", address=f"198.51.100.{number}")
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 429
    run(proxied.database.write(lambda transaction: change_password(transaction, COMMAND, "Asha", "another hash")))
    assert guess(proxied, PASSWORD, address="192.0.2.1").status_code == 200


def test_of_the_first_guesses_ever_at_the_same_time_five_are_checked(proxied: Desk, count_of_hashes: list[str]) -> None:
    """They find no salt to hash the name with, and must agree on one."""

    def send(number: int) -> int:
        return guess(proxied, "wrong", address=f"198.51.100.{number}").status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(send, range(20))) == [401] * 5 + [429] * 15
    assert len(count_of_hashes) == 5


def test_a_known_device_does_not_wait_behind_strangers(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four hundred guesses from twenty addresses hold every place for strangers. Most are refused at once."""
    desk = open_desk(peer="127.0.0.1", trusted_proxies="127.0.0.0/8")
    mark = guess(desk, PASSWORD, address="192.0.2.1").cookies["countinghouse_device"]
    desk.client.cookies.clear()
    goes_on, answers = threading.Event(), []

    def verify(_password_hash: str | None, password: str) -> bool:
        assert password == PASSWORD or goes_on.wait(60)
        return password == PASSWORD

    monkeypatch.setattr(passwords, "_verify", verify)
    with served(desk.client.app) as port, httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:

        def send(number: int) -> None:
            body = {"username": f"name{number}", "password": "wrong"}
            headers = {"X-Forwarded-For": f"198.51.100.{number % 20}"}
            answers.append(client.post("/api/admin/login", json=body, headers=headers))

        with ThreadPoolExecutor(40) as pool:
            sent = [pool.submit(send, number) for number in range(400)]
            eventually(lambda: len(answers) > 300)
            known = client.post(
                "/api/admin/login",
                json={"username": "asha", "password": PASSWORD},
                headers={"X-Forwarded-For": "192.0.2.1", "Cookie": f"countinghouse_device={mark}"},
            )
            assert known.status_code == 200
            goes_on.set()
            for one in sent:
                one.result()
    refused = [answer for answer in answers if answer.status_code == 503]
    assert len(refused) > 300
    assert all("retry-after" in answer.headers for answer in refused)
