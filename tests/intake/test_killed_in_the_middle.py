"""A server is killed while rows come in: what was answered is stored, and sending everything again completes it."""

import json
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from typing import Any
from urllib.request import Request, urlopen

from sqlalchemy import func, select

from countinghouse.purchases.tables import purchases
from tests.desk import Desk
from tests.intake.pushing import a_purchase, a_user, add_key, pushed
from tests.servers import running_server, started_server

CALLS, ROWS = 12, 40


def send(url: str, key: str, number: int) -> list[dict[str, Any]] | None:
    """None if the server is gone."""
    rows = [a_purchase(n, of=n) for n in range(number * ROWS, (number + 1) * ROWS)]
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": f"night-{number}"}
    try:
        asked = Request(f"{url}/api/intake/purchases", json.dumps(rows).encode(), headers)  # noqa: S310 - our own
        with urlopen(asked, timeout=60) as answer:  # noqa: S310
            results: list[dict[str, Any]] = json.load(answer)["results"]
            return results
    except (OSError, HTTPException):
        return None


def test_what_was_answered_is_stored_and_the_rest_can_be_sent_again(desk: Desk, database_url: str) -> None:
    key = add_key(desk)
    pushed(desk, key, "users", [a_user(n) for n in range(CALLS * ROWS)])
    with started_server(database_url) as server, ThreadPoolExecutor(3) as pool:
        sending = [pool.submit(send, server.url, key, number) for number in range(CALLS)]
        sending[3].result()
        server.process.kill()
        first = [each.result() for each in sending]
    assert None in first
    assert any(first)
    with running_server(database_url) as url:
        again = [send(url, key, number) for number in range(CALLS)]
    for before, after in zip(first, again, strict=True):
        assert after is not None
        assert before in (None, after)
        assert {result["outcome"] for result in after} == {"created"}
    assert desk.rows(select(func.count()).select_from(purchases)) == [(CALLS * ROWS,)]
    assert len(desk.audit("purchase.added")) == CALLS * ROWS
    assert desk.get("/api/purchases/totals").json()["count"] == CALLS * ROWS
