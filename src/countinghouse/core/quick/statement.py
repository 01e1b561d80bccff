"""A statement that is built once and run many times."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any

from sqlalchemy import ClauseElement, Dialect
from sqlalchemy.dialects import sqlite

from countinghouse.core.times import stored_text

Values = Mapping[str, Any]

SQLITE_NAMED: Dialect = sqlite.dialect(paramstyle="named")


class Plan(Enum):
    """How PostgreSQL should go about a statement."""

    # The same way for all values.
    ONCE = auto()
    # As its values ask for: a common word is best found in another way than a rare one.
    BY_VALUE = auto()
    # Through the index that has the order, until the page is full; never by sorting all there is.
    IN_ORDER = auto()
    # Row by row from those that are known; never by reading another table to its end.
    BY_LOOKUP = auto()


@dataclass(frozen=True, slots=True)
class Compiled:
    sql: str
    # What SQLAlchemy binds by itself, such as SQLite's OFFSET 0.
    constants: dict[str, Any]
    # For PostgreSQL's own way of binding, by number.
    names: tuple[str, ...]
    encoded: bytes

    def bound(self, values: Values) -> Values:
        return {**self.constants, **values} if self.constants else values

    def bound_for_sqlite(self, values: Values) -> Values:
        bound = self.bound(values)
        return {name: stored_text(value) if isinstance(value, datetime) else value for name, value in bound.items()}


class Statement:
    """Compiled once for each engine; what varies is bound."""

    def __init__(self, clause: ClauseElement, plan: Plan = Plan.ONCE) -> None:
        self._clause = clause
        self.plan = plan
        self._compiled: dict[tuple[str, str], Compiled] = {}

    def compiled(self, dialect: Dialect) -> Compiled:
        spoken = dialect.name, dialect.paramstyle
        found = self._compiled.get(spoken)
        if found is None:
            made: Any = self._clause.compile(dialect=dialect)
            constants = {name: bind.value for name, bind in made.binds.items() if not bind.required}
            found = Compiled(str(made), constants, tuple(made.positiontup or ()), str(made).encode())
            self._compiled[spoken] = found
        return found
