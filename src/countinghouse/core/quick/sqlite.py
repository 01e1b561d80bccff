"""SQLite by its driver. A short read runs where it is asked for: handing it to a thread would cost more."""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from countinghouse.core.quick.guarded import Guarded
from countinghouse.core.quick.look import AlreadyThere, Cells, Change, Look
from countinghouse.core.quick.statement import SQLITE_NAMED, Statement, Values

T = TypeVar("T")

THREADS_FOR_LONG_READS = 4

# The row is refused because of one that is there; other constraints are mistakes of ours.
TAKEN = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)


class SqliteQuick:
    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._idle: deque[sqlite3.Connection] = deque()
        self._threads: dict[str, ThreadPoolExecutor] = {}

    def start(self) -> None:
        """Nothing to do: it reads in whatever loop it is asked in."""

    async def read(self, work: Callable[[Look], T], *, may_take_long: bool = False) -> T:
        if not may_take_long:
            return self._do(work)
        return await self._on_thread("long", THREADS_FOR_LONG_READS, lambda: self._do(work))

    async def read_if(
        self,
        allowed: Callable[[Look], bool],
        work: Callable[[Look], T],
        *,
        is_likely: bool = False,  # noqa: ARG002 - where nothing is sent, nothing is saved by sending it together
        may_take_long: bool = False,
    ) -> T | None:
        return await self.read(lambda look: work(look) if allowed(look) else None, may_take_long=may_take_long)

    async def change(self, work: Callable[[Change], T]) -> T:
        # One thread: the database has one writer, and those who queue for it here need not ask again and again.
        return await self._on_thread("change", 1, lambda: self._do(work))

    async def _on_thread(self, name: str, threads: int, work: Callable[[], T]) -> T:
        pool = self._threads.get(name)
        if pool is None:
            pool = self._threads.setdefault(name, ThreadPoolExecutor(threads, f"sqlite-{name}"))
        return await asyncio.get_running_loop().run_in_executor(pool, work)

    def _do(self, work: Callable[["_SqliteLook"], T]) -> T:
        connection = self._connection()
        try:
            return work(_SqliteLook(connection))
        finally:
            self._idle.append(connection)

    def _connection(self) -> sqlite3.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def close(self) -> None:
        for pool in self._threads.values():
            pool.shutdown(wait=True, cancel_futures=True)
        self._threads.clear()
        with suppress(IndexError):
            while True:
                self._idle.pop().close()


class _SqliteLook:
    is_sqlite = True

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, statement: Statement, values: Values) -> list[Cells]:
        return self._execute(statement, values).fetchall()

    def guarded(self, guarded: Guarded, values: Values) -> Cells | None:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            if self._execute(guarded.guard, values).rowcount == 0:
                self._connection.execute("ROLLBACK")
                return None
            for statement in guarded.then:
                self._execute(statement, values)
            answer: Cells = self._execute(guarded.answer, values).fetchone()
            self._connection.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.OperationalError):
                self._connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.IntegrityError) and error.sqlite_errorcode in TAKEN:
                raise AlreadyThere from error
            raise
        return answer

    def _execute(self, statement: Statement, values: Values) -> sqlite3.Cursor:
        compiled = statement.compiled(SQLITE_NAMED)
        return self._connection.execute(compiled.sql, compiled.bound_for_sqlite(values))
