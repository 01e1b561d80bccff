"""A SQL statement that SQLAlchemy compiles once for each engine and the driver runs many times."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Any

from sqlalchemy import JSON, ClauseElement, Dialect, Insert, Row
from sqlalchemy.engine import result_tuple

Values = Mapping[str, Any]
# A row as the driver returns it.
Cells = tuple[Any, ...]


class Plan(Enum):
    """How PostgreSQL should plan a statement."""

    # Prepared: one plan for all values.
    ONCE = auto()
    # A new plan for each set of values: a common word needs another plan than a rare one.
    BY_VALUE = auto()
    # Scan the index that has the order until the page is full; never sort all rows.
    IN_ORDER = auto()
    # Use the index of the filter, even if few rows or old ones match: never scan in order and check row by row.
    BY_FILTER = auto()
    # Look rows up one by one from known ids; never scan a whole table to join it.
    BY_LOOKUP = auto()


class Compiled:
    """`values` are the names of the bound values; an INSERT without columns takes its columns from them."""

    def __init__(self, clause: ClauseElement, dialect: Dialect, values: Iterable[str]) -> None:
        # An unbound value keeps the name that SQLAlchemy gives it; a list of literals becomes one value for each.
        options: Any = {"compile_kwargs": {"render_postcompile": True}, "column_keys": list(values)}
        compiled: Any = clause.compile(dialect=dialect, **options)
        self.sql = str(compiled)
        # The names of the values in the order of $1, $2, …, on PostgreSQL.
        self._positions: Sequence[str] = compiled.positiontup or ()
        # The drivers write every other type themselves.
        self._encoders: dict[str, Callable[[Any], Any]] = {
            name: encode
            for name, bind in compiled.binds.items()
            if isinstance(bind.type, JSON) and (encode := bind.type.dialect_impl(dialect).bind_processor(dialect))
        }
        # Values that are part of the statement, such as SQLite's OFFSET 0.
        self._constants = {
            name: self._encode(name, value)
            for name, value in compiled.params.items()
            if name not in compiled.binds or not compiled.binds[name].required
        }
        columns = getattr(clause, "exported_columns", ())
        # A scalar subquery without a label has no name.
        names = [getattr(column, "name", f"column_{place}") for place, column in enumerate(columns)]
        self._row = result_tuple(names) if names else None
        self._decoders = [
            (place, decode)
            for place, column in enumerate(columns)
            if (decode := column.type.dialect_impl(dialect).result_processor(dialect, None))
        ]

    def bound(self, values: Values) -> Values:
        if self._encoders:
            values = {name: self._encode(name, value) for name, value in values.items()}
        return {**self._constants, **values} if self._constants else values

    def positional(self, values: Values) -> list[Any]:
        bound = self.bound(values)
        return [bound[name] for name in self._positions]

    @property
    def has_columns(self) -> bool:
        return self._row is not None

    def rows(self, found: list[Cells]) -> list[Row[Any]]:
        """Rows with column names and Python types."""
        if self._row is None:
            raise TypeError("only a statement that SQLAlchemy built has named columns")
        return [self._row(self._decoded(cells)) for cells in found]

    def _encode(self, name: str, value: Any) -> Any:
        encode = self._encoders.get(name)
        return encode(value) if encode else value

    def _decoded(self, cells: Cells) -> Cells | list[Any]:
        if not self._decoders:
            return cells
        decoded = list(cells)
        for place, decode in self._decoders:
            decoded[place] = decode(decoded[place])
        return decoded


class Statement:
    """Compiled when it first runs, then kept; varying values are bound."""

    def __init__(self, clause: ClauseElement, plan: Plan = Plan.ONCE) -> None:
        self._clause = clause
        self.plan = plan
        self._compiled: dict[tuple[str, ...], Compiled] = {}

    def compiled(self, dialect: Dialect, values: Values) -> Compiled:
        names = tuple(values) if isinstance(self._clause, Insert) else ()
        key = dialect.name, *names
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = Compiled(self._clause, dialect, names)
        return found


# A bare clause is compiled each time it runs: fine for a change that an admin makes now and then.
Runnable = Statement | ClauseElement
