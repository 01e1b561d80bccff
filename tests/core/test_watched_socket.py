"""The event loop watches a connection's socket for as long as it is open, and never that of a closed one."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import psycopg
import pytest
import uvloop
from sqlalchemy import text

from countinghouse.core.db import Reader, Statement
from countinghouse.core.db.connection import DatabaseSilent, DeadlineConnection
from countinghouse.core.db.watched_socket import WatchedSocket
from tests.core.connections import COUNT
from tests.core.test_database_deadlines import connected
from tests.direct_database import DirectDatabase
from tests.event_loop import run, start
from tests.waiting import eventually

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
SECONDS = 10.0
ONE = Statement(text("SELECT 1"))
END_OURS = COUNT.replace("count(*)", "pg_terminate_backend(pid)")

NewLoop = Callable[[], asyncio.AbstractEventLoop]


@pytest.fixture(params=[uvloop.new_event_loop, asyncio.new_event_loop], ids=["uvloop", "asyncio"])
def loop(request: pytest.FixtureRequest) -> Iterator[asyncio.AbstractEventLoop]:
    made: asyncio.AbstractEventLoop = request.param()
    yield made
    made.close()


async def backend_of(connection: DeadlineConnection) -> int:
    result = await asyncio.wait_for(connection.run("SELECT pg_backend_pid()", (), is_prepared=True), SECONDS)
    ((backend,),) = connection.rows(result)
    return int(backend)


def end(url: str, backend: int) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        assert other.execute("SELECT pg_terminate_backend(%s)", [backend]).fetchone() == (True,)
        while other.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [backend]).fetchone():
            time.sleep(0.01)


def test_a_connection_with_the_number_of_a_lost_one_is_watched_too(
    database_url: str, loop: asyncio.AbstractEventLoop
) -> None:
    async def lose_and_connect_again() -> set[int]:
        descriptors = set()
        for _ in range(5):
            async with connected(database_url, silence_seconds=SECONDS) as lost:
                descriptors.add(lost.fileno())
                end(database_url, await backend_of(lost))
                with pytest.raises(psycopg.OperationalError):
                    await backend_of(lost)
                assert lost.closed
        return descriptors

    # The system gives the lowest free number, so at least two connections had the same.
    assert len(loop.run_until_complete(lose_and_connect_again())) < 5


def test_a_connection_that_was_lost_while_it_was_idle_does_not_keep_the_loop_busy(
    database_url: str, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = []
    original = WatchedSocket._read

    def counted(socket: WatchedSocket) -> None:
        called.append(socket)
        original(socket)

    monkeypatch.setattr(WatchedSocket, "_read", counted)

    async def lose_it() -> None:
        async with connected(database_url, silence_seconds=SECONDS) as lost:
            end(database_url, await backend_of(lost))
            called.clear()
            await asyncio.sleep(0.3)
            assert len(called) == 1
            assert lost.is_closed_by_server()

    loop.run_until_complete(lose_it())


def test_what_nobody_asked_for_is_not_the_answer_to_the_next_statement(
    database_url: str, loop: asyncio.AbstractEventLoop
) -> None:
    """It stays unread, and the pool does not hand out a connection that has something to read."""

    async def hear_news() -> None:
        async with connected(database_url, silence_seconds=SECONDS) as connection:
            await connection.command("LISTEN news")
            await asyncio.sleep(0.1)
            assert not connection.is_closed_by_server()
            with psycopg.connect(database_url, autocommit=True) as other:
                other.execute("NOTIFY news")
            await asyncio.sleep(0.1)
            assert connection.is_closed_by_server()

    loop.run_until_complete(hear_news())


def test_a_notice_between_two_statements_does_not_stop_the_next(
    database_url: str, loop: asyncio.AbstractEventLoop
) -> None:
    async def notify_and_go_on() -> None:
        async with connected(database_url, silence_seconds=SECONDS) as connection:
            await connection.command("LISTEN news")
            with psycopg.connect(database_url, autocommit=True) as other:
                other.execute("NOTIFY news")
            await asyncio.sleep(0.2)
            first = await backend_of(connection)
            assert await backend_of(connection) == first

    loop.run_until_complete(notify_and_go_on())


def test_a_connection_goes_on_in_the_loop_of_the_next_run(database_url: str) -> None:
    async def connect() -> DeadlineConnection:
        connection = await DeadlineConnection.connect(database_url, autocommit=True)
        await backend_of(connection)
        return connection

    connection = asyncio.run(connect())
    assert asyncio.run(backend_of(connection)) == asyncio.run(backend_of(connection))
    connection.close_now()
    assert connection.closed


def test_another_thread_can_close_it(database_url: str) -> None:
    async def connect() -> DeadlineConnection:
        connection = await DeadlineConnection.connect(database_url, autocommit=True)
        await backend_of(connection)
        return connection

    for _ in range(5):
        connection = run(connect())
        connection.close_now()
        eventually(partial(getattr, connection, "closed"))


def test_a_large_statement_and_a_large_answer_pass_at_the_same_time(
    database_url: str, loop: asyncio.AbstractEventLoop
) -> None:
    """More than the buffers of the system hold, in both directions."""
    large = "x" * 20_000_000

    async def echo() -> list[tuple[object, ...]]:
        async with connected(database_url, silence_seconds=SECONDS) as connection:
            return connection.rows(await connection.run("SELECT CAST($1 AS text)", [large], is_prepared=False))

    assert loop.run_until_complete(echo()) == [(large,)]


def test_a_cancelled_statement_closes_its_connection(database_url: str, loop: asyncio.AbstractEventLoop) -> None:
    async def cancel() -> bool:
        async with connected(database_url) as connection:
            with suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    await connection.run("SELECT pg_sleep(20)", (), is_prepared=False)
            return connection.closed

    assert loop.run_until_complete(cancel())


@pytest.mark.parametrize("way", ["read", "change", "write"])
def test_idle_connections_that_the_database_has_closed_fail_no_request(database_url: str, way: str) -> None:
    """Whether the loop has seen their end already, or not yet."""
    ours = DirectDatabase(database_url, is_patient=False)

    async def ask(reader: Reader) -> Any:
        return await reader.all(ONE)

    def ask_four_times() -> list[Any]:
        asked = [start(getattr(ours, way)(ask)) for _ in range(4)]
        return [each.result(SECONDS) for each in asked]

    for seconds in (0.0, 0.1):
        assert ask_four_times() == [[(1,)]] * 4
        with psycopg.connect(database_url, autocommit=True) as other:
            other.execute(END_OURS)
            while other.execute(COUNT).fetchone() != (0,):
                time.sleep(0.01)
        time.sleep(seconds)
        assert ask_four_times() == [[(1,)]] * 4
    ours.close()


def test_an_answer_that_never_ends_is_given_up(database_url: str, loop: asyncio.AbstractEventLoop) -> None:
    """It is never silent for long."""

    async def read_slowly() -> None:
        async with connected(database_url, silence_seconds=0.5) as connection:
            slow = "SELECT repeat('x', 20000), pg_sleep(0.1) FROM generate_series(1, 600)"
            with pytest.raises(DatabaseSilent, match="no whole answer"):
                await connection.run(slow, (), is_prepared=False)
            assert connection.closed

    loop.run_until_complete(read_slowly())
