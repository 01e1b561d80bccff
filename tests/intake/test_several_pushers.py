"""Several pushers send the same rows at the same time, in different orders and under different keys: each row once."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest
from sqlalchemy import func, insert, select, text, update

from countinghouse.claims.tables import claims
from countinghouse.core.db import Transaction
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users
from tests.desk import Desk
from tests.intake.pushing import a_claim, a_purchase, a_user, add_key, outcomes, push, pushed
from tests.purchases.purchases import check, found
from tests.servers import running_server

ROWS = 60
PUSHERS = 8


def send(url: str, key: str, noun: str, rows: list[dict[str, Any]], call: str) -> list[dict[str, Any]]:
    """Tries again when the server is busy, as a client should."""
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": call, "Content-Type": "application/json"}
    for _ in range(200):
        try:
            asked = Request(f"{url}/api/intake/{noun}", json.dumps(rows).encode(), headers)  # noqa: S310 - our own
            with urlopen(asked, timeout=60) as answer:  # noqa: S310
                results: list[dict[str, Any]] = json.load(answer)["results"]
                return results
        except HTTPError as error:
            if error.code != 503:
                raise
    raise AssertionError("the server stayed busy")


def test_pushers_over_two_processes_store_every_row_once(desk: Desk, database_url: str) -> None:
    keys = [add_key(desk), add_key(desk, "other")]
    amounts = [5000, 5000, 200]
    # References in groups of three that differ by at most one digit, so that each changes the findings of others.
    made = {
        "users": [a_user(n) for n in range(ROWS)],
        "purchases": [a_purchase(n, of=n, upiId=f"6319023456{n // 3:02}", invest=amounts[n % 3]) for n in range(ROWS)],
        "claims": [a_claim(n, on=n, of=n) for n in range(ROWS)],
    }
    with running_server(database_url) as one, running_server(database_url) as two, ThreadPoolExecutor(PUSHERS) as pool:
        for noun, rows in made.items():
            results_of: Counter[tuple[str, str]] = Counter()

            def push_all(seed: int, noun: str = noun, rows: list[dict[str, Any]] = rows) -> list[dict[str, Any]]:
                rng = Random(seed)  # noqa: S311 - only an order, the same in every run
                mine = rng.sample(rows, len(rows))
                results = []
                while mine:
                    size = rng.randint(1, 20)
                    part, mine = mine[:size], mine[size:]
                    call = uuid4().hex
                    first = send(rng.choice((one, two)), rng.choice(keys), noun, part, call)
                    assert [row["externalId"] for row in part] == [result["externalId"] for result in first]
                    results += first
                return results

            for results in pool.map(push_all, range(3 * PUSHERS)):
                results_of.update((result["externalId"], result["outcome"]) for result in results)
            assert {outcome for _, outcome in results_of} == {"created", "unchanged"}
            created = {name: times for (name, outcome), times in results_of.items() if outcome == "created"}
            assert created == {row["externalId"]: 1 for row in rows}
    for table in (users, purchases, claims):
        assert desk.rows(select(func.count()).select_from(table)) == [(ROWS,)]
    for noun in made:
        assert len(desk.audit(f"{noun.removesuffix('s')}.added")) == ROWS
    assert desk.get("/api/claims/totals").json()["count"] == ROWS
    together = found(desk)
    assert any(together.values())
    desk.change(update(purchases).values(findings=None))
    check(desk)
    assert found(desk) == together


def test_the_same_call_sent_several_times_at_once_is_done_once(desk: Desk) -> None:
    key = add_key(desk)
    rows = [a_user(n) for n in range(20)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: push(desk, key, "users", rows, call="one"), range(6)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert outcomes(answers[0].json()["results"]) == ["created"] * 20
    assert len(desk.audit("user.added")) == 20


def test_a_row_that_another_transaction_inserts_meanwhile_is_compared_with_it(desk: Desk) -> None:
    """Not only calls of the intake: any program may hold the external id in a transaction of its own."""
    key = add_key(desk)
    # Stores the last use of the key, which on SQLite would wait for the other writer.
    push(desk, key, "users", [])
    other_id = "65f0c0ffee65f0c0ffee0001"

    async def insert_one(transaction: Transaction) -> None:
        row = {"id": other_id, "created_at": now(), "username": "Client 1", "mobile": "9800000001"}
        await transaction.execute(insert(users).values(row | {"external_id": "u-1"}))

    with ThreadPoolExecutor(1) as pool:
        with desk.database.uncommitted(insert_one):
            pushing = pool.submit(pushed, desk, key, "users", [a_user(2), a_user(1), a_user(0)])
            assert wait([pushing], timeout=0.5).not_done
        results = pushing.result()
    assert outcomes(results) == ["created", "unchanged", "created"]
    assert results[1]["_id"] == other_id
    assert len(desk.audit("user.added")) == 2


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_call_that_loses_a_deadlock_starts_again(desk: Desk) -> None:
    """Another program holds u-2 and then wants u-1, which the call has inserted and not committed yet."""
    key = add_key(desk)

    def row(number: int) -> dict[str, Any]:
        values = {"id": new_id(), "created_at": now(), "username": f"Client {number}", "mobile": f"980000000{number}"}
        return values | {"external_id": f"u-{number}"}

    with ThreadPoolExecutor(1) as pool:
        with desk.database.writing() as connection:
            connection.execute(insert(users).values(row(2)))
            pushing = pool.submit(pushed, desk, key, "users", [a_user(1), a_user(2)])
            assert wait([pushing], timeout=0.5).not_done
            # PostgreSQL chooses which of the two fails; this one is more patient.
            connection.execute(text("SET LOCAL deadlock_timeout = '60s'"))
            connection.execute(insert(users).values(row(1)))
        results = pushing.result()
    assert outcomes(results) == ["unchanged", "unchanged"]
    assert desk.audit("user.added") == []
