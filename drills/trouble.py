"""A server under load while its database has a fault, and what must hold whatever the fault is."""

import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from drills.clients import CLIENTS, PATIENCE_SECONDS, Clients, Noted, ask
from drills.ledger import Ledger
from drills.rows import add_claims
from tests.databases import PASSWORD, Template
from tests.direct_database import DirectDatabase
from tests.servers import Server, started_server

STOP_SECONDS = 15.0
GROWTH_MEGABYTES = 256
CALM_SECONDS = 1.5
SHORT_CALM_SECONDS = 0.5
LONGEST_RETURN_SECONDS = 30.0
WARM_UP_SECONDS = 1.5
FINE = (409, 422)


@dataclass(frozen=True, slots=True)
class Limits:
    # Every request is answered within this time, if only with a refusal.
    refusal_seconds: float
    # No request is refused any more when the database has been back for this long.
    return_seconds: float


PROMISED = Limits(refusal_seconds=10.0, return_seconds=5.0)
# The short versions run while other tests keep the processors busy. They show that no request stays unanswered for
# ever; the long versions check the seconds.
BESIDE_OTHER_WORK = Limits(refusal_seconds=PATIENCE_SECONDS, return_seconds=15.0)


@dataclass(frozen=True, slots=True)
class Trouble:
    name: str
    began: float
    # When the database became usable again, whether or not the server has noticed.
    over: float


@dataclass
class Outcome:
    troubles: list[Trouble] = field(default_factory=list)
    notes: list[Noted] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    returns: list[float] = field(default_factory=list)
    stops: list[float] = field(default_factory=list)
    growth_megabytes: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        refused = [noted.seconds for noted in self.notes if noted.status == 503]
        stops = ", ".join(f"{seconds:.1f}" for seconds in self.stops)
        return (
            f"{len(self.troubles)} troubles under {CLIENTS} clients: {len(self.notes)} requests, "
            f"{len(refused)} refused (slowest {max(refused, default=0):.1f} s), "
            f"{len(self.ledger.acknowledged)} moves acknowledged, "
            f"normal after {max(self.returns, default=0):.1f} s at most, SIGTERM took {stops} s, "
            f"memory {self.growth_megabytes:+} MB"
        )


class UnderLoad:
    """Clients using a running server. Each fault is caused, waited for until it is over, and recovered from."""

    def __init__(self, server: Server, clients: Clients, outcome: Outcome, *, is_long: bool) -> None:
        self.server = server
        self.clients = clients
        self.outcome = outcome
        self._is_long = is_long
        self._limits = PROMISED if is_long else BESIDE_OTHER_WORK
        time.sleep(WARM_UP_SECONDS)
        self._megabytes_before = megabytes_of(server)

    def meet(self, name: str, make: Callable[[], None], over_after: float = 0.0) -> None:
        """`make` returns when the database is back, or `over_after` seconds before the server can know that it is."""
        began = time.monotonic()
        make()
        trouble = Trouble(name, began, time.monotonic() + over_after)
        self.outcome.troubles.append(trouble)
        self._wait_for_normal_service(trouble)
        # Every third fault is followed by a quiet period in which no request may be refused any more.
        is_calm = self._is_long and len(self.outcome.troubles) % 3 == 0
        calm = trouble.over + self._limits.return_seconds + CALM_SECONDS
        calm_until = calm if is_calm else time.monotonic() + SHORT_CALM_SECONDS
        time.sleep(max(0.0, calm_until - time.monotonic()))

    def _wait_for_normal_service(self, trouble: Trouble) -> None:
        """Waits until a page and /readyz succeed three times in a row."""
        in_a_row = 0
        while in_a_row < 3 and time.monotonic() < trouble.over + LONGEST_RETURN_SECONDS:
            answers = [
                ask(self.server.url, "GET", path, token=self.clients.token, seconds=self._limits.return_seconds)
                for path in ("/readyz", "/api/claims/all?limit=50")
            ]
            in_a_row = in_a_row + 1 if all(answer.status == 200 for answer in answers) else 0
        took = time.monotonic() - trouble.over
        self.outcome.returns.append(took)
        if in_a_row < 3:
            self.outcome.faults.append(
                f"{trouble.name}: no normal service within {took:.0f} s of the database's return"
            )
        elif took > self._limits.return_seconds:
            self.outcome.faults.append(f"{trouble.name}: normal service only {took:.1f} s after the database's return")

    def finish(self, state: str) -> None:
        """Sends SIGTERM while clients are working and the database is as the caller left it."""
        self.outcome.growth_megabytes = megabytes_of(self.server) - self._megabytes_before
        if self.outcome.growth_megabytes > GROWTH_MEGABYTES:
            self.outcome.faults.append(f"memory grew by {self.outcome.growth_megabytes} MB")
        asked_at = time.monotonic()
        self.server.process.terminate()
        try:
            self.server.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.outcome.faults.append(f"SIGTERM with {state}: still alive after {STOP_SECONDS:g} s")
            self.server.process.kill()
        self.outcome.stops.append(time.monotonic() - asked_at)
        self.clients.stop()
        # Requests that were running at SIGTERM, or came after it, may stay unanswered.
        judged = [noted for noted in self.clients.notes if noted.ended < asked_at]
        self.outcome.notes += judged
        self.outcome.faults += judge(judged, self.outcome.troubles, self._limits)


@contextmanager
def under_load(
    database_url: str, desk: Template, outcome: Outcome, *, claims: int, is_long: bool
) -> Iterator[UnderLoad]:
    """`database_url` is how the server reaches the database, for example through a proxy."""
    database = DirectDatabase(desk.url)
    ids = add_claims(database, claims)
    database.close()
    with started_server(database_url, COUNTINGHOUSE_LOG_LEVEL="warning") as server:
        clients = Clients(server.url, desk.tokens["asha"], "asha", PASSWORD, ids, outcome.ledger)
        clients.start()
        try:
            yield UnderLoad(server, clients, outcome, is_long=is_long)
        finally:
            clients.stop()


def judge(notes: list[Noted], troubles: list[Trouble], limits: Limits) -> list[str]:
    """One sentence for each kind of wrong answer, with how often it occurred and when first."""
    wrong: dict[str, list[Noted]] = defaultdict(list)
    for noted in notes:
        problem = _problem_of(noted, troubles, limits)
        if problem:
            wrong[f"{noted.what}: {problem}"].append(noted)
    return [
        f"{problem}, {len(found)} times, first during or after: {_trouble_before(found[0], troubles)}"
        for problem, found in sorted(wrong.items())
    ]


def _problem_of(noted: Noted, troubles: list[Trouble], limits: Limits) -> str | None:
    if noted.status is None:
        return noted.problem
    if noted.seconds > limits.refusal_seconds:
        # An early refusal would have been better than any answer this late.
        return f"{noted.status} after more than {limits.refusal_seconds:g} s"
    if noted.status == 503:
        if not noted.may_retry:
            return "503 without Retry-After"
        if not any(_overlap(noted, trouble, limits) for trouble in troubles):
            return "503 while the database was well"
        return None
    if noted.status == 429 and noted.what == "POST login" and noted.may_retry:
        # A login attempt is counted before the password is checked and given back afterwards. One that is interrupted
        # in between stays counted, so after many faults the account's limit is reached.
        return None
    is_fine = 200 <= noted.status < 300 or noted.status in FINE
    return None if is_fine else f"answered {noted.status}"


def _overlap(noted: Noted, trouble: Trouble, limits: Limits) -> bool:
    return noted.ended >= trouble.began and noted.began <= trouble.over + limits.return_seconds


def _trouble_before(noted: Noted, troubles: list[Trouble]) -> str:
    begun = [trouble.name for trouble in troubles if trouble.began <= noted.ended]
    return f"{begun[-1]} (number {len(begun)})" if begun else "nothing at all"


def megabytes_of(server: Server) -> int:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(resident.split()[1]) // 1024
