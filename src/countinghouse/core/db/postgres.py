"""PostgreSQL through psycopg's asynchronous connections, and the one pool of them."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from threading import Event
from typing import Any, TypeVar

import psycopg
from psycopg.errors import UniqueViolation
from psycopg.pq import TransactionStatus
from psycopg.pq.abc import PGresult
from sqlalchemy import URL, Dialect

from countinghouse.core.db.connecting import WHILE_SOMEBODY_READS, connect, libpq_address
from countinghouse.core.db.connection import DatabaseSilent, DeadlineConnection
from countinghouse.core.db.costs import Cost, lanes
from countinghouse.core.db.guarded import Guarded
from countinghouse.core.db.position import Position
from countinghouse.core.db.reader import NOTHING, AlreadyThere, Change, Reader, Transaction, plan_of
from countinghouse.core.db.rows import Chosen, Rows
from countinghouse.core.db.statement import Cells, Compiled, Plan, Runnable, Values

T = TypeVar("T")

# Enough to keep a database busy. A place holds one connection.
PLACES = {Cost.SHORT: 6, Cost.MEDIUM: 2, Cost.LONG: 3, Cost.CHANGE: 8, Cost.LONG_CHANGE: 2}
# Together with the wait for a place in the lane, each stays under ten seconds. The server reports a lock that is not
# granted within LOCK_WAIT_MILLISECONDS before a change gives up.
SILENCE_SECONDS = {Cost.SHORT: 4.5, Cost.MEDIUM: 5.5, Cost.LONG: 5.5, Cost.CHANGE: 6.5}

BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

_SETTINGS: dict[Plan, tuple[str, ...]] = {
    Plan.IN_ORDER: ("enable_sort = off",),
    # With it, the rows that an index reads decide, and not how they are spread over the disk.
    Plan.BY_FILTER: ("random_page_cost = 0.01",),
    Plan.BY_LOOKUP: ("enable_hashjoin = off", "enable_mergejoin = off"),
}

# The table's schema has changed since the statement was prepared on this connection.
STALE_PLAN = (psycopg.errors.FeatureNotSupported, psycopg.errors.InvalidSqlStatementName)


class ConnectionLost(psycopg.OperationalError):
    """The connection is no longer usable; the same read may succeed on another one."""


class Postgres:
    """`is_patient`: waits as long as the server works, for commands; a request gives up after seconds.

    `is_pooled`: the URL leads to a pooler in transaction mode, such as pgBouncer, so nothing may outlive a transaction.
    """

    is_sqlite = False

    def __init__(self, url: URL, closing: Event, *, is_patient: bool, is_pooled: bool) -> None:
        self._conninfo = libpq_address(url)
        self.is_patient = is_patient
        self._is_pooled = is_pooled
        self._closing = closing
        self.lanes = lanes(PLACES)
        # Idle connections; never more than the lanes have places.
        self._idle: deque[DeadlineConnection] = deque()
        dialect: Any = url.get_dialect()
        self.dialect: Dialect = dialect(dbapi=psycopg, paramstyle="numeric_dollar")

    async def read(
        self, work: Callable[[Reader], Awaitable[T]], cost: Cost, *, snapshot: bool, after: Position | None = None
    ) -> T:
        """`after` is for a replica, see `ReplicaPool`."""

        async def one_read(connection: DeadlineConnection) -> T:
            async with _snapshot(connection):
                return await work(PostgresReader(connection, self.dialect))

        run = one_read if snapshot else lambda connection: work(PostgresReader(connection, self.dialect))
        async with self.lanes[cost].turn():
            try:
                return await self._on_connection(run, SILENCE_SECONDS[cost], after)
            except ConnectionLost:
                return await self._on_connection(run, SILENCE_SECONDS[cost], after)

    async def change(self, work: Callable[[Change], Awaitable[T]]) -> T:
        # Never retried: if the connection breaks in the middle, the change may or may not be stored.
        async with self.lanes[Cost.CHANGE].turn():
            return await self._on_connection(
                lambda connection: work(_Change(connection, self.dialect)), SILENCE_SECONDS[Cost.CHANGE]
            )

    async def write(self, work: Callable[[Transaction], Awaitable[T]], silence_seconds: float | None) -> T:
        async def one_transaction(connection: DeadlineConnection) -> T:
            patience = () if silence_seconds is None else (_patient_for(silence_seconds),)
            async with _transaction(connection, *patience):
                return await work(_Transaction(connection, self.dialect))

        cost = Cost.CHANGE if silence_seconds is None else Cost.LONG_CHANGE
        async with self.lanes[cost].turn():
            return await self._on_connection(one_transaction, silence_seconds or SILENCE_SECONDS[Cost.CHANGE])

    @asynccontextmanager
    async def stream(
        self, choose: Callable[[Reader], Awaitable[Chosen]], silence_seconds: float, *, after: Position | None = None
    ) -> AsyncIterator["_Rows"]:
        settings = _patient_for(silence_seconds), WHILE_SOMEBODY_READS
        async with _Borrowed(self, silence_seconds, after) as connection, _snapshot(connection, *settings):
            chosen = await choose(PostgresReader(connection, self.dialect))
            if chosen.settings:
                await connection.command("; ".join(f"SET LOCAL {setting}" for setting in chosen.settings))
            compiled = Compiled(chosen.clause, self.dialect, ())
            async with connection.cursor("rows", binary=True) as cursor:
                try:
                    await cursor.execute(compiled.sql, compiled.positional(chosen.values))
                    yield _Rows(compiled, cursor)
                except asyncio.CancelledError:
                    # Closing the cursor would wait for the server, and be cancelled as well.
                    connection.close_now()
                    raise

    async def _on_connection(
        self,
        work: Callable[[DeadlineConnection], Awaitable[T]],
        silence_seconds: float,
        after: Position | None = None,
    ) -> T:
        async with _Borrowed(self, silence_seconds, after) as connection:
            return await work(connection)

    def put_back(self, connection: DeadlineConnection, error: BaseException | None) -> None:
        is_stale = isinstance(error, STALE_PLAN)
        if not (is_stale or connection.closed or self._closing.is_set()):
            self._idle.append(connection)
            return
        connection.close_now()
        is_lost = isinstance(error, psycopg.OperationalError)
        if is_lost:
            # Whatever closed this connection has most likely closed the idle ones too.
            self._close_idle()
        # After a silence, a retry would only double the wait.
        if is_stale or (is_lost and not isinstance(error, DatabaseSilent)):
            raise ConnectionLost(str(error)) from error

    async def take(self, _after: Position | None = None) -> DeadlineConnection:
        with suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if not connection.is_closed_by_server():
                    return connection
                connection.close_now()
        return await connect(self._conninfo, self._closing, is_patient=self.is_patient, is_pooled=self._is_pooled)

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().close_now()

    def close(self) -> None:
        self._close_idle()


def _patient_for(seconds: float) -> str:
    return f"statement_timeout = {round(seconds * 1000)}"


@asynccontextmanager
async def _transaction(connection: DeadlineConnection, *settings: str) -> AsyncIterator[None]:
    await connection.begin("BEGIN", *settings)
    try:
        yield
    except BaseException:
        # A connection that cannot roll back is not used again; PostgreSQL rolls back when it is closed.
        try:
            if not connection.closed:
                await connection.command("ROLLBACK")
        except BaseException:
            connection.close_now()
        raise
    await connection.command("COMMIT")


@asynccontextmanager
async def _snapshot(connection: DeadlineConnection, *settings: str) -> AsyncIterator[None]:
    """Unlike a transaction that writes, it may end on a connection that is closed: there is nothing to commit."""
    await connection.begin(BEGIN_SNAPSHOT, *settings)
    try:
        yield
    finally:
        try:
            if not connection.closed:
                await connection.command("ROLLBACK")
        except BaseException:
            connection.close_now()
            raise


class _Borrowed:
    """A class, because a generator as context manager costs several times as much, and each read needs one."""

    __slots__ = ("after", "connection", "pool", "silence_seconds")

    def __init__(self, pool: Postgres, silence_seconds: float, after: Position | None) -> None:
        self.pool = pool
        self.after = after
        self.silence_seconds = silence_seconds

    async def __aenter__(self) -> DeadlineConnection:
        self.connection = await self.pool.take(self.after)
        self.connection.silence_seconds = None if self.pool.is_patient else self.silence_seconds
        return self.connection

    async def __aexit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if self.connection.is_held:
            await self.connection.release()
        self.pool.put_back(self.connection, error)


class PostgresReader(Reader):
    is_sqlite = False

    def __init__(self, connection: DeadlineConnection, dialect: Dialect) -> None:
        self._connection = connection
        self.dialect = dialect

    async def _fetch(self, compiled: Compiled, values: Values, plan: Plan) -> list[Cells]:
        return self._connection.rows(await self._run(compiled, values, plan))

    async def _run(self, compiled: Compiled, values: Values, plan: Plan) -> PGresult:
        bound = compiled.positional(values)
        settings = _SETTINGS.get(plan, ())
        if self._connection.is_held:
            await self._connection.hold(*settings)
            return await self._connection.run(compiled.sql, bound, is_prepared=False)
        # Inside a transaction a setting would affect the statements that follow.
        if (settings or self._connection.is_pooled) and self._is_outside_transaction:
            async with _transaction(self._connection, *settings):
                return await self._connection.run(compiled.sql, bound, is_prepared=False)
        return await self._connection.run(compiled.sql, bound, is_prepared=plan is Plan.ONCE)

    @property
    def _is_outside_transaction(self) -> bool:
        return self._connection.pgconn.transaction_status == TransactionStatus.IDLE


class _Change(PostgresReader, Change):
    async def execute(self, statement: Runnable, values: Values | Sequence[Values] = NOTHING) -> int:
        try:
            if isinstance(values, Sequence):
                return await self._execute_many(statement, values)
            result = await self._run(self._compiled(statement, values), values, plan_of(statement))
        except UniqueViolation as error:
            raise AlreadyThere from error
        return result.command_tuples or 0

    async def _execute_many(self, statement: Runnable, values: Sequence[Values]) -> int:
        if not values:
            return 0
        compiled = self._compiled(statement, values[0])
        cursor = self._connection.cursor()
        needs_transaction = self._connection.is_pooled and self._is_outside_transaction
        async with _transaction(self._connection) if needs_transaction else nullcontext():
            await cursor.executemany(compiled.sql, [compiled.positional(one) for one in values])
        return cursor.rowcount

    async def guarded(self, guarded: Guarded, values: Values) -> Cells | None:
        try:
            found = await self.all(guarded.as_one, values)
        except UniqueViolation as error:
            raise AlreadyThere from error
        return found[0] if found else None


class _Transaction(_Change, Transaction):
    async def guarded(self, guarded: Guarded, values: Values) -> Cells | None:
        async with self.savepoint():
            return await super().guarded(guarded, values)

    async def command(self, sql: str) -> None:
        await self._connection.command(sql)


class _Rows(Rows):
    def __init__(self, compiled: Compiled, cursor: psycopg.AsyncServerCursor[Cells]) -> None:
        super().__init__(compiled)
        self._cursor = cursor

    async def fetch(self, count: int) -> list[Cells]:
        return await self._cursor.fetchmany(count)
