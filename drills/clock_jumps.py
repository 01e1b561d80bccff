"""Clocks that jump by hours and days while admins log in and move claims.

Nobody is locked out, no move is lost, and none happens twice.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from drills.pairs import IMPORTS_FROM
from drills.rows import add_claims, find_faults_in_history
from tests.databases import PASSWORD
from tests.direct_database import DirectDatabase
from tests.servers import running_server

JUMPING = (sys.executable, "-m", "drills.jumping_server")
TARGETS = ("Accepted", "Paid")
HOUR, DAY = 3600, 24 * 3600
# The successive errors of the clock, in seconds.
WRONG_BY = (0, 2 * HOUR, 0, -2 * HOUR, 26 * HOUR, 0, -3 * DAY, 10 * DAY, -HOUR, 40 * DAY, 0)
# The number of wrong passwords before the right one, at each jump. Five would be too many at any time: on PostgreSQL,
# whose clock does not jump, within the whole drill.
WRONG_GUESSES = (0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0)
MOST_BY_ONE_CLOCK = 4


@dataclass
class ClockJumps:
    jumps: int = 0
    moves: int = 0
    logins: int = 0
    # Answers that an admin must not get, one sentence each.
    refused: list[str] = field(default_factory=list)
    # Claims whose history lacks a move, or contains it more than once.
    faults: list[str] = field(default_factory=list)


def jump(database_url: str, *, claims_a_jump: int, rounds: int = 1) -> ClockJumps:
    """Each claim is accepted before a jump and paid after it, and each request is repeated once after that jump."""
    result = ClockJumps()
    database = DirectDatabase(database_url)
    try:
        guesses = [*WRONG_GUESSES] * rounds
        if not database.is_sqlite:
            guesses = [count if sum(guesses[:place]) < MOST_BY_ONE_CLOCK else 0 for place, count in enumerate(guesses)]
        jumps = [*zip(WRONG_BY * rounds, guesses, strict=True)]
        ids = add_claims(database, claims_a_jump * len(jumps))
        with TemporaryDirectory(prefix="countinghouse-clock-") as folder:
            clock = Path(folder) / "wrong_by"
            clock.write_text("0")
            settings: dict[str, Any] = {
                "DRILL_CLOCK": str(clock),
                "PYTHONPATH": IMPORTS_FROM,
                "COUNTINGHOUSE_LOG_LEVEL": "warning",
            }
            with (
                running_server(database_url, JUMPING, **settings) as server,
                httpx2.Client(base_url=server, timeout=30) as client,
            ):
                _Admin(client, clock, result).work(jumps, ids, claims_a_jump)
        result.faults = find_faults_in_history(database, [(one, target) for one in ids for target in TARGETS])
    finally:
        database.close()
    return result


class _Admin:
    def __init__(self, client: httpx2.Client, clock: Path, result: ClockJumps) -> None:
        self.client = client
        self.clock = clock
        self.result = result
        self.token = "none"  # noqa: S105 - until the first login

    def work(self, jumps: Sequence[tuple[int, int]], ids: list[str], claims_a_jump: int) -> None:
        before: list[str] = []
        for place, (wrong_by, wrong_guesses) in enumerate(jumps):
            self.clock.write_text(str(wrong_by))
            self.result.jumps += 1
            for _ in range(wrong_guesses):
                self._expect(401, self._log_in("wrong"), "a wrong password")
            self._sign_in()
            mine = ids[place * claims_a_jump : (place + 1) * claims_a_jump]
            for claim_id in before:
                # Simulates a reply that was lost before the clock jumped.
                self._move(claim_id, TARGETS[0], again=True)
                self._move(claim_id, TARGETS[1])
            for claim_id in mine:
                self._move(claim_id, TARGETS[0])
            self._check_count(len(ids))
            before = mine
        for claim_id in before:
            self._move(claim_id, TARGETS[1])

    def _log_in(self, password: str) -> httpx2.Response:
        # As an unknown browser: a known one has its own rate limit bucket.
        self.client.cookies.clear()
        return self.client.post("/api/admin/login", json={"username": "asha", "password": password})

    def _sign_in(self) -> None:
        answer = self._log_in(PASSWORD)
        if self._expect(200, answer, "the right password"):
            self.token = answer.json()["token"]
            self.result.logins += 1

    def _call(self, method: str, path: str, **more: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.token}"} | more.pop("headers", {})
        return self.client.request(method, path, headers=headers, **more)

    def _move(self, claim_id: str, target: str, *, again: bool = False) -> None:
        key = {"Idempotency-Key": f"{claim_id}-{target}"}
        answer = self._call("PUT", f"/api/claims/{claim_id}/status", json={"status": target}, headers=key)
        if self._expect(200, answer, f"{claim_id} to {target}") and not again:
            self.result.moves += 1

    def _check_count(self, claims: int) -> None:
        answer = self._call("GET", "/api/claims/all?limit=1")
        if self._expect(200, answer, "the list") and answer.headers["x-total-count"] != str(claims):
            self.result.refused.append(f"{answer.headers['x-total-count']} of {claims} claims are counted")

    def _expect(self, status: int, answer: httpx2.Response, asked: str) -> bool:
        if answer.status_code != status:
            wrong_by = self.clock.read_text()
            self.result.refused.append(f"{asked}, clock wrong by {wrong_by} s: {answer.status_code} {answer.text}")
        return answer.status_code == status
