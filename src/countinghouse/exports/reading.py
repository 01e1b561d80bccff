"""Rows of the database, chunk by chunk and of one moment, which another thread can stop in the middle."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import psycopg
from sqlalchemy import Connection, Result, Row
from sqlalchemy.exc import DBAPIError

from countinghouse.core.database import Database
from countinghouse.core.quick.connection import DeadlineConnection

ROWS_A_CHUNK = 500
# The download has begun: a search without an index may look at a million rows before the next one is found.
SILENCE_SECONDS = 60.0
CANCEL_SECONDS = 2.0


def _cancel(connection: DeadlineConnection) -> None:
    try:
        connection.cancel_safe(timeout=CANCEL_SECONDS)
    except psycopg.Error:
        # The server does not even answer that.
        connection.abandon()


class Stopped(Exception):
    """There may be more rows, and nobody wants them."""


class Reading:
    """Opened by the first call of `next_rows`, on whatever thread that runs; `stop` may come from any other."""

    def __init__(self, database: Database, execute: Callable[[Connection], Result[Any]]) -> None:
        self._database = database
        self._execute = execute
        self._opened = ExitStack()
        self._connection: Connection | None = None
        self._chunks: Iterator[Sequence[Row[Any]]] | None = None
        self._interrupt: Callable[[], None] | None = None
        self._is_stopped = False

    def next_rows(self) -> Sequence[Row[Any]]:
        """Nothing when there are no more, and only then: after `stop` the rest is not taken for an end."""
        if self._chunks is None:
            self._chunks = self._open()
        rows = next(self._chunks, ())
        self._refuse_if_stopped()
        return rows

    def _open(self) -> Iterator[Sequence[Row[Any]]]:
        reading = self._database.reading(silence_seconds=SILENCE_SECONDS)
        self._connection = self._opened.enter_context(reading)
        driver: Any = self._connection.connection.driver_connection
        self._interrupt = driver.interrupt if self._database.is_sqlite else partial(_cancel, driver)
        self._opened.callback(self._let_go)
        self._refuse_if_stopped()
        result = self._execute(self._connection)
        self._opened.callback(result.close)
        return result.partitions(ROWS_A_CHUNK)

    def _refuse_if_stopped(self) -> None:
        if self._is_stopped:
            raise Stopped

    def stop(self) -> None:
        """A statement under way ends with an error in the thread that waits for it."""
        self._is_stopped = True
        if self._interrupt is not None:
            self._interrupt()

    def close(self) -> None:
        try:
            self._opened.close()
        except DBAPIError:
            # What was interrupted cannot always be closed in good order, and a reader has nothing to lose.
            if not self._is_stopped:
                raise

    def _let_go(self) -> None:
        if self._is_stopped and self._connection is not None:
            # A late interruption must not meet the next one to use this connection.
            self._connection.invalidate()
