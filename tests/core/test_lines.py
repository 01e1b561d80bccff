"""Short reads of PostgreSQL go over lines that the event loop watches; each is told its own answer, no other."""

import asyncio
import random
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import Integer, bindparam, cast, literal_column, select, text

from countinghouse.core.database import Database
from countinghouse.core.errors import NotFound
from countinghouse.core.quick import Look, Plan, Statement
from countinghouse.core.quick.line import MOST_PREPARED
from countinghouse.core.quick.lines import LINES
from tests.core.test_quick_reads import cut_connections

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)

ECHO = Statement(select(cast(bindparam("number"), Integer), literal_column("repeat('x', 20000)")))
SLOW_ECHO = Statement(select(cast(bindparam("number"), Integer), literal_column("pg_sleep(0.002)")))
LOCKED = Statement(text("SELECT count(*) FROM claims"))


def echo(number: int, statement: Statement = ECHO) -> Callable[[Look], int]:
    def ask(look: Look) -> int:
        ((answer, _),) = look.all(statement, {"number": number})
        return int(answer)

    return ask


def all_of(statement: Statement) -> Callable[[Look], list[Any]]:
    return lambda look: look.all(statement, {})


def is_in_loop(_look: Look) -> bool:
    return threading.current_thread() is threading.main_thread()


async def until(is_so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await is_so():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def lines_open(database: Database) -> AsyncIterator[Database]:
    database.quick.start()
    await until(lambda: database.quick.read(is_in_loop))
    yield database
    database.quick.close()


def run(database: Database, talk: Callable[[Database], Awaitable[None]]) -> None:
    async def main() -> None:
        async with lines_open(database):
            await talk(database)

    asyncio.run(main())


def backends(database: Database) -> set[int]:
    with database.reading() as connection:
        ours = connection.exec_driver_sql(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND application_name = 'countinghouse'"
        )
        return set(ours.scalars())


async def cancelled_somewhere(asking: Awaitable[Any], at: float) -> Any:
    task = asyncio.ensure_future(asking)
    await asyncio.sleep(at)
    task.cancel()
    try:
        return await task
    except asyncio.CancelledError:
        return None


def test_who_is_cancelled_leaves_no_answer_for_the_next(database: Database) -> None:
    """At random moments, hundreds of times, with more who ask than there are lines."""
    chance = random.Random(7)  # noqa: S311 - repeatable

    async def ask(quick: Any, number: int) -> bool:
        statement = chance.choice([ECHO, SLOW_ECHO])
        twice = chance.random() < 0.5
        work = echo(number, statement)
        door = echo(-number)
        asking = quick.read_if(lambda look: door(look) == -number, work, is_likely=True) if twice else quick.read(work)
        if chance.random() < 0.6:
            answer = await cancelled_somewhere(asking, chance.random() * 0.006)
            assert answer in (None, number)
            return answer is None
        assert await asking == number
        return False

    async def talk(database: Database) -> None:
        async def one(first: int) -> int:
            return sum([await ask(database.quick, first + number) for number in range(60)])

        cancelled = sum(await asyncio.gather(*(one(1000 * start) for start in range(1, 13))))
        assert cancelled > 100

    run(database, talk)


def test_no_more_lines_are_open_than_are_needed_however_many_ask(database: Database) -> None:
    async def talk(database: Database) -> None:
        before = len(backends(database))
        numbers = range(200)
        assert await asyncio.gather(*(database.quick.read(echo(number, SLOW_ECHO)) for number in numbers)) == list(
            numbers
        )
        assert len(backends(database)) <= before + LINES - 1

    run(database, talk)
    # A backend whose client has left takes a moment to be gone.
    deadline = time.monotonic() + 10
    while backends(database):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_read_that_waits_for_a_lock_holds_nobody_up(database: Database) -> None:
    async def talk(database: Database) -> None:
        with database.writing() as connection:
            connection.exec_driver_sql("LOCK TABLE claims IN ACCESS EXCLUSIVE MODE")
            waiting = asyncio.ensure_future(database.quick.read(lambda look: look.all(LOCKED, {})))
            for number in range(20):
                assert await database.quick.read(echo(number)) == number
            assert not waiting.done()
        assert await waiting == [(0,)]

    run(database, talk)


def test_a_lock_that_is_not_had_in_time_is_told_once_and_the_next_read_goes_well(database: Database) -> None:
    hasty = Statement(text("SELECT set_config('lock_timeout', '50', false), count(*) FROM pg_class"))

    async def talk(database: Database) -> None:
        for _ in range(LINES * 2):
            await database.quick.read(lambda look: look.all(hasty, {}))
        with database.writing() as connection:
            connection.exec_driver_sql("LOCK TABLE claims IN ACCESS EXCLUSIVE MODE")
            with pytest.raises(psycopg.errors.LockNotAvailable):
                await database.quick.read(lambda look: look.all(LOCKED, {}))
        assert await database.quick.read(lambda look: look.all(LOCKED, {})) == [(0,)]

    run(database, talk)


def test_lines_that_were_cut_are_left_alone(database: Database, postgres_url: str) -> None:
    url = database.engine.url.render_as_string()

    async def talk(database: Database) -> None:
        for attempt in range(3):
            await until(lambda: database.quick.read(is_in_loop))
            await asyncio.gather(*(database.quick.read(echo(number)) for number in range(20)))
            under_way = [database.quick.read(echo(number, SLOW_ECHO)) for number in range(LINES)]
            asked = asyncio.gather(*under_way)
            await asyncio.sleep(0)
            assert cut_connections(postgres_url, url) > 0
            assert await asked == list(range(LINES))
            for number in range(attempt, 20):
                assert await database.quick.read(echo(number)) == number

    run(database, talk)


def test_a_table_that_changed_its_shape_is_read_anew(database: Database) -> None:
    every = Statement(text("SELECT * FROM odd"))

    async def talk(database: Database) -> None:
        with database.writing() as connection:
            connection.exec_driver_sql("CREATE TABLE odd AS SELECT 1 AS one")
        assert await database.quick.read(lambda look: look.all(every, {})) == [(1,)]
        with database.writing() as connection:
            connection.exec_driver_sql("ALTER TABLE odd ADD COLUMN two integer")
        for _ in range(3):
            assert await database.quick.read(lambda look: look.all(every, {})) == [(1, None)]
        # And soon over a line again.
        await until(lambda: database.quick.read(lambda look: look.all(every, {}) == [(1, None)] and is_in_loop(look)))

    run(database, talk)


def test_a_line_does_not_remember_more_statements_than_it_should(database: Database) -> None:
    prepared = Statement(text("SELECT count(*) FROM pg_prepared_statements"))

    async def talk(database: Database) -> None:
        for number in range(MOST_PREPARED * 3):
            one = all_of(Statement(text(f"SELECT {number}")))
            assert await database.quick.read(one) == [(number,)]
            ((count,),) = await database.quick.read(lambda look: look.all(prepared, {}))
            assert count <= MOST_PREPARED + 1

    run(database, talk)


def test_what_needs_a_plan_of_its_own_is_read_on_a_thread(database: Database) -> None:
    in_order = Statement(text("SELECT current_setting('enable_sort')"), Plan.IN_ORDER)

    async def talk(database: Database) -> None:
        assert await database.quick.read(lambda look: look.all(in_order, {})) == [("off",)]
        assert await database.quick.read(is_in_loop)
        assert not await database.quick.read(is_in_loop, may_take_long=True)

    run(database, talk)


def test_nothing_is_told_to_who_is_not_allowed_whatever_became_of_the_work(database: Database) -> None:
    wrong = Statement(text("SELECT 1 / 0"))

    def fail(_look: Look) -> bool:
        raise NotFound("x", "x")

    async def talk(database: Database) -> None:
        read_if = database.quick.read_if
        for is_likely in (False, True):
            assert await read_if(lambda look: echo(1)(look) == 1, echo(5), is_likely=is_likely) == 5
            assert await read_if(lambda look: echo(1)(look) == 2, echo(5), is_likely=is_likely) is None
            assert await read_if(lambda _look: False, echo(5), is_likely=is_likely) is None
            assert await read_if(lambda _look: True, echo(5), is_likely=is_likely) == 5
            assert (
                await read_if(lambda look: echo(1)(look) == 2, lambda look: look.all(wrong, {}), is_likely=is_likely)
                is None
            )
            await until(lambda: database.quick.read(is_in_loop))
            with pytest.raises(psycopg.errors.DivisionByZero):
                await read_if(lambda look: bool(echo(1)(look)), lambda look: look.all(wrong, {}), is_likely=is_likely)
            await until(lambda: database.quick.read(is_in_loop))
            with pytest.raises(NotFound):
                await read_if(lambda look: bool(echo(1)(look)), fail, is_likely=is_likely)
            assert await database.quick.read(echo(9)) == 9
        assert not await read_if(lambda look: echo(1)(look) == 2, fail)

    run(database, talk)
