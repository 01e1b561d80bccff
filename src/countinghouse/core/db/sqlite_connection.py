"""A SQLite connection, and how database work runs on it: to its end, without an event loop."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Coroutine
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy.dialects import sqlite

from countinghouse.core.db.reader import Reader
from countinghouse.core.db.rows import Chosen, Rows
from countinghouse.core.db.spool import Spool
from countinghouse.core.db.statement import Cells, Compiled, Plan, Values
from countinghouse.core.times import stored_text

T = TypeVar("T")
Work = Callable[[Any], Coroutine[Any, Any, T]]

DIALECT = sqlite.dialect(paramstyle="named")

SWITCH_PAUSE_SECONDS = 0.01
ROWS_A_CHUNK = 100
# A log that has grown, because somebody read for long, is cut back to this when it begins again.
MOST_WAL_BYTES = 16_000_000

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
    connection.execute(f"PRAGMA journal_size_limit = {MOST_WAL_BYTES}")


def wal_bytes(file: Path) -> int:
    """The size of the write-ahead log of this database. It is deleted when nobody has the database open."""
    try:
        return Path(f"{file}-wal").stat().st_size
    except FileNotFoundError:
        return 0


def decode_leniently(stored: bytes) -> str:
    """Replaces invalid bytes, see `is_unreadable`. Slower than SQLite's own decoding."""
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
    """Each step runs on a thread. A list of more rows than one chunk is read to its end at once, into a file."""

    def __init__(
        self, connection: SqliteConnection, start: Callable[[Callable[[], Any]], "asyncio.Future[Any]"], folder: Path
    ) -> None:
        self.connection = connection
        self.is_reusable = True
        self._start = start
        self._folder = folder
        self._running: set[asyncio.Future[Any]] = set()
        self._cursor: sqlite3.Cursor | None = None
        self._spool: Spool | None = None
        self._ready: list[Cells] = []

    async def open(self, choose: Work[Chosen]) -> None:
        await self._run(lambda: self._open(choose))
        if self._spool is not None:
            self._begin(self._fill)

    def _open(self, choose: Work[Chosen]) -> None:
        self.connection.text_factory = decode_leniently
        self.connection.execute("BEGIN")
        chosen = complete(choose(SqliteReader(self.connection)))
        super().__init__(Compiled(chosen.clause, DIALECT, ()))
        self._cursor = self.connection.execute(self._compiled.sql, self._compiled.bound(chosen.values))
        self._ready = self._cursor.fetchmany(ROWS_A_CHUNK)
        if len(self._ready) == ROWS_A_CHUNK:
            self._spool = Spool(self._folder)
        else:
            self._end_snapshot()

    def _fill(self) -> None:
        if self._spool is not None and self._cursor is not None:
            self._spool.fill(iter(partial(self._cursor.fetchmany, ROWS_A_CHUNK), []))
            self._end_snapshot()

    async def fetch(self, count: int) -> list[Cells]:
        while self._spool is not None and len(self._ready) < count and (rows := await self._run(self._spool.take)):
            self._ready += rows
        found, self._ready = self._ready[:count], self._ready[count:]
        return found

    async def _run(self, step: Callable[[], T]) -> T:
        found: T = await asyncio.shield(self._begin(step))
        return found

    def _begin(self, step: Callable[[], T]) -> "asyncio.Future[T]":
        running = self._start(step)
        self._running.add(running)
        running.add_done_callback(self._ended)
        return running

    def _ended(self, running: "asyncio.Future[Any]") -> None:
        self._running.discard(running)
        if not running.cancelled():
            # Marks the exception as retrieved: the caller has gone, or has raised it.
            running.exception()

    async def close(self) -> None:
        while self._running:
            # The caller was cancelled. A late interrupt must not hit the next user of this connection.
            self.is_reusable = False
            self.connection.interrupt()
            await asyncio.wait(self._running, timeout=0.05)
        try:
            await self._start(self._close)
        except RuntimeError:
            # The database is closing: its threads take no more work.
            self._close()

    def _close(self) -> None:
        if self._spool is not None:
            self._spool.close()
        self._end_snapshot()
        if not self.is_reusable:
            self.connection.close()

    def _end_snapshot(self) -> None:
        if self._cursor is not None:
            self._cursor.close()
            self._cursor = None
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")
