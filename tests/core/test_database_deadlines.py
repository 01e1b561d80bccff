"""Every wait for PostgreSQL has a deadline, and slow reads never take the places that quick ones need."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from countinghouse.core.database import Database
from countinghouse.core.errors import Busy
from countinghouse.core.quick import Cost, Reader, Statement
from countinghouse.core.quick.connection import DatabaseSilent, DeadlineConnection
from countinghouse.settings import Settings
from tests.waiting import eventually

on_postgres = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
SLEEP = Statement(text("SELECT 1 FROM pg_sleep(20)"))
ONE = Statement(text("SELECT 1"))


def sleep(reader: Reader) -> Any:
    return reader.all(SLEEP, {})


def one(reader: Reader) -> Any:
    return reader.all(ONE, {})


@contextmanager
def raised_within(seconds: float, *errors: type[BaseException]) -> Iterator[None]:
    began = time.monotonic()
    with pytest.raises(errors):
        yield
    assert time.monotonic() - began < seconds


@on_postgres
def test_a_connection_gives_up_on_a_silent_server_and_is_closed(database_url: str) -> None:
    with DeadlineConnection.connect(database_url, autocommit=True) as connection:
        connection.silence_seconds = 0.3
        with raised_within(10, DatabaseSilent):
            connection.execute("SELECT pg_sleep(20)")
        assert connection.closed


@on_postgres
def test_a_server_that_keeps_sending_does_not_time_out(database_url: str) -> None:
    """The deadline limits the silence, not the whole answer."""
    with DeadlineConnection.connect(database_url, autocommit=True) as connection:
        connection.silence_seconds = 2.0
        rows = connection.execute("SELECT repeat('x', 20000), pg_sleep(0.2) FROM generate_series(1, 15)").fetchall()
        assert len(rows) == 15


@on_postgres
def test_a_running_query_ends_when_its_connection_is_abandoned(database_url: str) -> None:
    with DeadlineConnection.connect(database_url, autocommit=True) as connection:
        timer = threading.Timer(0.2, connection.abandon)
        timer.start()
        with raised_within(10, DatabaseSilent):
            connection.execute("SELECT pg_sleep(20)")
        timer.join()


@on_postgres
@pytest.mark.parametrize("cost", [Cost.SHORT, Cost.MEDIUM, Cost.LONG])
def test_a_read_of_a_silent_database_fails_without_a_retry_and_the_next_read_succeeds(
    database: Database, cost: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countinghouse.core.quick.postgres.SILENCE_SECONDS", dict.fromkeys(Cost, 0.5))
    began = []

    def work(reader: Reader) -> Any:
        began.append(cost)
        return sleep(reader)

    with raised_within(10, DatabaseSilent):
        asyncio.run(database.quick.read(work, cost))
    assert began == [cost]
    assert asyncio.run(database.quick.read(one, cost)) == [(1,)]


@on_postgres
def test_an_abandoned_read_does_not_keep_running_in_the_database(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countinghouse.core.quick.postgres.SILENCE_SECONDS", dict.fromkeys(Cost, 0.5))
    monkeypatch.setattr("countinghouse.core.database.QUICK_STATEMENT_MILLISECONDS", 1_500)
    with pytest.raises(DatabaseSilent):
        asyncio.run(database.quick.read(sleep, Cost.LONG))
    sleeping = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep%'"
        " AND state = 'active' AND pid <> pg_backend_pid()"
    )

    def is_over() -> bool:
        with database.reading() as connection:
            return bool(connection.execute(sleeping).scalar_one() == 0)

    eventually(is_over, seconds=10)


@on_postgres
def test_a_transaction_on_a_silent_database_fails(database_url: str) -> None:
    database = Database(Settings(database_url=database_url, _env_file=None).database, silence_seconds=0.5)
    with raised_within(10, OperationalError), database.writing() as connection:
        connection.execute(text("SELECT pg_sleep(20)"))
    with database.reading() as connection:
        assert connection.execute(text("SELECT 1")).scalar_one() == 1
    database.close()


@on_postgres
def test_closing_the_database_ends_waiting_queries(database: Database) -> None:
    ended: list[BaseException] = []

    def wait_in_a_transaction() -> None:
        try:
            with database.reading() as connection:
                connection.execute(text("SELECT pg_sleep(20)"))
        except OperationalError as error:
            ended.append(error)

    def wait_in_a_read() -> None:
        try:
            asyncio.run(database.quick.read(sleep))
        except psycopg.OperationalError as error:
            ended.append(error)

    threads = [threading.Thread(target=work) for work in (wait_in_a_transaction, wait_in_a_read)]
    for thread in threads:
        thread.start()
    with psycopg.connect(database.engine.url.set(drivername="postgresql").render_as_string(False)) as watcher:
        asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"
        deadline = time.monotonic() + 30
        while watcher.execute(asleep).fetchone() != (2,):
            assert time.monotonic() < deadline
            watcher.rollback()
            time.sleep(0.05)
    began = time.monotonic()
    database.close()
    for thread in threads:
        thread.join(10)
    assert len(ended) == 2
    assert time.monotonic() - began < 10


@contextmanager
def full_lane(database: Database, cost: Cost, places: int) -> Iterator[Callable[[Reader], bool]]:
    """Runs the block while this many reads of this cost are running."""
    release, begun = threading.Event(), threading.Semaphore(0)

    def hold(_look: Reader) -> bool:
        begun.release()
        return release.wait(60)

    async def hold_all() -> None:
        await asyncio.gather(*(database.quick.read(hold, cost) for _ in range(places)))

    holder = threading.Thread(target=lambda: asyncio.run(hold_all()))
    holder.start()
    for _ in range(places):
        assert begun.acquire(timeout=30)
    try:
        yield hold
    finally:
        release.set()
        holder.join(30)


def test_a_flood_of_searches_does_not_delay_other_reads_and_changes(database: Database) -> None:
    with full_lane(database, Cost.LONG, 3):
        for cost in (Cost.SHORT, Cost.MEDIUM):
            assert asyncio.run(database.quick.read(one, cost)) == [(1,)]
        assert asyncio.run(database.quick.change(one)) == [(1,)]
        # One more search waits for a place, and is then refused as busy.
        with pytest.raises(Busy):
            asyncio.run(database.quick.read(one, Cost.LONG))
    assert asyncio.run(database.quick.read(one, Cost.LONG)) == [(1,)]


def test_a_cancelled_read_frees_its_place_only_when_its_thread_has_ended(database: Database) -> None:
    with full_lane(database, Cost.LONG, 2) as hold:

        async def leave_early() -> None:
            reading = asyncio.create_task(database.quick.read(hold, Cost.LONG))
            await asyncio.sleep(0.2)
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
            with pytest.raises(Busy):
                await database.quick.read(one, Cost.LONG)

        asyncio.run(leave_early())
    assert asyncio.run(database.quick.read(one, Cost.LONG)) == [(1,)]


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_long_read_of_sqlite_ends_at_its_deadline(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("countinghouse.core.quick.sqlite.LONGEST_READ_SECONDS", 0.2)
    endless = Statement(
        text("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE i < 0")
    )
    with pytest.raises(Exception, match="interrupted"):
        asyncio.run(database.quick.read(lambda reader: reader.all(endless, {}), Cost.LONG))
    assert asyncio.run(database.quick.read(one, Cost.LONG)) == [(1,)]
