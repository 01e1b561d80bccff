"""Short work on SQLite, directly on the driver. A short read runs on the event loop: a thread would cost more."""

import sqlite3
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from countinghouse.core.quick.guarded import Guarded
from countinghouse.core.quick.reader import AlreadyThere, Cells, Change, Reader
from countinghouse.core.quick.statement import SQLITE_NAMED, Statement, Values
from countinghouse.core.quick.workers import Cost, Quick

T = TypeVar("T")

# One thread for changes: SQLite has one writer, and changes that queue here need not poll for its lock.
THREADS = {Cost.SHORT: 1, Cost.MEDIUM: 2, Cost.LONG: 3, Cost.CHANGE: 1}
# A read on a thread is stopped after this long, to free its place in the lane.
LONGEST_READ_SECONDS = 7.5
# How many SQLite VM instructions run between two checks of the deadline: a few milliseconds.
STEPS_BETWEEN_CHECKS = 100_000

# The row conflicts with an existing one. Violations of other constraints are bugs in this program.
TAKEN = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)


def decode_leniently(stored: bytes) -> str:
    """Replaces invalid bytes. Slower than SQLite's own decoding."""
    return stored.decode(errors="replace")


class SqliteQuick(Quick):
    def __init__(self, connect: Callable[[], sqlite3.Connection], is_closing: Callable[[], bool]) -> None:
        super().__init__(THREADS)
        self._connect = connect
        self._is_closing = is_closing
        # Never more connections than threads, plus one for the event loop.
        self._idle: deque[sqlite3.Connection] = deque()

    async def read(self, work: Callable[[Reader], T], cost: Cost = Cost.SHORT) -> T:
        return self._read(work, cost) if cost is Cost.SHORT else await super().read(work, cost)

    def _read(self, work: Callable[[Reader], T], cost: Cost) -> T:
        seconds = None if cost is Cost.SHORT else LONGEST_READ_SECONDS
        try:
            return self._do(work, seconds)
        except sqlite3.OperationalError as error:
            if "decode" not in str(error):
                raise
            # One row that another program wrote in another encoding must not make the other rows unreadable.
            return self._do(work, seconds, decode_leniently)

    def _change(self, work: Callable[[Change], T]) -> T:
        return self._do(work)

    def _do(
        self,
        work: "Callable[[_SqliteReader], T]",
        seconds: float | None = None,
        decode: Callable[[bytes], str] | type[str] = str,
    ) -> T:
        connection = self._connection()
        connection.text_factory = decode
        if seconds is not None:
            ends_at = time.monotonic() + seconds
            connection.set_progress_handler(
                lambda: self._is_closing() or time.monotonic() > ends_at, STEPS_BETWEEN_CHECKS
            )
        try:
            return work(_SqliteReader(connection))
        finally:
            if seconds is not None:
                connection.set_progress_handler(None, 0)
            self._idle.append(connection)

    def _connection(self) -> sqlite3.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def close(self) -> None:
        super().close()
        with suppress(IndexError):
            while True:
                self._idle.pop().close()


class _SqliteReader:
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
