"""A row as the JSON object that goes out, written by the database itself.

Such a row passes through as text and never becomes Python objects. It is put together from pieces because PostgreSQL's
json_build_object costs twice as much (docs/decisions/0007).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from countinghouse.core.listing.sql import written


class JsonText(FunctionElement[str]):
    inherit_cache = True
    type = Text()


class _Leaf(FunctionElement[str]):
    """A column as a value of JSON. `on_postgres` and `on_sqlite` wrap what stands for the column."""

    inherit_cache = True
    on_postgres = "{}"
    on_sqlite = "{}"


class Quoted(_Leaf):
    """Text that may hold anything."""

    inherit_cache = True
    on_postgres = "to_json({})"
    on_sqlite = "json_quote({})"


class Word(_Leaf):
    """Text of our own making that needs no escaping: an id."""

    inherit_cache = True
    on_postgres = "'\"', {}, '\"'"
    on_sqlite = "'\"' || {} || '\"'"


class Rupees(_Leaf):
    """Paise as a number of rupees."""

    inherit_cache = True
    on_postgres = "CAST({} AS double precision) / 100"
    on_sqlite = "({} / 100.0)"


class MomentWord(_Leaf):
    """As core.times.iso writes it."""

    inherit_cache = True
    on_postgres = "'\"', to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS'), 'Z\"'"
    on_sqlite = "'\"' || {} || '\"'"


class Choice(FunctionElement[str]):
    """A word that stands for a piece of JSON."""

    inherit_cache = True

    def __init__(self, column: ColumnElement[str], pieces: Mapping[str, str]) -> None:
        super().__init__(column, *(written(part) for pair in pieces.items() for part in pair))


def json_text(parts: Mapping[str, Any]) -> JsonText:
    """`parts` is the object: its values are leaves of this file or objects again."""
    return JsonText(*_pieces(parts, "{"))


def _pieces(parts: Mapping[str, Any], before: str) -> Iterator[ColumnElement[Any]]:
    for name, value in parts.items():
        if isinstance(value, Mapping):
            yield from _pieces(value, f'{before}"{name}":{{')
        else:
            yield written(f'{before}"{name}":')
            yield value
        before = ","
    yield written("}")


@compiles(JsonText, "postgresql")
def _json_on_postgres(element: JsonText, compiler: SQLCompiler, **kw: Any) -> str:
    return f"concat({', '.join(compiler.process(part, **kw) for part in element.clauses)})"


@compiles(JsonText, "sqlite")
def _json_on_sqlite(element: JsonText, compiler: SQLCompiler, **kw: Any) -> str:
    return " || ".join(compiler.process(part, **kw) for part in element.clauses)


@compiles(_Leaf, "postgresql")
def _leaf_on_postgres(element: _Leaf, compiler: SQLCompiler, **kw: Any) -> str:
    (column,) = element.clauses
    return element.on_postgres.format(compiler.process(column, **kw))


@compiles(_Leaf, "sqlite")
def _leaf_on_sqlite(element: _Leaf, compiler: SQLCompiler, **kw: Any) -> str:
    (column,) = element.clauses
    return element.on_sqlite.format(compiler.process(column, **kw))


@compiles(Choice)
def _choice(element: Choice, compiler: SQLCompiler, **kw: Any) -> str:
    column, *pieces = (compiler.process(part, **kw) for part in element.clauses)
    cases = " ".join(f"WHEN {word} THEN {piece}" for word, piece in zip(pieces[::2], pieces[1::2], strict=True))
    return f"CASE {column} {cases} END"
