"""SQLite. A short read runs on the event loop, because a thread would cost more; all other work runs on threads."""

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypeVar
from weakref import WeakSet

from anyio import CancelScope
from sqlalchemy import URL

from countinghouse.core.db.costs import Cost, lanes
from countinghouse.core.db.guarded import Guarded
from countinghouse.core.db.reader import NOTHING, AlreadyThere, Change, Transaction, TransactionEnded
from countinghouse.core.db.rows import Chosen
from countinghouse.core.db.spool import refuse_if_almost_full
from countinghouse.core.db.sqlite_connection import (
    SqliteConnection,
    SqliteReader,
    SqliteRows,
    Work,
    complete,
    decode_leniently,
    prepare_connection,
)
from countinghouse.core.db.statement import Cells, Compiled, Plan, Runnable, Values

T = TypeVar("T")

# One thread for changes: SQLite has one writer, and changes that queue here need not poll for its lock.
PLACES = {Cost.SHORT: 1, Cost.MEDIUM: 2, Cost.LONG: 3, Cost.CHANGE: 1, Cost.LONG_CHANGE: 1}
STREAMING_THREADS = 8
LOCK_WAIT_MILLISECONDS = 5_000
# A read on a thread is stopped after this long, to free its place in the lane.
LONGEST_READ_SECONDS = 7.5
# How long a change that is running when the database closes may still take.
CLOSING_SECONDS = 0.5
# How many SQLite VM instructions run between two checks of the deadline: a few milliseconds.
STEPS_BETWEEN_CHECKS = 100_000

# The row conflicts with an existing one. Violations of other constraints are bugs in this program.
TAKEN = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)


class Sqlite:
    is_sqlite = True

    def __init__(self, url: URL, closing: Event, *, is_patient: bool) -> None:
        self._path = url.database or ":memory:"
        self._folder = Path(self._path).absolute().parent
        self._is_patient = is_patient
        self._closing = closing
        self.lanes = lanes(PLACES)
        self._threads: dict[Cost, ThreadPoolExecutor] = {}
        # Separate threads: rows of a list must not queue behind requests.
        self._streaming = ThreadPoolExecutor(STREAMING_THREADS, "database-stream")
        # Never more connections than threads, plus one for the event loop.
        self._idle: deque[SqliteConnection] = deque()
        self._open: WeakSet[SqliteConnection] = WeakSet()
        self._running: set[Future[Any]] = set()

    async def read(self, work: Work[T], cost: Cost, *, snapshot: bool) -> T:
        if cost is Cost.SHORT:
            return self._read(work, None, snapshot)
        return await self._on_thread(cost, lambda: self._read(work, LONGEST_READ_SECONDS, snapshot))

    async def change(self, work: Work[T]) -> T:
        return await self._on_thread(Cost.CHANGE, lambda: self._change(work))

    async def write(self, work: Work[T], _silence_seconds: float | None) -> T:
        return await self._on_thread(Cost.CHANGE, lambda: self._write(work))

    def _read(self, work: Work[T], seconds: float | None, snapshot: bool) -> T:
        try:
            return self._read_decoding(str, work, seconds, snapshot)
        except sqlite3.OperationalError as error:
            if "decode" not in str(error):
                raise
            # One row that another program wrote in another encoding must not make the other rows unreadable.
            return self._read_decoding(decode_leniently, work, seconds, snapshot)

    def _read_decoding(self, decode: Callable[[bytes], str], work: Work[T], seconds: float | None, snapshot: bool) -> T:
        with self.connection(None if self._is_patient else seconds, decode) as connection:
            if not snapshot:
                return complete(work(SqliteReader(connection)))
            with _transaction(connection, "BEGIN"):
                return complete(work(SqliteReader(connection)))

    def _change(self, work: Work[T]) -> T:
        with self.connection() as connection:
            return complete(work(_Change(connection)))

    def _write(self, work: Work[T]) -> T:
        # A writer takes the write lock at once: upgrading a read to a write fails if its snapshot is stale.
        with self.connection() as connection, _transaction(connection, "BEGIN IMMEDIATE"):
            return complete(work(_Transaction(connection)))

    @contextmanager
    def connection(
        self, seconds: float | None = None, decode: Callable[[bytes], str] = decode_leniently
    ) -> Iterator[SqliteConnection]:
        connection = self._connection()
        connection.text_factory = decode
        if seconds is not None:
            ends_at = time.monotonic() + seconds
            connection.set_progress_handler(
                lambda: self._closing.is_set() or time.monotonic() > ends_at, STEPS_BETWEEN_CHECKS
            )
        try:
            yield connection
        finally:
            if seconds is not None:
                connection.set_progress_handler(None, 0)
            if connection.in_transaction or self._closing.is_set():
                connection.close()
            else:
                self._idle.append(connection)

    def _connection(self) -> SqliteConnection:
        with suppress(IndexError):
            return self._idle.pop()
        # Passed between threads, but never used by two at once.
        connection = sqlite3.connect(
            self._path, check_same_thread=False, cached_statements=256, factory=SqliteConnection, isolation_level=None
        )
        prepare_connection(connection, LOCK_WAIT_MILLISECONDS)
        self._open.add(connection)
        return connection

    async def _on_thread(self, cost: Cost, work: Callable[[], T]) -> T:
        lane = self.lanes[cost]
        caller = await lane.enter()
        try:
            running = self._start(self._pool(cost), work)
        except BaseException:
            lane.leave(caller)
            raise

        def leave(done: "asyncio.Future[T]") -> None:
            lane.leave(caller)
            if not done.cancelled():
                # Marks the exception as retrieved: the caller may have gone.
                done.exception()

        running.add_done_callback(leave)
        # A thread cannot be cancelled: its place is freed when the thread ends, not when the caller leaves.
        return await asyncio.shield(running)

    def _start(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> "asyncio.Future[T]":
        running = pool.submit(work)
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        return asyncio.wrap_future(running)

    def _pool(self, cost: Cost) -> ThreadPoolExecutor:
        pool = self._threads.get(cost)
        if pool is None:
            pool = ThreadPoolExecutor(PLACES[cost], f"database-{cost.name.lower()}")
            pool = self._threads.setdefault(cost, pool)
        return pool

    @asynccontextmanager
    async def stream(self, choose: Work[Chosen], _silence_seconds: float) -> AsyncIterator[SqliteRows]:
        rows = SqliteRows(self._connection(), partial(self._start, self._streaming), self._folder)
        try:
            await rows.open(choose)
            yield rows
        finally:
            if self._closing.is_set():
                rows.is_reusable = False
            with CancelScope(shield=True):
                await rows.close()
            if rows.is_reusable:
                self._idle.append(rows.connection)

    def refuse_stream_if_no_space(self) -> None:
        refuse_if_almost_full(self._folder)

    def close(self) -> None:
        """Ends every statement that still runs, in its own thread, after a moment in which most end by themselves."""
        for pool in (*self._threads.values(), self._streaming):
            pool.shutdown(wait=False, cancel_futures=True)
        self._threads.clear()
        while wait(list(self._running), timeout=CLOSING_SECONDS).not_done:
            # Repeated, because an interrupt ends only the statement that runs at this moment. Not for idle connections:
            # an interrupted connection does not checkpoint SQLite's WAL into the database file when it is closed.
            for connection in {*self._open} - {*self._idle}:
                with suppress(sqlite3.ProgrammingError):
                    connection.interrupt()
        with suppress(IndexError):
            while True:
                self._idle.pop().close()


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite may have rolled back already, for example when the disk is full.
        with suppress(sqlite3.OperationalError):
            connection.execute("ROLLBACK")
        raise


class _Change(SqliteReader, Change):
    async def execute(self, statement: Runnable, values: Values | Sequence[Values] = NOTHING) -> int:
        with _reporting_taken():
            if isinstance(values, Sequence):
                return self._execute_many(statement, values)
            compiled = self._compiled(statement, values)
            return self._connection.execute(compiled.sql, compiled.bound(values)).rowcount

    def _execute_many(self, statement: Runnable, values: Sequence[Values]) -> int:
        if not values:
            return 0
        compiled = self._compiled(statement, values[0])
        return self._connection.executemany(compiled.sql, [compiled.bound(one) for one in values]).rowcount

    async def guarded(self, guarded: Guarded, values: Values) -> Cells | None:
        with _reporting_taken(), _transaction(self._connection, "BEGIN IMMEDIATE"):
            return await self._step_by_step(guarded, values)

    async def _step_by_step(self, guarded: Guarded, values: Values) -> Cells | None:
        if await self.execute(guarded.guard, values) == 0:
            return None
        for statement in guarded.then:
            await self.execute(statement, values)
        return (await self.all(guarded.answer, values))[0]


class _Transaction(_Change, Transaction):
    """Refuses to go on after SQLite has rolled back by itself: each further statement would be stored on its own."""

    async def _fetch(self, compiled: Compiled, values: Values, plan: Plan) -> list[Cells]:
        self._check()
        return await super()._fetch(compiled, values, plan)

    async def execute(self, statement: Runnable, values: Values | Sequence[Values] = NOTHING) -> int:
        self._check()
        return await super().execute(statement, values)

    async def guarded(self, guarded: Guarded, values: Values) -> Cells | None:
        async with self.savepoint():
            return await self._step_by_step(guarded, values)

    async def command(self, sql: str) -> None:
        self._check()
        self._connection.execute(sql)

    def _check(self) -> None:
        if not self._connection.in_transaction:
            raise TransactionEnded("SQLite has rolled the transaction back")


@contextmanager
def _reporting_taken() -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode in TAKEN:
            raise AlreadyThere from error
        raise
