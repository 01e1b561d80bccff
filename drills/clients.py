"""Clients that use every part of the application while something happens to it, and record every answer."""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, cycle
from typing import Any
from urllib.parse import urlsplit

from drills.ledger import Ledger

READS = (
    "/api/claims/all?limit=50",
    "/api/claims/all?limit=50&q=ananya",
    "/api/claims/totals",
    "/readyz",
    "/api/users?limit=50&q=an",
    "/api/purchases/all?limit=50&sort=invest",
)
TARGETS = ("Accepted", "Paid")
READERS, MOVERS_WITH_KEY, MOVERS_WITHOUT_KEY = 11, 4, 4
# Plus the client that logs in again and again.
CLIENTS = READERS + MOVERS_WITH_KEY + MOVERS_WITHOUT_KEY + 1
# Long enough that twenty clients leave a small machine idle now and then: this measures waiting, not throughput.
PAUSE_SECONDS = 0.01
LOGIN_PAUSE_SECONDS = 0.5
PATIENCE_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Noted:
    what: str
    began: float
    ended: float
    # None if there was no answer; `problem` then says why.
    status: int | None
    may_retry: bool = False
    problem: str = ""
    body: Any = None

    @property
    def seconds(self) -> float:
        return self.ended - self.began


def ask(
    url: str,
    method: str,
    path: str,
    *,
    token: str | None = None,
    body: Any = None,
    key: str | None = None,
    seconds: float = PATIENCE_SECONDS,
) -> Noted:
    """Uses a new connection, so that one which the server has just closed is never mistaken for a fault."""
    what = f"{method} {path.partition('?')[0] if body is None else path.rpartition('/')[2]}"
    headers = {"Connection": "close"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    if key is not None:
        headers["Idempotency-Key"] = key
    if body is not None:
        headers["Content-Type"] = "application/json"
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=seconds)
    began = time.monotonic()
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
    except TimeoutError:
        return Noted(what, began, time.monotonic(), None, problem=f"no answer within {seconds:g} s")
    except (OSError, http.client.HTTPException) as error:
        return Noted(what, began, time.monotonic(), None, problem=f"the connection broke ({type(error).__name__})")
    finally:
        connection.close()
    is_json = answer.headers.get_content_type() == "application/json"
    return Noted(
        what,
        began,
        time.monotonic(),
        answer.status,
        may_retry="retry-after" in answer.headers,
        body=json.loads(text) if is_json and text else None,
    )


@dataclass
class Clients:
    """Twenty threads. The claims are divided among the eight that move them."""

    url: str
    token: str
    username: str
    password: str
    claims: list[str]
    ledger: Ledger
    notes: list[Noted] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        movers = MOVERS_WITH_KEY + MOVERS_WITHOUT_KEY
        jobs: list[Callable[[], None]] = [self._log_in]
        jobs += [self._reading_from(number) for number in range(READERS)]
        jobs += [
            self._moving(self.claims[number::movers], with_keys=number < MOVERS_WITH_KEY) for number in range(movers)
        ]
        self._threads = [threading.Thread(target=work) for work in jobs]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Returns when every request sent so far has its answer, or has run into its timeout."""
        self._stop.set()
        for thread in self._threads:
            thread.join(2 * PATIENCE_SECONDS)
            assert not thread.is_alive()

    def _ask(self, method: str, path: str, **more: Any) -> Noted:
        noted = ask(self.url, method, path, **more)
        self.notes.append(noted)
        return noted

    def _reading_from(self, number: int) -> Callable[[], None]:
        def read() -> None:
            paths = cycle(READS[number % len(READS) :] + READS[: number % len(READS)])
            while not self._stop.wait(PAUSE_SECONDS):
                self._ask("GET", next(paths), token=self.token)

        return read

    def _log_in(self) -> None:
        body = {"username": self.username, "password": self.password}
        while not self._stop.wait(LOGIN_PAUSE_SECONDS):
            self._ask("POST", "/api/admin/login", body=body)

    def _moving(self, claims: list[str], *, with_keys: bool) -> Callable[[], None]:
        def move() -> None:
            for claim_id in claims:
                for target in TARGETS:
                    if not self._move(claim_id, target, with_keys=with_keys):
                        break
                if self._stop.is_set():
                    return

        return move

    def _move(self, claim_id: str, target: str, *, with_keys: bool) -> bool:
        """Returns whether it was acknowledged. With a key it is retried until it is; without one it is tried once."""
        key = f"{claim_id}-{target}" if with_keys else None
        for _ in self._attempts():
            path = f"/api/claims/{claim_id}/status"
            noted = self._ask("PUT", path, token=self.token, body={"status": target}, key=key)
            if noted.status == 200:
                self.ledger.acknowledged.add((claim_id, target))
                return True
            if noted.status in (409, 422) or not with_keys:
                return False
        return False

    def _attempts(self) -> Iterator[int]:
        for number in count():
            if self._stop.wait(PAUSE_SECONDS):
                return
            yield number
