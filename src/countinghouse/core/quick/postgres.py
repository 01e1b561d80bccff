"""Short work on PostgreSQL: directly on psycopg, on worker threads that reuse idle connections."""

import select
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import psycopg
from psycopg.errors import UniqueViolation
from sqlalchemy import Dialect

from countinghouse.core.quick.connection import DatabaseSilent, DeadlineConnection
from countinghouse.core.quick.guarded import Guarded
from countinghouse.core.quick.reader import AlreadyThere, Cells, Change, Reader
from countinghouse.core.quick.statement import Plan, Statement, Values
from countinghouse.core.quick.workers import Cost, Quick

T = TypeVar("T")

# Enough to keep a database busy; more threads would only compete for Python's GIL.
THREADS = {Cost.SHORT: 4, Cost.MEDIUM: 2, Cost.LONG: 3, Cost.CHANGE: 6}
# Together with the wait for a place in the lane, each stays under ten seconds. The server reports a lock that is not
# granted within LOCK_WAIT_MILLISECONDS before a change gives up.
SILENCE_SECONDS = {Cost.SHORT: 4.5, Cost.MEDIUM: 5.5, Cost.LONG: 5.5, Cost.CHANGE: 6.5}
_SETTINGS = {
    Plan.IN_ORDER: "SET LOCAL enable_sort = off",
    Plan.BY_LOOKUP: "SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)",
}


# The table's schema has changed since the statement was prepared on this connection.
STALE_PLAN = (psycopg.errors.FeatureNotSupported, psycopg.errors.InvalidSqlStatementName)


class ConnectionLost(psycopg.OperationalError):
    """The connection is no longer usable; the same read may succeed on another one."""


class PostgresQuick(Quick):
    def __init__(self, connect: Callable[[], DeadlineConnection], dialect: Dialect) -> None:
        super().__init__(THREADS)
        self._connect = connect
        self._dialect = dialect
        # Never more connections than threads.
        self._idle: deque[DeadlineConnection] = deque()

    def _read(self, work: Callable[[Reader], T], cost: Cost) -> T:
        try:
            return self._do(work, SILENCE_SECONDS[cost])
        except ConnectionLost:
            return self._do(work, SILENCE_SECONDS[cost])

    def _change(self, work: Callable[[Change], T]) -> T:
        # Never retried: if the connection breaks in the middle, the change may or may not be stored.
        return self._do(work, SILENCE_SECONDS[Cost.CHANGE])

    def _do(self, work: "Callable[[_PostgresReader], T]", silence_seconds: float) -> T:
        connection = self._connection()
        connection.silence_seconds = silence_seconds
        try:
            return work(_PostgresReader(connection, self._dialect))
        except STALE_PLAN as error:
            connection.close()
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
            if not connection.closed:
                self._idle.append(connection)

    def _connection(self) -> DeadlineConnection:
        with suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if not is_closed_by_server(connection):
                    return connection
                connection.close()
        return self._connect()

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def close(self) -> None:
        super().close()
        self._close_idle()


def is_closed_by_server(connection: psycopg.Connection[object]) -> bool:
    """Data on an idle connection, where none is expected, means that the server has closed it."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class _PostgresReader:
    is_sqlite = False

    def __init__(self, connection: DeadlineConnection, dialect: Dialect) -> None:
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
