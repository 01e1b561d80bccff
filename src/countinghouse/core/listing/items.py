"""A noun's JSON object, described once: the columns it is read from, and how a row is converted to it.

The database returns plain columns, and the rows are encoded as JSON here: a database takes several times as long to
do it (docs/decisions/0007).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

import msgspec
from sqlalchemy import ColumnElement, type_coerce

from countinghouse.core.times import Moment, MomentText, iso, shown_text

Cells = tuple[Any, ...]


@dataclass(frozen=True)
class Rupees:
    """Paise, shown as a number of rupees."""

    column: ColumnElement[int]


@dataclass(frozen=True)
class Choice:
    """Maps a stored word to its JSON value. If the column is nullable, `meanings` needs an entry for None."""

    column: ColumnElement[str]
    meanings: Mapping[Any, Any]


# A plain column (a moment is shown as ISO text), one of the above, or a nested object.
Fields = Mapping[str, Union[ColumnElement[Any], Rupees, Choice, "Fields"]]


class Items:
    """Converts rows to JSON objects. A row may have extra columns at the end; they are ignored."""

    def __init__(self, fields: Fields) -> None:
        self.columns = list_columns(fields)
        self._places = {column: place for place, column in enumerate(self.columns)}
        self._names: dict[str, Any] = {"iso": iso, "shown_text": shown_text}
        self._object = self._write_object(fields)
        self._makers: dict[int, Callable[[Sequence[Cells]], list[Any]]] = {}
        self._encode = msgspec.json.Encoder().encode

    def place(self, column: ColumnElement[Any]) -> int | None:
        """The index of the column in a row; None if the object does not use it."""
        return self._places.get(column)

    def as_json(self, rows: Sequence[Cells]) -> bytes:
        """The rows as a JSON array."""
        return self._encode(self._maker(len(rows[0]))(rows)) if rows else b"[]"

    def as_dict(self, row: Cells) -> Any:
        (made,) = self._maker(len(row))([row])
        return msgspec.to_builtins(made)

    def _maker(self, width: int) -> Callable[[Sequence[Cells]], list[Any]]:
        maker = self._makers.get(width)
        if maker is None:
            cells = [f"c{place}" if place < len(self.columns) else "_" for place in range(width)]
            # Generated code, as in dataclasses: a function call per field would cost more than the database query. The
            # source holds only names generated here; the JSON field names are not part of it.
            source = f"lambda rows: [{self._object} for {', '.join(cells)}, in rows]"
            maker = self._makers[width] = eval(source, self._names)  # noqa: S307 - see above
        return maker

    def _write_object(self, fields: Fields) -> str:
        values = ", ".join(self._write_value(value) for value in fields.values())
        # These objects cannot form reference cycles, so the garbage collector need not track them.
        struct = msgspec.defstruct("Item", [(name, Any) for name in fields], gc=False)
        return f"{self._named('Item', struct)}({values})"

    def _write_value(self, value: Any) -> str:
        if isinstance(value, Mapping):
            return self._write_object(value)
        column = _column_of(value)
        cell = f"c{self._places[column]}"
        if isinstance(value, Rupees):
            written = f"{cell} / 100"
        elif isinstance(value, Choice):
            return f"{self._named('meanings', value.meanings)}[{cell}]"
        elif isinstance(column.type, Moment):
            # SQLite already returns text.
            written = f"(shown_text({cell}) if {cell}.__class__ is str else iso({cell}))"
        else:
            return cell
        return f"(None if {cell} is None else {written})" if getattr(column, "nullable", False) else written

    def _named(self, word: str, value: Any) -> str:
        name = f"{word}{len(self._names)}"
        self._names[name] = value
        return name


def list_columns(fields: Fields) -> list[ColumnElement[Any]]:
    """Each column once, in the order of the object's fields."""
    columns: dict[ColumnElement[Any], None] = {}
    for value in fields.values():
        columns |= dict.fromkeys(list_columns(value) if isinstance(value, Mapping) else [_column_of(value)])
    return list(columns)


def selected(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The column as it appears in a SELECT list: moments are read as ISO text."""
    return type_coerce(column, MomentText).label(column.key) if isinstance(column.type, Moment) else column


def _column_of(value: Any) -> ColumnElement[Any]:
    column: ColumnElement[Any] = value.column if isinstance(value, Rupees | Choice) else value
    return column
