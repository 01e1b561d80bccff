"""PostgreSQL by its driver, psycopg, on threads that keep their connections."""

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
from countinghouse.core.quick.look import AlreadyThere, Cells, Change, Look
from countinghouse.core.quick.statement import Plan, Statement, Values
from countinghouse.core.quick.workers import Cost, Quick

T = TypeVar("T")

# Enough to keep a database busy; more only pass Python's lock around.
THREADS = {Cost.SHORT: 4, Cost.MEDIUM: 2, Cost.LONG: 3, Cost.CHANGE: 6}
# Added to the wait for a place in the lane, each stays under ten seconds. A lock that is not granted within
# LOCK_WAIT_MILLISECONDS is reported by the server itself, before a change gives up.
SILENCE_SECONDS = {Cost.SHORT: 4.5, Cost.MEDIUM: 5.5, Cost.LONG: 5.5, Cost.CHANGE: 6.5}
_SETTINGS = {
    Plan.IN_ORDER: "SET LOCAL enable_sort = off",
    Plan.BY_LOOKUP: "SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)",
}


# A table has changed its shape since the statement was prepared on this connection.
STALE_PLAN = (psycopg.errors.FeatureNotSupported, psycopg.errors.InvalidSqlStatementName)


class ConnectionLost(psycopg.OperationalError):
    """The connection is of no use any more; over another one the same read may succeed."""


class PostgresQuick(Quick):
    def __init__(self, connect: Callable[[], DeadlineConnection], dialect: Dialect) -> None:
        super().__init__(THREADS)
        self._connect = connect
        self._dialect = dialect
        # Never more than there are threads.
        self._idle: deque[DeadlineConnection] = deque()

    def _read(self, work: Callable[[Look], T], cost: Cost) -> T:
        try:
            return self._do(work, SILENCE_SECONDS[cost])
        except ConnectionLost:
            return self._do(work, SILENCE_SECONDS[cost])

    def _change(self, work: Callable[[Change], T]) -> T:
        # Never done twice: when a connection breaks in the middle, nobody knows whether it was stored.
        return self._do(work, SILENCE_SECONDS[Cost.CHANGE])

    def _do(self, work: "Callable[[_PostgresLook], T]", silence_seconds: float) -> T:
        connection = self._connection()
        connection.silence_seconds = silence_seconds
        try:
            return work(_PostgresLook(connection, self._dialect))
        except STALE_PLAN as error:
            connection.close()
            raise ConnectionLost(str(error)) from error
        except psycopg.OperationalError as error:
            if not connection.closed:
                raise
            # What ended this connection has most likely ended the idle ones too.
            self._close_idle()
            if isinstance(error, DatabaseSilent):
                # Asking again would only double the wait.
                raise
            raise ConnectionLost(str(error)) from error
        finally:
            if not connection.closed:
                self._idle.append(connection)

    def _connection(self) -> DeadlineConnection:
        with suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if not is_hung_up(connection):
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


def is_hung_up(connection: psycopg.Connection[object]) -> bool:
    """Nothing is awaited on an idle connection: when there is something to read, the server has said goodbye."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class _PostgresLook:
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
