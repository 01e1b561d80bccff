"""A statement that is compiled once and run many times."""

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
    """How PostgreSQL should plan a statement."""

    # Prepared: one plan for all values.
    ONCE = auto()
    # A new plan for each set of values: a common word needs another plan than a rare one.
    BY_VALUE = auto()
    # Scan the index that has the order until the page is full; never sort all rows.
    IN_ORDER = auto()
    # Look rows up one by one from known ids; never scan a whole table to join it.
    BY_LOOKUP = auto()


@dataclass(frozen=True, slots=True)
class Compiled:
    sql: str
    # Values that SQLAlchemy adds, such as SQLite's OFFSET 0.
    constants: dict[str, Any]
    # For PostgreSQL's numbered parameters: their names in order.
    names: tuple[str, ...]
    encoded: bytes

    def bound(self, values: Values) -> Values:
        return {**self.constants, **values} if self.constants else values

    def bound_for_sqlite(self, values: Values) -> Values:
        bound = self.bound(values)
        return {name: stored_text(value) if isinstance(value, datetime) else value for name, value in bound.items()}


class Statement:
    """Compiled once for each engine; varying values are bound."""

    def __init__(self, clause: ClauseElement, plan: Plan = Plan.ONCE) -> None:
        self._clause = clause
        self.plan = plan
        self._compiled: dict[tuple[str, str], Compiled] = {}

    def compiled(self, dialect: Dialect) -> Compiled:
        key = dialect.name, dialect.paramstyle
        found = self._compiled.get(key)
        if found is None:
            made: Any = self._clause.compile(dialect=dialect)
            constants = {name: bind.value for name, bind in made.binds.items() if not bind.required}
            found = Compiled(str(made), constants, tuple(made.positiontup or ()), str(made).encode())
            self._compiled[key] = found
        return found
