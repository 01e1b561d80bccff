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
from psycopg.pq.abc import PGresult
from sqlalchemy import URL, Dialect

from countinghouse.core.db.connection import DatabaseSilent, DeadlineConnection
from countinghouse.core.db.costs import Cost, lanes
from countinghouse.core.db.guarded import Guarded
from countinghouse.core.db.reader import NOTHING, AlreadyThere, Change, Reader, Transaction, plan_of
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
        self.is_patient = is_patient
        self._closing = closing
        self._lanes = lanes(PLACES)
        # Idle connections; never more than the lanes have places.
        self._idle: deque[DeadlineConnection] = deque()
        dialect: Any = url.get_dialect()
        self.dialect: Dialect = dialect(dbapi=psycopg, paramstyle="numeric_dollar")

    async def read(self, work: Callable[[Reader], Awaitable[T]], cost: Cost, *, snapshot: bool) -> T:
        async def one_read(connection: DeadlineConnection) -> T:
            async with _snapshot(connection, BEGIN_SNAPSHOT):
                return await work(_Reader(connection, self.dialect))

        run = one_read if snapshot else lambda connection: work(_Reader(connection, self.dialect))
        async with self._lanes[cost].turn():
            try:
                return await self._on_connection(run, SILENCE_SECONDS[cost])
            except ConnectionLost:
                return await self._on_connection(run, SILENCE_SECONDS[cost])

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
    async def stream(
        self, choose: Callable[[Reader], Awaitable[Chosen]], silence_seconds: float
    ) -> AsyncIterator["_Rows"]:
        begin = f"{BEGIN_SNAPSHOT}; {_patient_for(silence_seconds)}"
        async with _Borrowed(self, silence_seconds) as connection, _snapshot(connection, begin):
            chosen = await choose(_Reader(connection, self.dialect))
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

    async def _on_connection(self, work: Callable[[DeadlineConnection], Awaitable[T]], silence_seconds: float) -> T:
        async with _Borrowed(self, silence_seconds) as connection:
            return await work(connection)

    def put_back(self, connection: DeadlineConnection, error: BaseException | None) -> None:
        is_stale = isinstance(error, STALE_PLAN)
        if is_stale or self._closing.is_set():
            connection.close_now()
        if not connection.closed:
            self._idle.append(connection)
            return
        is_lost = isinstance(error, psycopg.OperationalError)
        if is_lost:
            # Whatever closed this connection has most likely closed the idle ones too.
            self._close_idle()
        # After a silence, a retry would only double the wait.
        if is_stale or (is_lost and not isinstance(error, DatabaseSilent)):
            raise ConnectionLost(str(error)) from error

    async def take(self) -> DeadlineConnection:
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
            f" -c statement_timeout={0 if self.is_patient else STATEMENT_MILLISECONDS}"
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
    await connection.command(begin)
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
async def _snapshot(connection: DeadlineConnection, begin: str) -> AsyncIterator[None]:
    """Unlike a transaction that writes, it may end on a connection that is closed: there is nothing to commit."""
    await connection.command(begin)
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

    __slots__ = ("connection", "pool", "silence_seconds")

    def __init__(self, pool: Postgres, silence_seconds: float) -> None:
        self.pool = pool
        self.silence_seconds = silence_seconds

    async def __aenter__(self) -> DeadlineConnection:
        self.connection = await self.pool.take()
        self.connection.silence_seconds = None if self.pool.is_patient else self.silence_seconds
        return self.connection

    async def __aexit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        self.pool.put_back(self.connection, error)


class _Reader(Reader):
    is_sqlite = False

    def __init__(self, connection: DeadlineConnection, dialect: Dialect) -> None:
        self._connection = connection
        self.dialect = dialect

    async def _fetch(self, compiled: Compiled, values: Values, plan: Plan) -> list[Cells]:
        return self._connection.rows(await self._run(compiled, values, plan))

    async def _run(self, compiled: Compiled, values: Values, plan: Plan) -> PGresult:
        bound = compiled.positional(values)
        setting = _SETTINGS.get(plan)
        # Inside a transaction a setting would affect the statements that follow.
        if setting and self._connection.pgconn.transaction_status == TransactionStatus.IDLE:
            async with _transaction(self._connection, f"BEGIN; {setting}"):
                return await self._connection.run(compiled.sql, bound, is_prepared=False)
        return await self._connection.run(compiled.sql, bound, is_prepared=plan is Plan.ONCE)


class _Change(_Reader, Change):
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
