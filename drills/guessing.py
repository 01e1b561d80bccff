"""A simulated day in which thousands of addresses guess the password of one admin, who keeps logging in."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from io import BytesIO, TextIOWrapper

import pytest
from httpx2 import Response

from countinghouse.admins import passwords, throttle
from countinghouse.admins.routes import DEVICE_COOKIE
from countinghouse.core.db import Transaction
from countinghouse.settings import Settings
from tests.databases import PASSWORD
from tests.desk import Desk

ADDRESSES = 2_000
MOST_GUESSES = 120
DAY = 24 * 3600
FIRST_DAY = 1_800_000_000.0
HOUR = 3600
BURST_EVERY = 3 * HOUR
# The same name to the desk, so they must share their guesses.
SPELLINGS = ("asha", "ASHA", "Asha", "\uff21\uff33\uff28\uff21")
OTHER_DEVICES = ("", "ravi", "made up")


@dataclass
class Clock:
    """Stands for the clock of the database in the throttle."""

    now: float

    async def clock_ms(self, _transaction: Transaction) -> int:
        return int(self.now * 1000)


@dataclass
class Day:
    desk: Desk
    clock: Clock
    addresses: int
    guesses: int = 0
    # Wrong passwords that were compared with the admin's hash.
    reached: int = 0
    logins: int = 0
    faults: list[str] = field(default_factory=list)
    devices: dict[str, str] = field(default_factory=dict)
    _second: float = 0.0

    def wait(self, seconds: float) -> bool:
        """Moves the clock. Each hour the admin logs in, from the address of an attacker. False when the day is over."""
        until = self._second + seconds
        while (self._second // HOUR + 1) * HOUR <= min(until, DAY):
            self._to((self._second // HOUR + 1) * HOUR)
            self._log_in_as_admin()
        self._to(until)
        return until < DAY

    def _to(self, second: float) -> None:
        self.clock.now += second - self._second
        self._second = second

    def _log_in_as_admin(self) -> None:
        answer = self.send("asha", PASSWORD, address=self.logins % self.addresses, device=self.devices["asha"])
        self.logins += 1
        if answer.status_code != 200:
            self.faults.append(f"After {self._second / HOUR:.0f} hours the admin got {answer.status_code}.")

    def guess(self, number: int, *, name: str = "asha", device: str = "") -> Response:
        self.guesses += 1
        answer = self.send(name, "wrong", address=number % self.addresses, device=self.devices.get(device, device))
        if answer.status_code not in (401, 429):
            self.faults.append(f"A guess was answered with {answer.status_code}.")
        return answer

    def send(self, name: str, password: str, *, address: int, device: str) -> Response:
        headers = {"X-Forwarded-For": f"198.18.{address // 250}.{address % 250}"}
        self.desk.client.cookies.clear()
        if device:
            self.desk.client.cookies.set(DEVICE_COOKIE, device)
        body = {"username": name, "password": password}
        return self.desk.call("POST", "/api/admin/login", by=None, json=body, headers=headers)


def steadily(day: Day) -> None:
    """One guess from each address, evenly through the day."""
    for number in range(day.addresses):
        day.guess(number)
        day.wait(DAY / day.addresses)


def in_bursts(day: Day) -> None:
    """All addresses at the same moment, right after the admin has logged in."""
    while True:
        for number in range(day.addresses):
            day.guess(number)
        if not day.wait(BURST_EVERY):
            return


def patiently(day: Day) -> None:
    """Each guess as soon as one is allowed, from an address that was never refused, in every spelling of the name, and
    with the device of another admin."""
    is_over = False
    while not is_over:
        number = day.guesses
        name, device = SPELLINGS[number % len(SPELLINGS)], OTHER_DEVICES[number % len(OTHER_DEVICES)]
        answer = day.guess(number, name=name, device=device)
        is_over = answer.status_code == 429 and not day.wait(int(answer.headers["retry-after"]))


Shape = Callable[[Day], None]
SHAPES: tuple[Shape, ...] = (steadily, in_bursts, patiently)


def guess_for_a_day(database_url: str, shape: Shape, *, addresses: int = ADDRESSES, number: int = 0) -> Day:
    """With another number it is another day, on which nothing is left of the guesses before."""
    with _simulated(database_url, addresses, Clock(FIRST_DAY + 2 * DAY * number)) as day:
        for name in ("asha", "ravi"):
            first = day.send(name, PASSWORD, address=addresses, device="")
            day.devices[name] = first.cookies[DEVICE_COOKIE]
        shape(day)
    if day.reached > MOST_GUESSES:
        day.faults.append(f"{day.reached} guesses reached the hash of the password.")
    if not day.logins or not day.reached:
        day.faults.append("The simulation showed nothing.")
    return day


@contextmanager
def _simulated(database_url: str, addresses: int, clock: Clock) -> Iterator[Day]:
    settings = Settings(
        database_url=database_url, trusted_proxies=("127.0.0.0/8",), log_level="warning", _env_file=None
    )
    day = Day(Desk(settings, {}, peer="127.0.0.1"), clock, addresses)

    def verify(password_hash: str | None, password: str) -> bool:
        # Without argon2, which would take a minute of the processors for a day.
        is_right = password == PASSWORD
        day.reached += password_hash is not None and not is_right
        return password_hash is not None and is_right

    # The desk logs every guess that fails.
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(TextIOWrapper(BytesIO())):
        patch.setattr(throttle, "clock_ms", day.clock.clock_ms)
        patch.setattr(passwords, "_verify", verify)
        try:
            yield day
        finally:
            day.desk.close()
