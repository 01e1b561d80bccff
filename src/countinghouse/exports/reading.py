"""Reads rows in chunks from one snapshot. Another thread can stop it at any time."""

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
# Long, because the download has begun: a search without an index may read a million rows before the next match.
SILENCE_SECONDS = 60.0
CANCEL_SECONDS = 2.0


def _cancel(connection: DeadlineConnection) -> None:
    try:
        connection.cancel_safe(timeout=CANCEL_SECONDS)
    except psycopg.Error:
        # The server does not answer the cancel request either.
        connection.abandon()


class Stopped(Exception):
    """The reading was stopped; there may be more rows."""


class Reading:
    """Opened by the first call of `next_rows`, on the thread of that call. `stop` may be called from any thread."""

    def __init__(self, database: Database, execute: Callable[[Connection], Result[Any]]) -> None:
        self._database = database
        self._execute = execute
        self._opened = ExitStack()
        self._connection: Connection | None = None
        self._chunks: Iterator[Sequence[Row[Any]]] | None = None
        self._interrupt: Callable[[], None] | None = None
        self._is_stopped = False

    def next_rows(self) -> Sequence[Row[Any]]:
        """Empty only at the end of the rows. After `stop` it raises `Stopped`, so that a partial result never
        looks complete."""
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
        self._opened.callback(self._invalidate_if_stopped)
        self._refuse_if_stopped()
        result = self._execute(self._connection)
        self._opened.callback(result.close)
        return result.partitions(ROWS_A_CHUNK)

    def _refuse_if_stopped(self) -> None:
        if self._is_stopped:
            raise Stopped

    def stop(self) -> None:
        """A running statement ends with an error in the thread that waits for it."""
        self._is_stopped = True
        if self._interrupt is not None:
            self._interrupt()

    def close(self) -> None:
        try:
            self._opened.close()
        except DBAPIError:
            # An interrupted statement cannot always be closed cleanly, and a read has nothing to lose.
            if not self._is_stopped:
                raise

    def _invalidate_if_stopped(self) -> None:
        if self._is_stopped and self._connection is not None:
            # A late interrupt must not hit the next user of this connection.
            self._connection.invalidate()
