"""Kill -9 in the middle of a batch: every row is moved with its audit row or untouched, and the next call continues."""

import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from random import Random

import httpx2
from sqlalchemy import func, select

from countinghouse.audit.tables import audit_log
from countinghouse.batches.tables import batch_rows, batches
from countinghouse.claims.tables import claim_transitions, claims
from drills.rows import add_claims, slow_down_moves
from tests.direct_database import DirectDatabase
from tests.servers import Server, started_server

# Each call works for a second; a batch that is still running never takes this long to end.
PATIENCE_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Killed:
    """The number of rows, and how many were done at each kill."""

    rows: int
    done_at_kills: list[int]


def kill_in_the_middle(
    database_url: str, token: str, *, rows: int, kills: int = 1, slowed_by_milliseconds: int = 0, seed: int = 1
) -> Killed:
    """Needs a migrated database, and the token of a signed-in admin. Raises AssertionError for what is wrong.

    A short batch has to be slowed down, or it is over before anybody can kill the server in the middle.
    """
    database = DirectDatabase(database_url)
    try:
        ids = add_claims(database, rows)
        if slowed_by_milliseconds:
            slow_down_moves(database, slowed_by_milliseconds)
        done_at_kills = _run_and_kill(database, database_url, token, ids, kills, Random(seed))  # noqa: S311
        _check_all_done(database, ids)
    finally:
        database.close()
    return Killed(rows, done_at_kills)


def _run_and_kill(
    database: DirectDatabase, database_url: str, token: str, ids: list[str], kills: int, random: Random
) -> list[int]:
    batch_id = ""
    done_at_kills = []
    for number in range(1, kills + 1):
        with started_server(database_url, COUNTINGHOUSE_LOG_LEVEL="warning") as server, ThreadPoolExecutor(1) as thread:
            if not batch_id:
                batch_id = _plan(server, token, ids)
            running = thread.submit(_run_to_end, server, token, batch_id)
            _wait_for(database, batch_id, len(ids) * number // (kills + 1))
            # At a random time within a transaction, and not always just after a commit.
            time.sleep(random.random() * 0.05)
            os.kill(server.process.pid, signal.SIGKILL)
            with suppress(httpx2.HTTPError):
                running.result(PATIENCE_SECONDS)
        done_at_kills.append(_check_consistent(database, batch_id))
        assert done_at_kills[-1] < len(ids), "the server was killed too late to show anything"
    with started_server(database_url, COUNTINGHOUSE_LOG_LEVEL="warning") as server:
        _run_to_end(server, token, batch_id)
    return done_at_kills


def _client(server: Server, token: str) -> httpx2.Client:
    return httpx2.Client(base_url=server.url, headers={"Authorization": f"Bearer {token}"}, timeout=60)


def _plan(server: Server, token: str, ids: list[str]) -> str:
    with _client(server, token) as client:
        answer = client.post("/api/batches", json={"status": "Accepted", "query": {"status": "Pending"}})
    assert answer.status_code == 201, answer.text
    assert answer.json()["willMove"]["count"] == len(ids)
    return str(answer.json()["_id"])


def _run_to_end(server: Server, token: str, batch_id: str) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    with _client(server, token) as client:
        while time.monotonic() < until:
            answer = client.post(f"/api/batches/{batch_id}/run")
            assert answer.status_code == 200, answer.text
            if answer.json()["outcome"]["left"] == 0:
                return
    raise AssertionError("the batch came to no end")


def _wait_for(database: DirectDatabase, batch_id: str, rows: int) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    done = select(func.count()).where(batch_rows.c.batch_id == batch_id, batch_rows.c.outcome == "done")
    while time.monotonic() < until:
        with database.reading() as connection:
            if connection.execute(done).scalar_one() >= rows:
                return
        time.sleep(0.005)
    raise AssertionError(f"the batch did not come to {rows} rows")


def _check_consistent(database: DirectDatabase, batch_id: str) -> int:
    """Checks that row, claim, history and audit log agree about every claim. Returns how many rows are done."""
    with database.reading() as connection:
        rows = connection.execute(select(batch_rows).where(batch_rows.c.batch_id == batch_id)).all()
        outcomes = {row.claim_id: row.outcome for row in rows}
        statuses = {row.id: row.status for row in connection.execute(select(claims.c.id, claims.c.status))}
        transitions = Counter(connection.execute(select(claim_transitions.c.claim_id)).scalars())
        logged = Counter(
            connection.execute(select(audit_log.c.subject_id).where(audit_log.c.verb == "claim.moved")).scalars()
        )
    done = {claim_id for claim_id, outcome in outcomes.items() if outcome == "done"}
    assert {outcome for outcome in outcomes.values() if outcome is not None} <= {"done"}
    assert {claim_id for claim_id, status in statuses.items() if status == "Accepted"} == done
    assert transitions == Counter(done)
    assert logged == Counter(done)
    return len(done)


def _check_all_done(database: DirectDatabase, ids: list[str]) -> None:
    with database.reading() as connection:
        batch = connection.execute(select(batches)).one()
    assert batch.ended_at is not None
    assert _check_consistent(database, batch.id) == len(ids)
