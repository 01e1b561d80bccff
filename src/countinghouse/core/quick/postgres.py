"""PostgreSQL by its driver.

A short read goes over a line that the event loop watches; to hand it to a thread would cost as much as the database
takes for it. What may take long, what writes and what a line could not do goes on a thread with its own connection.
"""

import asyncio
import select
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from psycopg.errors import UniqueViolation
from sqlalchemy import Dialect

from countinghouse.core.quick.guarded import Guarded
from countinghouse.core.quick.line import LineLost
from countinghouse.core.quick.lines import Lines
from countinghouse.core.quick.look import AlreadyThere, Cells, Change, Look
from countinghouse.core.quick.statement import Plan, Statement, Values
from countinghouse.core.quick.talks import NotForALine

T = TypeVar("T")

# Enough to keep a database busy; more only hand Python's lock around.
THREADS = 4
THREADS_FOR_LONG_READS = 4
THREADS_FOR_CHANGES = 8
_SETTINGS = {
    Plan.IN_ORDER: "SET LOCAL enable_sort = off",
    Plan.BY_LOOKUP: "SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)",
}


class PostgresQuick:
    def __init__(self, conninfo: str, dialect: Dialect, options: Mapping[str, Any]) -> None:
        self._conninfo = conninfo
        self._options = options
        self._dialect = dialect
        self._idle: deque[psycopg.Connection[Any]] = deque()
        self._threads: dict[str, ThreadPoolExecutor] = {}
        self._lines = Lines(self._connect_on_thread)

    def start(self) -> None:
        self._lines.start()

    async def read(self, work: Callable[[Look], T], *, may_take_long: bool = False) -> T:
        """`work` may be done twice, when the first connection turns out to be dead."""
        if not may_take_long and (line := await self._lines.take()) is not None:
            with suppress(LineLost, NotForALine):
                return await line.read(work)
        return await self._read_on_thread(work, may_take_long)

    async def read_if(
        self,
        allowed: Callable[[Look], bool],
        work: Callable[[Look], T],
        *,
        is_likely: bool = False,
        may_take_long: bool = False,
    ) -> T | None:
        if is_likely and not may_take_long and (line := await self._lines.take()) is not None:
            with suppress(LineLost, NotForALine):
                return await line.read_if(allowed, work)
        return await self.read(lambda look: work(look) if allowed(look) else None, may_take_long=may_take_long)

    async def _read_on_thread(self, work: Callable[[Look], T], may_take_long: bool) -> T:
        name, threads = ("long", THREADS_FOR_LONG_READS) if may_take_long else ("quick", THREADS)
        return await self._on_thread(name, threads, lambda: self._read(work))

    async def change(self, work: Callable[[Change], T]) -> T:
        return await self._on_thread("change", THREADS_FOR_CHANGES, lambda: self._change(work))

    def _connect_on_thread(self) -> "asyncio.Future[psycopg.Connection[Any]]":
        return self._on_thread("quick", THREADS, self._connect)

    def _on_thread(self, name: str, threads: int, work: Callable[[], T]) -> "asyncio.Future[T]":
        pool = self._threads.get(name)
        if pool is None:
            pool = self._threads.setdefault(name, ThreadPoolExecutor(threads, f"postgres-{name}"))
        return asyncio.get_running_loop().run_in_executor(pool, work)

    def _read(self, work: Callable[[Look], T]) -> T:
        connection = self._connection()
        try:
            return work(_PostgresLook(connection, self._dialect))
        except psycopg.OperationalError:
            if not connection.closed:
                raise
        finally:
            self._put_back(connection)
        connection = self._connection()
        try:
            return work(_PostgresLook(connection, self._dialect))
        finally:
            self._put_back(connection)

    def _change(self, work: Callable[[Change], T]) -> T:
        # Never done twice: when a connection breaks in the middle, nobody knows whether it was stored.
        connection = self._connection()
        try:
            return work(_PostgresLook(connection, self._dialect))
        finally:
            self._put_back(connection)

    def _connection(self) -> psycopg.Connection[Any]:
        with suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if not _is_hung_up(connection):
                    return connection
                connection.close()
        return self._connect()

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._conninfo, autocommit=True, **self._options)

    def _put_back(self, connection: psycopg.Connection[Any]) -> None:
        if not connection.closed:
            self._idle.append(connection)

    def close(self) -> None:
        self._lines.close()
        for pool in self._threads.values():
            pool.shutdown(wait=True, cancel_futures=True)
        self._threads.clear()
        with suppress(IndexError):
            while True:
                self._idle.pop().close()


def _is_hung_up(connection: psycopg.Connection[Any]) -> bool:
    """Nothing is awaited on an idle connection: when there is something to read, it is the server's farewell."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class _PostgresLook:
    is_sqlite = False

    def __init__(self, connection: psycopg.Connection[Any], dialect: Dialect) -> None:
        self._connection = connection
        self._cursor = connection.cursor(binary=True)
        self._dialect = dialect

    def all(self, statement: Statement, values: Values) -> list[Cells]:
        self._execute(statement, values)
        return self._cursor.fetchall()

    def guarded(self, guarded: Guarded, values: Values) -> Cells | None:
        try:
            found = self.all(guarded.as_one, values)
        except UniqueViolation as error:
            raise AlreadyThere from error
        return found[0] if found else None

    def _execute(self, statement: Statement, values: Values) -> None:
        compiled = statement.compiled(self._dialect)
        bound = compiled.bound(values)
        if setting := _SETTINGS.get(statement.plan):
            with self._connection.transaction():
                self._cursor.execute(setting)
                self._cursor.execute(compiled.sql, bound, prepare=False)
        else:
            self._cursor.execute(compiled.sql, bound, prepare=statement.plan is Plan.ONCE)
