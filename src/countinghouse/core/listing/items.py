"""A noun's JSON object, described once: the columns it is read from, and how a row is converted to it.

The database returns plain columns, and the rows are encoded as JSON here: a database takes several times as long to
do it (docs/decisions/0007).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

import msgspec
from sqlalchemy import ColumnElement, Select, select, type_coerce

from countinghouse.core.db import Reader, Statement
from countinghouse.core.masking import Holds
from countinghouse.core.money import rupees
from countinghouse.core.times import Moment, MomentText, shown

Cells = tuple[Any, ...]


@dataclass(frozen=True)
class Converted:
    """`convert` makes the JSON value of a cell; NULL stays null."""

    column: ColumnElement[Any]
    convert: Callable[[Any], Any]


class Rupees(Converted):
    """Paise, shown as a number of rupees."""

    def __init__(self, column: ColumnElement[int]) -> None:
        super().__init__(column, rupees)


class Sum(Converted):
    """Rupees that the database has computed: PostgreSQL returns a Decimal."""

    def __init__(self, column: ColumnElement[Any]) -> None:
        super().__init__(column, lambda paise: rupees(int(paise)))


@dataclass(frozen=True)
class Choice:
    """Maps a stored word to its JSON value, which may be encoded already (`msgspec.Raw`). If the column is nullable,
    `meanings` needs an entry for None."""

    column: ColumnElement[str]
    meanings: Mapping[Any, Any]


# A plain column (a moment is shown as ISO text), one of the above, or a nested object.
Fields = Mapping[str, Union[ColumnElement[Any], Converted, Choice, "Fields"]]
# One value of each row, for each column that was read.
Columns = Sequence[Sequence[Any]]
# Makes one value of the JSON object for each row.
Maker = Callable[[Columns], Iterable[Any]]


class Items:
    """Rows as JSON objects. A row may be wider than the object needs: the cells behind are left out.

    Rows are turned into columns, and each column is converted as a whole: a call for each cell would cost more than the
    database does.
    """

    def __init__(self, fields: Fields) -> None:
        self.columns = list_columns(fields)
        self._places = {column: place for place, column in enumerate(self.columns)}
        self._make = self._object_maker(fields)
        self._encode = msgspec.json.Encoder().encode

    def place(self, column: ColumnElement[Any]) -> int | None:
        """Its index in a row."""
        return self._places.get(column)

    def as_json(self, rows: Sequence[Cells]) -> bytes:
        """An array."""
        return self._encode(list(self._make(list(zip(*rows, strict=True))))) if rows else b"[]"

    def as_dict(self, row: Cells) -> Any:
        (made,) = msgspec.json.decode(self.as_json([row]))
        return made

    def _object_maker(self, fields: Fields) -> Maker:
        # Objects that cannot form a cycle, so the garbage collector need not look at them.
        struct = msgspec.defstruct("Item", [(name, Any) for name in fields], gc=False)
        makers = [self._value_maker(value) for value in fields.values()]
        return lambda columns: map(struct, *(make(columns) for make in makers))

    def _value_maker(self, value: Any) -> Maker:
        if isinstance(value, Mapping):
            return self._object_maker(value)
        column = _column_of(value)
        place = self._places[column]
        if value is column and isinstance(column.type, Moment):
            return lambda columns: shown(columns[place])
        convert = _converter(value)
        if convert is None:
            return lambda columns: columns[place]
        # Of an expression it is not known.
        if getattr(column, "nullable", True) and not isinstance(value, Choice):
            return lambda columns: [None if cell is None else convert(cell) for cell in columns[place]]
        return lambda columns: map(convert, columns[place])


class ObjectQuery:
    """A statement that reads such objects. `build` adds everything but the columns."""

    def __init__(self, fields: Fields, build: Callable[[Select[Any]], Select[Any]]) -> None:
        self._items = Items(fields)
        self._statement = Statement(build(select(*self._items.columns)))

    async def read(self, reader: Reader, values: Mapping[str, Any]) -> list[Any]:
        return [self._items.as_dict(row) for row in await reader.all(self._statement, values)]


def _converter(value: Any) -> Callable[[Any], Any] | None:
    """None for a cell that is shown as it was read."""
    if isinstance(value, Converted):
        return value.convert
    return value.meanings.__getitem__ if isinstance(value, Choice) else None


def list_columns(fields: Fields) -> list[ColumnElement[Any]]:
    """Each column once, in the order of the object's fields."""
    columns: dict[ColumnElement[Any], None] = {}
    for value in fields.values():
        columns |= dict.fromkeys(list_columns(value) if isinstance(value, Mapping) else [_column_of(value)])
    return list(columns)


def number_columns(fields: Fields) -> frozenset[ColumnElement[Any]]:
    """The columns of account and mobile numbers, as their tables declare them."""
    columns = list_columns(fields)
    return frozenset(column for column in columns if getattr(column, "info", {}).get("holds") is Holds.NUMBER)


def selected(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The column as it appears in a SELECT list: moments are read as ISO text."""
    return type_coerce(column, MomentText).label(column.key) if isinstance(column.type, Moment) else column


def _column_of(value: Any) -> ColumnElement[Any]:
    column: ColumnElement[Any] = value.column if isinstance(value, Converted | Choice) else value
    return column
