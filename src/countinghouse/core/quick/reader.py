"""Interfaces for short database work on one connection: `Reader` reads, `Change` also writes."""

from typing import Any, Protocol

from sqlalchemy import Connection

from countinghouse.core.quick.guarded import Guarded
from countinghouse.core.quick.statement import SQLITE_NAMED, Statement, Values

Cells = tuple[Any, ...]


class Reader(Protocol):
    is_sqlite: bool

    def all(self, statement: Statement, values: Values) -> list[Cells]: ...


class Change(Reader, Protocol):
    """A `Reader` that may also write. Each write is atomic."""

    def guarded(self, guarded: Guarded, values: Values) -> Cells | None:
        """Returns the change's answer, or None if the UPDATE matched no row. The change is stored when this returns.

        Raises `AlreadyThere`, and changes nothing, if one of the rows to insert already exists.
        """
        ...


class AlreadyThere(Exception):
    """The database refused a row because another row has the same key."""


class ConnectionReader:
    """A `Reader` on an open SQLAlchemy connection, inside its transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.is_sqlite = connection.dialect.name == "sqlite"
        self._dialect = SQLITE_NAMED if self.is_sqlite else connection.dialect

    def all(self, statement: Statement, values: Values) -> list[Cells]:
        compiled = statement.compiled(self._dialect)
        bound = compiled.bound_for_sqlite(values) if self.is_sqlite else compiled.bound(values)
        return [tuple(row) for row in self._connection.exec_driver_sql(compiled.sql, dict(bound))]
