"""Every wait for the database has a deadline, and slow reads never take the places that short ones need."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from countinghouse.core.db import Chosen, Cost, Database, Reader, Statement, Transaction
from countinghouse.core.db.connection import DatabaseSilent, DeadlineConnection
from countinghouse.core.errors import Busy
from tests.core.connections import in_use
from tests.direct_database import DirectDatabase
from tests.event_loop import run, start
from tests.waiting import eventually

on_postgres = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
on_sqlite = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
SLEEP = Statement(text("SELECT 1 FROM pg_sleep(20)"))
ONE = Statement(text("SELECT 1"))
# Takes minutes unless it is stopped.
ENDLESS = {
    "sqlite": "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE i < 0",
    "postgresql": "SELECT pg_sleep(300)",
}
BUSY = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep%'"
    " AND state = 'active' AND pid <> pg_backend_pid()"
)


async def sleep(reader: Reader) -> Any:
    return await reader.all(SLEEP)


async def one(reader: Reader) -> Any:
    return await reader.all(ONE)


@pytest.fixture
def impatient(database: DirectDatabase, monkeypatch: pytest.MonkeyPatch) -> Iterator[DirectDatabase]:
    """The database of a server, which gives up sooner than usual."""
    monkeypatch.setattr("countinghouse.core.db.postgres.SILENCE_SECONDS", dict.fromkeys(Cost, 0.5))
    ours = DirectDatabase(database.plain_url, is_patient=False)
    yield ours
    ours.close()


@contextmanager
def raised_within(seconds: float, *errors: type[BaseException]) -> Iterator[None]:
    began = time.monotonic()
    with pytest.raises(errors):
        yield
    assert time.monotonic() - began < seconds


@asynccontextmanager
async def connected(url: str, silence_seconds: float | None = None) -> AsyncIterator[DeadlineConnection]:
    async with await DeadlineConnection.connect(url, autocommit=True) as connection:
        connection.silence_seconds = silence_seconds
        yield connection


@on_postgres
def test_a_connection_gives_up_on_a_silent_server_and_is_closed(database_url: str) -> None:
    async def wait_in_vain() -> None:
        async with connected(database_url, silence_seconds=0.3) as connection:
            with raised_within(10, DatabaseSilent):
                await connection.execute("SELECT pg_sleep(20)")
            assert connection.closed

    run(wait_in_vain())


@on_postgres
def test_a_server_that_keeps_sending_does_not_time_out(database_url: str) -> None:
    """The deadline limits the silence, not the whole answer."""

    async def read_slowly() -> int:
        async with connected(database_url, silence_seconds=2.0) as connection:
            slow = "SELECT repeat('x', 20000), pg_sleep(0.2) FROM generate_series(1, 15)"
            return len(await (await connection.execute(slow)).fetchall())

    assert run(read_slowly()) == 15


@on_postgres
@pytest.mark.parametrize("cost", [Cost.SHORT, Cost.MEDIUM, Cost.LONG])
def test_a_read_of_a_silent_database_fails_without_a_retry_and_the_next_read_succeeds(
    impatient: DirectDatabase, cost: Cost
) -> None:
    began = []

    async def work(reader: Reader) -> Any:
        began.append(cost)
        return await sleep(reader)

    with raised_within(10, DatabaseSilent):
        run(impatient.read(work, cost))
    assert began == [cost]
    assert run(impatient.read(one, cost)) == [(1,)]


@on_postgres
def test_an_abandoned_read_does_not_keep_running_in_the_database(
    impatient: DirectDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countinghouse.core.db.connecting.STATEMENT_MILLISECONDS", 1_500)
    with pytest.raises(DatabaseSilent):
        run(impatient.read(sleep, Cost.LONG))
    eventually(lambda: not is_busy(impatient), seconds=10)


def is_busy(database: DirectDatabase) -> bool:
    with database.reading() as connection:
        return bool(connection.execute(text(BUSY)).scalar_one())


@on_postgres
def test_a_change_or_a_transaction_on_a_silent_database_fails_without_a_retry(impatient: DirectDatabase) -> None:
    began = []

    async def work(change: Reader) -> Any:
        began.append(change)
        return await sleep(change)

    with raised_within(10, DatabaseSilent):
        run(impatient.change(work))
    with raised_within(10, DatabaseSilent):
        run(impatient.write(work))
    assert len(began) == 2
    assert run(impatient.write(one)) == [(1,)]


@on_postgres
def test_a_patient_database_waits_as_long_as_the_server_works(
    database: DirectDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countinghouse.core.db.postgres.SILENCE_SECONDS", dict.fromkeys(Cost, 0.2))
    awake = text("SELECT 1 FROM pg_sleep(1)")
    assert run(database.write(lambda transaction: transaction.all(awake))) == [(1,)]


@pytest.mark.parametrize("way", ["a read", "a transaction", "a stream"])
def test_closing_the_database_ends_waiting_calls(impatient: DirectDatabase, engine: str, way: str) -> None:
    endless = text(ENDLESS[engine])

    async def choose(_reader: Reader) -> Chosen:
        return Chosen(endless, {})

    async def stream() -> None:
        async with impatient.stream(choose, silence_seconds=60) as rows:
            await rows.fetch(1)

    ways: dict[str, Callable[[], Any]] = {
        "a read": lambda: impatient.read(lambda reader: reader.all(endless), Cost.LONG),
        "a transaction": lambda: impatient.write(lambda change: change.all(endless), silence_seconds=60),
        "a stream": stream,
    }
    waiting = start(ways[way]())
    # The tests' loop is not this thread, so it can start meanwhile.
    eventually(lambda: in_use(impatient) == 1)
    time.sleep(0.2)
    began = time.monotonic()
    impatient.close()
    with pytest.raises((psycopg.OperationalError, sqlite3.OperationalError)):
        waiting.result(10)
    assert time.monotonic() - began < 10
    assert run(impatient.read(one)) == [(1,)]


@contextmanager
def full_lane(database: Database, cost: Cost, places: int) -> Iterator[Callable[[Reader], Any]]:
    """Runs the block while this many reads of this cost are running."""
    release, begun = threading.Event(), threading.Semaphore(0)

    async def hold(_reader: Reader) -> bool:
        begun.release()
        if database.is_sqlite:
            # It has its own thread. On PostgreSQL it runs on the event loop.
            return release.wait(60)
        while not release.is_set():
            await asyncio.sleep(0.01)
        return True

    holders = [start(database.read(hold, cost)) for _ in range(places)]
    for _ in range(places):
        assert begun.acquire(timeout=30)
    try:
        yield hold
    finally:
        release.set()
        for holder in holders:
            assert holder.result(30)


def test_a_flood_of_searches_does_not_delay_other_reads_and_changes(database: DirectDatabase) -> None:
    with full_lane(database, Cost.LONG, 3):
        for cost in (Cost.SHORT, Cost.MEDIUM):
            assert run(database.read(one, cost)) == [(1,)]
        assert run(database.change(one)) == [(1,)]
        # One more search waits for a place, and is then refused as busy.
        with pytest.raises(Busy):
            run(database.read(one, Cost.LONG))
    assert run(database.read(one, Cost.LONG)) == [(1,)]


async def leave_early(work: Any, seconds: float = 0.2) -> None:
    working = asyncio.create_task(work)
    await asyncio.sleep(seconds)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working


@on_sqlite
def test_a_cancelled_read_frees_its_place_only_when_its_thread_has_ended(database: DirectDatabase) -> None:
    with full_lane(database, Cost.LONG, 2) as hold:
        run(leave_early(database.read(hold, Cost.LONG)))
        with pytest.raises(Busy):
            run(database.read(one, Cost.LONG))
    assert run(database.read(one, Cost.LONG)) == [(1,)]


@on_postgres
@pytest.mark.parametrize("way", ["read", "change", "write"])
def test_a_cancelled_call_does_not_leave_its_connection_in_the_pool(database: DirectDatabase, way: str) -> None:
    """Its statement may still be running: the next caller would get the answer to it."""
    work: dict[str, Callable[[], Any]] = {
        "read": lambda: database.read(sleep),
        "change": lambda: database.change(sleep),
        "write": lambda: database.write(sleep),
    }
    for _ in range(7):
        # More often than there are places: each has to be freed.
        run(leave_early(work[way](), 0.05))
    eventually(lambda: in_use(database) == 0)
    assert run(database.read(one)) == [(1,)]
    assert run(database.write(one)) == [(1,)]


@on_postgres
def test_a_transaction_cancelled_between_two_statements_is_rolled_back(database: DirectDatabase) -> None:
    async def write_and_wait(transaction: Transaction) -> None:
        await transaction.command("CREATE TABLE half (id integer)")
        await asyncio.sleep(60)

    run(leave_early(database.write(write_and_wait), 0.3))
    assert run(database.read(lambda reader: reader.scalar(text("SELECT to_regclass('half')")))) is None
    assert run(database.write(one)) == [(1,)]


def test_a_stream_whose_client_is_cancelled_ends_its_statement(database: DirectDatabase, engine: str) -> None:
    async def choose(_reader: Reader) -> Chosen:
        return Chosen(text(ENDLESS[engine]), {})

    async def stream() -> None:
        async with database.stream(choose, silence_seconds=60) as rows:
            await rows.fetch(1)

    began = time.monotonic()
    run(leave_early(stream(), 0.3))
    eventually(lambda: in_use(database) == 0)
    if engine == "postgresql":
        eventually(lambda: not is_busy(database))
    assert time.monotonic() - began < 20
    assert run(database.read(one)) == [(1,)]


@on_sqlite
def test_a_long_read_of_sqlite_ends_at_its_deadline(impatient: DirectDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("countinghouse.core.db.sqlite.LONGEST_READ_SECONDS", 0.2)
    endless = Statement(text(ENDLESS["sqlite"]))
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        run(impatient.read(lambda reader: reader.all(endless), Cost.LONG))
    assert run(impatient.read(one, Cost.LONG)) == [(1,)]
