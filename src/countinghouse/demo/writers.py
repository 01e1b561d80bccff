"""Bulk inserts inside the current transaction: COPY on PostgreSQL, one prepared statement on SQLite."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from psycopg.sql import SQL, Identifier
from sqlalchemy import Connection, Table, insert, text

# Only text and integers, which both engines take without conversion; times and JSON are passed as text.
Cells = tuple[str | int | None, ...]


class Writer:
    def __init__(self, connection: Connection, table: Table, columns: Sequence[str]) -> None:
        driver: Any = connection.connection.driver_connection
        self._cursor = driver.cursor()
        self._is_sqlite = connection.dialect.name == "sqlite"
        if self._is_sqlite:
            self._insert = str(insert(table).compile(dialect=connection.dialect, column_keys=list(columns)))
        else:
            names = SQL(", ").join(map(Identifier, columns))
            self._copy = SQL("COPY {} ({}) FROM STDIN").format(Identifier(table.name), names)

    def write(self, rows: Sequence[Cells]) -> None:
        if not rows:
            return
        if self._is_sqlite:
            self._cursor.executemany(self._insert, rows)
            return
        with self._cursor.copy(self._copy) as copy:
            for row in rows:
                copy.write_row(row)


@contextmanager
def roomy(connection: Connection) -> Iterator[None]:
    """64 MB of page cache for SQLite instead of 2: unordered index inserts would otherwise go to disk and back."""
    if connection.dialect.name != "sqlite":
        yield
        return
    usual = connection.execute(text("PRAGMA cache_size")).scalar_one()
    connection.execute(text("PRAGMA cache_size = -65536"))
    try:
        yield
    finally:
        connection.execute(text(f"PRAGMA cache_size = {usual}"))
