"""Floods of logins, of pictures and of stalled readers, all at once. Other calls are answered meanwhile."""

import asyncio
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx2

from countinghouse.admins.routes import DEVICE_COOKIE, LOGIN_PATH
from drills.picture_flood import honest_code, memory_of, post_picture, tiled_with_corners
from drills.rows import add_claims, add_signed_in_admins
from drills.stalled_readers import CLAIMS, start_reading
from tests.databases import PASSWORD
from tests.direct_database import DirectDatabase
from tests.servers import Server

# The server believes the addresses that the flood of logins claims to come from.
SETTINGS: dict[str, Any] = {"COUNTINGHOUSE_TRUSTED_PROXIES": "127.0.0.0/8", "COUNTINGHOUSE_LOG_LEVEL": "warning"}
GUESSERS, SENDERS, READERS = 20, 20, 30
SENDING_ADMINS = 10
ADDRESSES = 2_000
STALLED_SECONDS = 20.0
LOGIN_EVERY_SECONDS = 2.0
PAUSE_SECONDS = 0.05
# The picture worker may take 192 MB more than at its start, and each of three passwords takes 64 MB while it is hashed.
MOST_GROWTH_MEGABYTES = 512
PATIENCE_SECONDS = 60.0
PAGES = ("/api/claims/all?limit=50", "/api/qr", "/api/claims/totals", "/healthz")


@dataclass
class Floods:
    logins: Counter[int] = field(default_factory=Counter)
    pictures: Counter[int] = field(default_factory=Counter)
    stalled: int = 0
    # What others asked for, and how often it was answered.
    answered: Counter[str] = field(default_factory=Counter)
    tried_again: int = 0
    slowest: tuple[float, str] = (0.0, "")
    growth_megabytes: float = 0.0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.logins.total()} guesses {dict(self.logins)}, {self.pictures.total()} pictures "
            f"{dict(self.pictures)} and {self.stalled} stalled readers: {self.answered.total()} other calls answered, "
            f"{self.tried_again} at another try, within {self.slowest[0]:.1f} s, {self.growth_megabytes:.0f} MB more"
        )


def flood_together(database_url: str, server: Server, *, seconds: float, slowest_seconds: float) -> Floods:
    """The server was started with `SETTINGS`."""
    database = DirectDatabase(database_url)
    try:
        claims = add_claims(database, CLAIMS)
        *senders, other = add_signed_in_admins(database, SENDING_ADMINS + 1)
    finally:
        database.close()
    before = memory_of(server.process.pid)
    flood = _Flood(server, senders, other, claims)
    found = asyncio.run(flood.run(seconds))
    found.growth_megabytes = (flood.peak - before) / 1024
    if found.slowest[0] > slowest_seconds:
        found.faults.append(f"{found.slowest[1]} took {found.slowest[0]:.1f} s.")
    if found.growth_megabytes > MOST_GROWTH_MEGABYTES:
        found.faults.append(f"Memory grew by {found.growth_megabytes:.0f} MB.")
    if unexpected := set(found.logins) - {401, 429, 503}:
        found.faults.append(f"Guesses were answered with {sorted(unexpected)}.")
    if unexpected := set(found.pictures) - {200, 422, 503}:
        found.faults.append(f"Pictures were answered with {sorted(unexpected)}.")
    # On a busy machine all places are taken before anybody has guessed too often.
    if not found.logins[429] + found.logins[503] or not found.pictures[503] or not found.pictures[200]:
        found.faults.append("There was no flood.")
    return found


@dataclass
class _Flood:
    server: Server
    senders: list[str]
    other: str
    claims: list[str]
    # Drawn beforehand: it takes a while, and nothing else is sent meanwhile.
    honest: bytes = field(default_factory=honest_code)
    hostile: bytes = field(default_factory=tiled_with_corners)
    ends_at: float = 0.0
    peak: int = 0
    found: Floods = field(default_factory=Floods)

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.ends_at

    async def run(self, seconds: float) -> Floods:
        async with httpx2.AsyncClient(base_url=self.server.url, timeout=PATIENCE_SECONDS) as client:
            first = await client.post(LOGIN_PATH, json={"username": "asha", "password": PASSWORD})
            device = first.cookies[DEVICE_COOKIE]
            client.cookies.clear()
            self.ends_at = time.monotonic() + seconds
            attacks: list[Coroutine[Any, Any, None]] = [
                *(self._guess(client, number) for number in range(GUESSERS)),
                *(self._send_pictures(number) for number in range(SENDERS)),
                *(self._stall(self.senders[number % SENDING_ADMINS]) for number in range(READERS)),
            ]
            await asyncio.gather(*attacks, self._use(client), self._log_in(client, device))
        return self.found

    async def _guess(self, client: httpx2.AsyncClient, guesser: int) -> None:
        for number in count(guesser, GUESSERS):
            if self.is_over:
                return
            place = number % ADDRESSES
            name = "asha" if number % 2 else f"name{number}"
            answer = await client.post(
                LOGIN_PATH,
                json={"username": name, "password": "wrong"},
                headers={"X-Forwarded-For": f"198.18.{place // 250}.{place % 250}"},
            )
            self.found.logins[answer.status_code] += 1
            if answer.status_code in (429, 503) and "retry-after" not in answer.headers:
                self.found.faults.append(f"A guess got {answer.status_code} without Retry-After.")
            await asyncio.sleep(PAUSE_SECONDS)

    async def _send_pictures(self, number: int) -> None:
        picture = self.honest if number % 5 == 0 else self.hostile
        while not self.is_over:
            token = self.senders[number % SENDING_ADMINS]
            self.found.pictures[await post_picture(self.server.url, token, picture)] += 1
            await asyncio.sleep(PAUSE_SECONDS)

    async def _stall(self, token: str) -> None:
        """Asks for the whole list, reads nothing of it, and begins again."""
        while not self.is_over:
            with suppress(OSError), start_reading(self.server.port, token):
                self.found.stalled += 1
                await asyncio.sleep(min(STALLED_SECONDS, max(0.0, self.ends_at - time.monotonic())))

    async def _use(self, client: httpx2.AsyncClient) -> None:
        waiting = iter(self.claims)
        while not self.is_over:
            for page in PAGES:
                await self._ask(client, "GET", page)
            claim_id = next(waiting, None)
            if claim_id is not None:
                await self._ask(client, "PUT", f"/api/claims/{claim_id}/status", json={"status": "Accepted"})
            self.peak = max(self.peak, memory_of(self.server.process.pid))
            await asyncio.sleep(PAUSE_SECONDS)

    async def _log_in(self, client: httpx2.AsyncClient, device: str) -> None:
        """The admin whose password is guessed, on a device that is known."""
        headers = {"Cookie": f"{DEVICE_COOKIE}={device}", "X-Forwarded-For": "198.18.0.1"}
        while not self.is_over:
            body = {"username": "asha", "password": PASSWORD}
            await self._ask(client, "POST", LOGIN_PATH, json=body, headers=headers)
            await asyncio.sleep(LOGIN_EVERY_SECONDS)

    async def _ask(self, client: httpx2.AsyncClient, method: str, path: str, **more: Any) -> None:
        """Until it succeeds: a 503 says when to try again, and the waiting counts."""
        headers = {"Authorization": f"Bearer {self.other}"} | more.pop("headers", {})
        what, began = f"{method} {path.partition('?')[0]}", time.monotonic()
        while time.monotonic() - began < PATIENCE_SECONDS:
            try:
                answer = await client.request(method, path, headers=headers, **more)
            except httpx2.HTTPError as error:
                self.found.faults.append(f"{what} was not answered: {type(error).__name__}.")
                return
            if answer.status_code != 503:
                break
            self.found.tried_again += 1
            await asyncio.sleep(int(answer.headers["retry-after"]))
        if answer.status_code != 200:
            self.found.faults.append(f"{what} was answered with {answer.status_code}: {answer.text[:200]}")
        self.found.slowest = max(self.found.slowest, (time.monotonic() - began, what))
        self.found.answered[method if method == "PUT" else what] += 1
