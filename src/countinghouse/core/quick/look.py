"""One connection for the length of one short piece of work."""

from typing import Any, Protocol

from sqlalchemy import Connection

from countinghouse.core.quick.guarded import Guarded
from countinghouse.core.quick.statement import SQLITE_NAMED, Statement, Values

Cells = tuple[Any, ...]


class Look(Protocol):
    is_sqlite: bool

    def all(self, statement: Statement, values: Values) -> list[Cells]: ...


class Change(Look, Protocol):
    """A look that may also write, each time as a whole."""

    def guarded(self, guarded: Guarded, values: Values) -> Cells | None:
        """Its answer, or None when it did not find its row. Stored when this returns.

        A row beside it that is there already raises `AlreadyThere`, and nothing is changed.
        """
        ...


class AlreadyThere(Exception):
    """The database refused a row because of one that has the same key."""


class ConnectionLook:
    """For work that has a connection of SQLAlchemy's already, in the middle of its transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.is_sqlite = connection.dialect.name == "sqlite"
        self._dialect = SQLITE_NAMED if self.is_sqlite else connection.dialect

    def all(self, statement: Statement, values: Values) -> list[Cells]:
        compiled = statement.compiled(self._dialect)
        bound = compiled.bound_for_sqlite(values) if self.is_sqlite else compiled.bound(values)
        return [tuple(row) for row in self._connection.exec_driver_sql(compiled.sql, dict(bound))]
