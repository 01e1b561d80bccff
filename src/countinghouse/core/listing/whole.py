"""A list from its first row to its last, for streaming."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Result, Select, text

from countinghouse.core.listing.finding import bound_ids, find_ids_if_few, leaves_too_many
from countinghouse.core.listing.items import Cells
from countinghouse.core.listing.listing import Listing, Shape
from countinghouse.core.listing.pages import is_wide
from countinghouse.core.listing.query import ListQuery
from countinghouse.core.quick import ConnectionReader, Statement
from countinghouse.core.quick.statement import SQLITE_NAMED


class Rows:
    """Plain rows from a driver cursor, fetched on demand. This avoids SQLAlchemy's processing of each row."""

    def __init__(self, connection: Connection, chosen: Select[Any], values: Mapping[str, Any]) -> None:
        if not connection.in_transaction():
            connection.begin()
        self._connection = connection
        is_sqlite = connection.dialect.name == "sqlite"
        compiled = Statement(chosen).compiled(SQLITE_NAMED if is_sqlite else connection.dialect)
        bound = compiled.bound_for_sqlite(values) if is_sqlite else compiled.bound(values)
        driver: Any = connection.connection.driver_connection
        self._cursor = driver.cursor() if is_sqlite else driver.cursor("rows", binary=True)
        with self._invalidating_on_error():
            self._cursor.execute(compiled.sql, bound)

    def fetch(self, count: int) -> list[Cells]:
        with self._invalidating_on_error():
            rows: list[Cells] = self._cursor.fetchmany(count)
        return rows

    def close(self) -> None:
        # If the SQLite connection was invalidated, its cursor is already closed.
        with suppress(sqlite3.ProgrammingError):
            self._cursor.close()

    @contextmanager
    def _invalidating_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            # The error bypassed SQLAlchemy, so it cannot know whether the connection is still usable.
            self._connection.invalidate()
            self.close()
            raise


def open_whole(connection: Connection, listing: Listing, asked: ListQuery) -> Rows:
    """The rows as `listing.items` expects them."""
    return Rows(connection, *_select_whole(connection, listing, asked))


def execute_whole(connection: Connection, listing: Listing, asked: ListQuery) -> Result[Any]:
    """The same rows with column names, for exports."""
    chosen, values = _select_whole(connection, listing, asked)
    return connection.execution_options(stream_results=True).execute(chosen, values)


def _select_whole(connection: Connection, listing: Listing, asked: ListQuery) -> tuple[Select[Any], dict[str, Any]]:
    reader = ConnectionReader(connection)
    ids = find_ids_if_few(listing, reader, asked)
    found = listing.shape(asked, ids)
    shape = replace(found, sort=asked.sort, is_wide=is_wide(listing, reader, asked, found))
    values = listing.values(asked, bound_ids(reader, ids))
    if asked.q is not None and shape.is_searching and not leaves_too_many(listing, reader, asked):
        shape, more = listing.by_index(shape, asked.q, reader.is_sqlite)
        values |= more
    if not reader.is_sqlite:
        connection.execute(text("; ".join(f"SET LOCAL {setting}" for setting in _settings(shape))))
    return listing.select_whole(shape), values


def _settings(shape: Shape) -> Iterator[str]:
    # A long list joins the same parents again and again: caching them in memory halves the time.
    yield "enable_memoize = on"
    yield "work_mem = '32MB'"
    if shape.search_index is not None:
        # Forces lookups from the matches to their rows; PostgreSQL tends to read a million rows instead.
        yield "enable_hashjoin = off"
        yield "enable_mergejoin = off"
    elif not shape.is_among:
        # An index scan returns the first row at once; PostgreSQL tends to sort a million rows first.
        yield "enable_sort = off"
