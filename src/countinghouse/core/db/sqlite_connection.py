"""A SQLite connection, and how database work runs on it: to its end, without an event loop."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy.dialects import sqlite

from countinghouse.core.db.reader import Reader
from countinghouse.core.db.rows import Chosen, Rows
from countinghouse.core.db.statement import Cells, Compiled, Plan, Values
from countinghouse.core.times import stored_text

T = TypeVar("T")
Work = Callable[[Any], Coroutine[Any, Any, T]]

DIALECT = sqlite.dialect(paramstyle="named")

SWITCH_PAUSE_SECONDS = 0.01

sqlite3.register_adapter(datetime, stored_text)


class SqliteConnection(sqlite3.Connection):
    """Unlike its base class, it supports weak references."""


def prepare_connection(connection: sqlite3.Connection, wait_milliseconds: int) -> None:
    connection.execute(f"PRAGMA busy_timeout = {wait_milliseconds}")
    deadline = time.monotonic() + wait_milliseconds / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            # SQLite does not wait when two connections switch a new file at the same moment.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(SWITCH_PAUSE_SECONDS)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def decode_leniently(stored: bytes) -> str:
    """Replaces invalid bytes. Slower than SQLite's own decoding."""
    return stored.decode(errors="replace")


def complete(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that awaits nothing but SQLite, whose calls never suspend it."""
    try:
        work.send(None)
    except StopIteration as ended:
        result: T = ended.value
        return result
    work.close()
    raise RuntimeError("database work may await only its reader or transaction")


class SqliteReader(Reader):
    is_sqlite = True
    dialect = DIALECT

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def _fetch(self, compiled: Compiled, values: Values, _plan: Plan) -> list[Cells]:
        return self._connection.execute(compiled.sql, compiled.bound(values)).fetchall()


class SqliteRows(Rows):
    """Each fetch runs on a thread."""

    def __init__(
        self, connection: SqliteConnection, start: Callable[[Callable[[], Any]], "asyncio.Future[Any]"]
    ) -> None:
        self.connection = connection
        self.is_reusable = True
        self._start = start
        self._running: asyncio.Future[Any] | None = None
        self._cursor: sqlite3.Cursor | None = None

    async def open(self, choose: Work[Chosen]) -> None:
        await self._run(lambda: self._open(choose))

    def _open(self, choose: Work[Chosen]) -> None:
        self.connection.text_factory = decode_leniently
        self.connection.execute("BEGIN")
        chosen = complete(choose(SqliteReader(self.connection)))
        super().__init__(Compiled(chosen.clause, DIALECT, ()))
        self._cursor = self.connection.execute(self._compiled.sql, self._compiled.bound(chosen.values))

    async def fetch(self, count: int) -> list[Cells]:
        return await self._run(lambda: self._cursor.fetchmany(count) if self._cursor else [])

    async def _run(self, step: Callable[[], T]) -> T:
        self._running = self._start(step)
        found: T = await asyncio.shield(self._running)
        return found

    async def close(self) -> None:
        while self._running is not None and not self._running.done():
            # The caller was cancelled. A late interrupt must not hit the next user of this connection.
            self.is_reusable = False
            self.connection.interrupt()
            await asyncio.wait([self._running], timeout=0.05)
        if self._running is not None and not self._running.cancelled():
            # Marks the exception as retrieved: the caller has gone, or has raised it.
            self._running.exception()
        try:
            await self._start(self._close)
        except RuntimeError:
            # The database is closing: its threads take no more work.
            self._close()

    def _close(self) -> None:
        if self._cursor is not None:
            self._cursor.close()
        if self.is_reusable and self.connection.in_transaction:
            self.connection.execute("ROLLBACK")
        if not self.is_reusable:
            self.connection.close()
