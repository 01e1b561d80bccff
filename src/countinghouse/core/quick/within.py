"""A guarded change as part of a larger transaction: stored when that transaction commits."""

import sqlite3

from psycopg.errors import UniqueViolation
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from countinghouse.core.quick.guarded import Guarded
from countinghouse.core.quick.reader import AlreadyThere, Cells, ConnectionReader
from countinghouse.core.quick.sqlite import TAKEN
from countinghouse.core.quick.statement import Statement, Values


class ConnectionChange(ConnectionReader):
    """A `Change` inside a SQLAlchemy transaction. A refused change does not affect the rest of the transaction."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._transaction = connection

    def guarded(self, guarded: Guarded, values: Values) -> Cells | None:
        try:
            with self._transaction.begin_nested():
                return self._step_by_step(guarded, values) if self.is_sqlite else self._as_one(guarded, values)
        except IntegrityError as error:
            if _is_taken(error.orig):
                raise AlreadyThere from error
            raise

    def _as_one(self, guarded: Guarded, values: Values) -> Cells | None:
        found = self.all(guarded.as_one, values)
        return found[0] if found else None

    def _step_by_step(self, guarded: Guarded, values: Values) -> Cells | None:
        if self._run(guarded.guard, values) == 0:
            return None
        for statement in guarded.then:
            self._run(statement, values)
        return self.all(guarded.answer, values)[0]

    def _run(self, statement: Statement, values: Values) -> int:
        compiled = statement.compiled(self._dialect)
        return self._transaction.exec_driver_sql(compiled.sql, dict(compiled.bound_for_sqlite(values))).rowcount


def _is_taken(error: BaseException | None) -> bool:
    if isinstance(error, sqlite3.IntegrityError):
        return error.sqlite_errorcode in TAKEN
    return isinstance(error, UniqueViolation)
