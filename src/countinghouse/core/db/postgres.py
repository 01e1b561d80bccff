"""PostgreSQL through psycopg's asynchronous connections, and the one pool of them."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from threading import Event
from typing import Any, TypeVar

import psycopg
from psycopg.errors import UniqueViolation
from psycopg.pq import TransactionStatus
from sqlalchemy import URL, Dialect

from countinghouse.core.db.connection import DatabaseSilent, DeadlineConnection
from countinghouse.core.db.costs import Cost, lanes
from countinghouse.core.db.guarded import Guarded
from countinghouse.core.db.reader import NOTHING, AlreadyThere, Change, Reader, Transaction
from countinghouse.core.db.rows import Chosen, Rows
from countinghouse.core.db.statement import Cells, Compiled, Plan, Runnable, Values

T = TypeVar("T")

# Enough to keep a database busy. A place holds one connection.
PLACES = {Cost.SHORT: 6, Cost.MEDIUM: 2, Cost.LONG: 3, Cost.CHANGE: 8, Cost.LONG_CHANGE: 2}
# Together with the wait for a place in the lane, each stays under ten seconds. The server reports a lock that is not
# granted within LOCK_WAIT_MILLISECONDS before a change gives up.
SILENCE_SECONDS = {Cost.SHORT: 4.5, Cost.MEDIUM: 5.5, Cost.LONG: 5.5, Cost.CHANGE: 6.5}

# A lock that is not granted in five seconds is reported to the admin instead of hanging the request.
LOCK_WAIT_MILLISECONDS = 5_000
# A little longer than any request waits, so that PostgreSQL cancels an abandoned statement.
STATEMENT_MILLISECONDS = 8_000
ABANDONED_TRANSACTION_MILLISECONDS = 300_000
# How soon PostgreSQL stops a statement whose connection was closed, for example by a client that stopped an export.
ABANDONED_STATEMENT_MILLISECONDS = 1_000
CONNECT_SECONDS = 2
# TCP keepalive, on both sides. PostgreSQL's own default is two hours: until then, each connection that the network has
# lost would count against `max_connections` and keep its locks.
KEEPALIVE_IDLE_SECONDS, KEEPALIVE_INTERVAL_SECONDS, KEEPALIVE_COUNT = 5, 2, 3
DEAD_PEER_SECONDS = KEEPALIVE_IDLE_SECONDS + KEEPALIVE_INTERVAL_SECONDS * KEEPALIVE_COUNT

BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

_SETTINGS = {
    Plan.IN_ORDER: "SET LOCAL enable_sort = off",
    Plan.BY_LOOKUP: "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off",
}

# The table's schema has changed since the statement was prepared on this connection.
STALE_PLAN = (psycopg.errors.FeatureNotSupported, psycopg.errors.InvalidSqlStatementName)


class ConnectionLost(psycopg.OperationalError):
    """The connection is no longer usable; the same read may succeed on another one."""


class Postgres:
    """`is_patient`: waits as long as the server works, for commands; a request gives up after seconds."""

    is_sqlite = False

    def __init__(self, url: URL, closing: Event, *, is_patient: bool) -> None:
        self._conninfo = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._is_patient = is_patient
        self._closing = closing
        self._lanes = lanes(PLACES)
        # Idle connections; never more than the lanes have places.
        self._idle: deque[DeadlineConnection] = deque()
        dialect: Any = url.get_dialect()
        self.dialect: Dialect = dialect(dbapi=psycopg)

    async def read(self, work: Callable[[Reader], Awaitable[T]], cost: Cost, *, snapshot: bool) -> T:
        async def one_read(connection: DeadlineConnection) -> T:
            if not snapshot:
                return await work(_Reader(connection, self.dialect))
            async with _snapshot(connection, BEGIN_SNAPSHOT):
                return await work(_Reader(connection, self.dialect))

        async with self._lanes[cost].turn():
            try:
                return await self._on_connection(one_read, SILENCE_SECONDS[cost])
            except ConnectionLost:
                return await self._on_connection(one_read, SILENCE_SECONDS[cost])

    async def change(self, work: Callable[[Change], Awaitable[T]]) -> T:
        # Never retried: if the connection breaks in the middle, the change may or may not be stored.
        async with self._lanes[Cost.CHANGE].turn():
            return await self._on_connection(
                lambda connection: work(_Change(connection, self.dialect)), SILENCE_SECONDS[Cost.CHANGE]
            )

    async def write(self, work: Callable[[Transaction], Awaitable[T]], silence_seconds: float | None) -> T:
        async def one_transaction(connection: DeadlineConnection) -> T:
            begin = "BEGIN" if silence_seconds is None else f"BEGIN; {_patient_for(silence_seconds)}"
            async with _transaction(connection, begin):
                return await work(_Transaction(connection, self.dialect))

        cost = Cost.CHANGE if silence_seconds is None else Cost.LONG_CHANGE
        async with self._lanes[cost].turn():
            return await self._on_connection(one_transaction, silence_seconds or SILENCE_SECONDS[Cost.CHANGE])

    @asynccontextmanager
    async def _connected(self, silence_seconds: float) -> AsyncIterator[DeadlineConnection]:
        connection = await self._connection()
        connection.silence_seconds = None if self._is_patient else silence_seconds
        try:
            yield connection
        except STALE_PLAN as error:
            connection.close_now()
            raise ConnectionLost(str(error)) from error
        except psycopg.OperationalError as error:
            if not connection.closed:
                raise
            # Whatever closed this connection has most likely closed the idle ones too.
            self._close_idle()
            if isinstance(error, DatabaseSilent):
                # A retry would only double the wait.
                raise
            raise ConnectionLost(str(error)) from error
        finally:
            if self._closing.is_set():
                connection.close_now()
            elif not connection.closed:
                self._idle.append(connection)

    @asynccontextmanager
    async def stream(
        self, choose: Callable[[Reader], Awaitable[Chosen]], silence_seconds: float
    ) -> AsyncIterator["_Rows"]:
        begin = f"{BEGIN_SNAPSHOT}; {_patient_for(silence_seconds)}"
        async with self._connected(silence_seconds) as connection, _snapshot(connection, begin):
            chosen = await choose(_Reader(connection, self.dialect))
            if chosen.settings:
                await connection.execute("; ".join(f"SET LOCAL {setting}" for setting in chosen.settings))
            compiled = Compiled(chosen.clause, self.dialect, ())
            async with connection.cursor("rows", binary=True) as cursor:
                try:
                    await cursor.execute(compiled.sql, compiled.bound(chosen.values))
                    yield _Rows(compiled, cursor)
                except asyncio.CancelledError:
                    # Closing the cursor would wait for the server, and be cancelled as well.
                    connection.close_now()
                    raise

    async def _on_connection(self, work: Callable[[DeadlineConnection], Awaitable[T]], silence_seconds: float) -> T:
        async with self._connected(silence_seconds) as connection:
            return await work(connection)

    async def _connection(self) -> DeadlineConnection:
        with suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if not connection.is_closed_by_server():
                    return connection
                connection.close_now()
        connection = await DeadlineConnection.connect(self._conninfo, autocommit=True, **self._options())
        connection.closing = self._closing
        return connection

    def _options(self) -> dict[str, Any]:
        # A page is too short for JIT compilation or for caching join lookups to pay off.
        options = (
            f"-c lock_timeout={LOCK_WAIT_MILLISECONDS}"
            f" -c statement_timeout={0 if self._is_patient else STATEMENT_MILLISECONDS}"
            f" -c idle_in_transaction_session_timeout={ABANDONED_TRANSACTION_MILLISECONDS} -c timezone=UTC"
            f" -c tcp_keepalives_idle={KEEPALIVE_IDLE_SECONDS} -c tcp_keepalives_interval={KEEPALIVE_INTERVAL_SECONDS}"
            f" -c tcp_keepalives_count={KEEPALIVE_COUNT} -c tcp_user_timeout={DEAD_PEER_SECONDS * 1000}"
            f" -c client_connection_check_interval={ABANDONED_STATEMENT_MILLISECONDS}"
            " -c jit=off -c enable_memoize=off"
        )
        return {
            "options": options,
            "connect_timeout": CONNECT_SECONDS,
            "application_name": "countinghouse",
            # The operating system detects a peer that vanished without closing the connection, on idle ones too.
            "keepalives": 1,
            "keepalives_idle": KEEPALIVE_IDLE_SECONDS,
            "keepalives_interval": KEEPALIVE_INTERVAL_SECONDS,
            "keepalives_count": KEEPALIVE_COUNT,
            "tcp_user_timeout": DEAD_PEER_SECONDS * 1000,
        }

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().close_now()

    def close(self) -> None:
        self._close_idle()


def _patient_for(seconds: float) -> str:
    return f"SET LOCAL statement_timeout = {round(seconds * 1000)}"


@asynccontextmanager
async def _transaction(connection: DeadlineConnection, begin: str) -> AsyncIterator[None]:
    await connection.execute(begin)
    try:
        yield
    except BaseException:
        # A connection that cannot roll back is not used again; PostgreSQL rolls back when it is closed.
        try:
            if not connection.closed:
                await connection.execute("ROLLBACK")
        except BaseException:
            connection.close_now()
        raise
    await connection.execute("COMMIT")


@asynccontextmanager
async def _snapshot(connection: DeadlineConnection, begin: str) -> AsyncIterator[None]:
    """Unlike a transaction that writes, it may end on a connection that is closed: there is nothing to commit."""
    await connection.execute(begin)
    try:
        yield
    finally:
        try:
            if not connection.closed:
                await connection.execute("ROLLBACK")
        except BaseException:
            connection.close_now()
            raise


class _Reader(Reader):
    is_sqlite = False

    def __init__(self, connection: DeadlineConnection, dialect: Dialect) -> None:
        self._connection = connection
        self._cursor = connection.cursor(binary=True)
        self.dialect = dialect

    async def _fetch(self, compiled: Compiled, values: Values, plan: Plan) -> list[Cells]:
        # Inside a transaction a setting would affect the statements that follow.
        setting = _SETTINGS.get(plan)
        if setting and self._connection.info.transaction_status == TransactionStatus.IDLE:
            async with self._connection.transaction():
                await self._connection.execute(setting)
                await self._cursor.execute(compiled.sql, compiled.bound(values), prepare=False)
        else:
            await self._cursor.execute(compiled.sql, compiled.bound(values), prepare=plan is Plan.ONCE)
        # `description` would say the same, but it describes every column first.
        has_rows = self._cursor.pgresult is not None and self._cursor.pgresult.nfields > 0
        return await self._cursor.fetchall() if has_rows else []


class _Change(_Reader, Change):
    async def execute(self, statement: Runnable, values: Values | Sequence[Values] = NOTHING) -> int:
        try:
            if isinstance(values, Sequence):
                return await self._execute_many(statement, values)
            compiled = self._compiled(statement, values)
            await self._cursor.execute(compiled.sql, compiled.bound(values))
        except UniqueViolation as error:
            raise AlreadyThere from error
        return self._cursor.rowcount

    async def _execute_many(self, statement: Runnable, values: Sequence[Values]) -> int:
        if not values:
            return 0
        compiled = self._compiled(statement, values[0])
        await self._cursor.executemany(compiled.sql, [compiled.bound(one) for one in values])
        return self._cursor.rowcount

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
        await self._connection.execute(sql)


class _Rows(Rows):
    def __init__(self, compiled: Compiled, cursor: psycopg.AsyncServerCursor[Cells]) -> None:
        super().__init__(compiled)
        self._cursor = cursor

    async def fetch(self, count: int) -> list[Cells]:
        return await self._cursor.fetchmany(count)
