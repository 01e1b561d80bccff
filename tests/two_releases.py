"""Clients of two releases that serve one database: the service pushes claims, admins move and read them."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from httpx2 import Client, Response
from sqlalchemy import select

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions
from countinghouse.demo.actions import DEMO_PASSWORD, DEMO_USERNAME
from countinghouse.webhooks.tables import webhook_deliveries
from tests.desk import Desk
from tests.servers import Server
from tests.waiting import PATIENCE_SECONDS, eventually
from tests.webhooks.receiver import Receiver

# Enough that moves, pages and rows of the service meet each step of the migration.
MOVERS = 3
ROWS_IN_A_CALL = 5
# Between two requests of one client.
PAUSE_SECONDS = 0.02
BUYER: dict[str, Any] = {"externalId": "u-1", "username": "Ananya Iyer", "mobile": "9805756092"}
PURCHASE: dict[str, Any] = {
    "externalId": "p-1",
    "user": {"externalId": "u-1"},
    "invest": 5000,
    "dailyIncome": 62.5,
    "upiId": "631902345678",
    "claimType": "Daily",
    "qrName": "Desk 1",
    "createdAt": "2026-11-01T09:30:00+05:30",
}
CLAIM: dict[str, Any] = {
    "user": {"externalId": "u-1"},
    "purchase": {"externalId": "p-1"},
    "amount": 62.5,
    "accountNo": "004512345678",
    "ifsc": "HDFC0001234",
    "address": "14 MG Road, Kochi 682016",
}
LISTS = ("/api/claims/all?limit=25", "/api/purchases/all?limit=25", "/api/users?limit=25", "/api/claims/all?q=ananya")


def settings_of_both(tmp_path: Path) -> dict[str, str]:
    return {
        "COUNTINGHOUSE_WEBHOOK_PRIVATE_TARGETS": "127.0.0.0/8",
        "COUNTINGHOUSE_DATA_DIR": str(tmp_path / "data"),
        "COUNTINGHOUSE_LOG_LEVEL": "warning",
    }


@dataclass
class Traffic:
    """What clients sent, and what they were answered."""

    token: str
    key: str
    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    # Acknowledged moves, and claims that the service has pushed.
    moved: list[tuple[str, str]] = field(default_factory=list)
    pushed: list[str] = field(default_factory=list)
    pages: int = 0
    client: Client = field(default_factory=lambda: Client(timeout=PATIENCE_SECONDS))
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def ask(self, method: str, url: str, *, token: str = "", key: str = "", json: Any = None) -> Response:
        """Repeats a request that was refused for now, as clients do: the tables are locked while they are migrated."""
        headers = {"Authorization": f"Bearer {token or self.token}"} | ({"Idempotency-Key": key} if key else {})
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            answer: Response = self.client.request(method, url, headers=headers, json=json)
            status = answer.status_code
            self.answers[f"{method} {status}"] += 1
            is_refused = status == 503 and "retry-after" in answer.headers
            if not (is_refused or status == 409 or answer.is_success):
                self.wrong.append(f"{method} {url}: {status} {answer.text[:200]}")
            if not is_refused or time.monotonic() > deadline:
                return answer
            time.sleep(PAUSE_SECONDS)

    def push(self, url: str, rows: int = ROWS_IN_A_CALL) -> list[str]:
        """Returns the ids of new claims that this server has stored."""
        external = [f"c-{next(self._numbers)}" for _ in range(rows)]
        body = [CLAIM | {"externalId": one} for one in external]
        answer = self.ask("POST", f"{url}/api/intake/claims", token=self.key, key=external[0], json=body)
        results = answer.json()["results"]
        assert {result["outcome"] for result in results} == {"created"}, results
        ids = [str(result["_id"]) for result in results]
        self.pushed += ids
        return ids

    def move(self, url: str, claim_id: str, status: str, token: str = "") -> int:
        key, body = f"{claim_id}-{status}-{url}", {"status": status}
        answer = self.ask("PUT", f"{url}/api/claims/{claim_id}/status", token=token, key=key, json=body)
        if answer.status_code == 200:
            self.moved.append((claim_id, status))
        return answer.status_code

    def page_through(self, url: str, path: str) -> list[str]:
        found: list[str] = []
        following: str | None = f"{url}{path}"
        while following:
            answer = self.ask("GET", following)
            found += [row["_id"] for row in answer.json()]
            following = answer.links.get("next", {}).get("url")
            self.pages += 1
        assert len(found) == len(set(found)), f"{path} has a row twice"
        return found

    def wait_for_more(self) -> None:
        moved, pages, pushed = len(self.moved) + 10, self.pages + 10, len(self.pushed) + 2 * ROWS_IN_A_CALL
        eventually(
            lambda: self.wrong or (len(self.moved) > moved and self.pages > pages and len(self.pushed) >= pushed)
        )
        assert self.wrong == []


@contextmanager
def clients(traffic: Traffic, url: str) -> Iterator[None]:
    """Push, move and read at this server until the block ends."""
    stop, waiting = threading.Event(), SimpleQueue[str]()

    def push() -> None:
        for claim_id in traffic.push(url):
            waiting.put(claim_id)

    def move() -> None:
        try:
            claim_id = waiting.get(timeout=PAUSE_SECONDS)
        except Empty:
            return
        for status in ("Accepted", "Paid"):
            assert traffic.move(url, claim_id, status) == 200

    def read() -> None:
        for path in LISTS:
            traffic.page_through(url, path)
        traffic.ask("GET", f"{url}/api/claims/totals")

    def repeat(work: Callable[[], None]) -> None:
        try:
            while not stop.wait(PAUSE_SECONDS):
                work()
        except BaseException as error:
            traffic.wrong.append(repr(error))
            raise

    with ThreadPoolExecutor(MOVERS + 2) as pool:
        working = [pool.submit(repeat, work) for work in (push, read, *[move] * MOVERS)]
        try:
            yield
        finally:
            stop.set()
            for one in working:
                one.result(2 * PATIENCE_SECONDS)


def logged_in(server: Server, username: str, password: str) -> str:
    """Returns the token."""
    with Client(timeout=PATIENCE_SECONDS) as client:
        answer = client.post(f"{server.url}/api/admin/login", json={"username": username, "password": password})
        assert answer.is_success, answer.text
        return str(answer.json()["token"])


def prepared(old: Server, receiver: Receiver) -> Traffic:
    """Signed in at the previous release, with a key for the service, one of its clients, and an endpoint for events."""
    with Client(base_url=old.url, timeout=PATIENCE_SECONDS) as client:

        def post(path: str, body: Any, **headers: str) -> Any:
            answer = client.post(path, json=body, headers=headers)
            assert answer.is_success, answer.text
            return answer.json()

        token = logged_in(old, DEMO_USERNAME, DEMO_PASSWORD)
        as_admin = {"Authorization": f"Bearer {token}"}
        scopes = [f"{noun}:write" for noun in ("users", "purchases", "claims")]
        key = post("/api/keys", {"name": "service", "scopes": scopes}, **as_admin)["key"]
        post("/api/webhooks", {"url": receiver.url, "events": ["claim.accepted", "claim.paid"]}, **as_admin)
        for noun, row in (("users", BUYER), ("purchases", PURCHASE)):
            headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": noun}
            post(f"/api/intake/{noun}", row, **headers)
    return Traffic(token, key)


def assert_nothing_is_lost_or_doubled(desk: Desk, traffic: Traffic) -> None:
    acknowledged = Counter(traffic.moved)
    assert set(acknowledged.values()) == {1}
    moves = desk.rows(select(claim_transitions.c.claim_id, claim_transitions.c.to_status))
    pushed = set(traffic.pushed)
    assert Counter((row.claim_id, row.to_status) for row in moves if row.claim_id in pushed) == acknowledged
    logged = desk.rows(select(audit_log.c.subject_id).where(audit_log.c.verb == "claim.moved"))
    per_claim = Counter(claim_id for claim_id, _ in acknowledged)
    assert Counter(row.subject_id for row in logged if row.subject_id in pushed) == per_claim
    sent = desk.rows(select(webhook_deliveries.c.subject_id, webhook_deliveries.c.type))
    assert Counter((row.subject_id, row.type) for row in sent) == Counter(
        (claim_id, f"claim.{status.lower()}") for claim_id, status in acknowledged
    )
