"""SQL expressions that compile differently on SQLite and PostgreSQL."""

from typing import Any

from sqlalchemy import ColumnElement, Join, literal_column
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

# The ESCAPE character on SQLite, which is also PostgreSQL's default.
ESCAPE = "\\"


def like_pattern(text: str) -> str:
    """Escapes wildcards in the text, so that they match literally."""
    for special in (ESCAPE, "%", "_"):
        text = text.replace(special, ESCAPE + special)
    return f"%{text}%"


class contains(FunctionElement[bool]):  # noqa: N801 - reads as the SQL function it is
    """contains(column, pattern): case-insensitive match."""

    inherit_cache = True


@compiles(contains, "postgresql")
def _contains_on_postgres(element: contains, compiler: SQLCompiler, **kw: Any) -> str:
    column, pattern = element.clauses
    return f"{compiler.process(column, **kw)} ILIKE {compiler.process(pattern, **kw)}"


@compiles(contains, "sqlite")
def _contains_on_sqlite(element: contains, compiler: SQLCompiler, **kw: Any) -> str:
    # SQLite's LIKE is case-insensitive by default.
    column, pattern = element.clauses
    return f"{compiler.process(column, **kw)} LIKE {compiler.process(pattern, **kw)} ESCAPE '{ESCAPE}'"


class contains_unindexed(contains):  # noqa: N801
    """The same condition, written so that PostgreSQL checks the row and uses no index."""

    inherit_cache = True


@compiles(contains_unindexed, "postgresql")
def _contains_unindexed_on_postgres(element: contains_unindexed, compiler: SQLCompiler, **kw: Any) -> str:
    column, pattern = element.clauses
    return f"({compiler.process(column, **kw)} || '') ILIKE {compiler.process(pattern, **kw)}"


class among(FunctionElement[bool]):  # noqa: N801
    """among(column, ids): the ids are bound as one value, so that one id and a thousand share a statement."""

    inherit_cache = True


@compiles(among, "postgresql")
def _among_on_postgres(element: among, compiler: SQLCompiler, **kw: Any) -> str:
    column, ids = element.clauses
    return f"{compiler.process(column, **kw)} = ANY(CAST({compiler.process(ids, **kw)} AS varchar[]))"


@compiles(among, "sqlite")
def _among_on_sqlite(element: among, compiler: SQLCompiler, **kw: Any) -> str:
    column, ids = element.clauses
    each = f"SELECT value FROM json_each({compiler.process(ids, **kw)})"  # noqa: S608 - a bound value's name
    return f"{compiler.process(column, **kw)} IN ({each})"


class unindexed(FunctionElement[bool]):  # noqa: N801
    """unindexed(value): stops SQLite from using an index for it. PostgreSQL's planner needs no such hint."""

    inherit_cache = True


@compiles(unindexed, "postgresql")
def _unindexed_on_postgres(element: unindexed, compiler: SQLCompiler, **kw: Any) -> str:
    return f"({compiler.process(element.clauses, **kw)})"


@compiles(unindexed, "sqlite")
def _unindexed_on_sqlite(element: unindexed, compiler: SQLCompiler, **kw: Any) -> str:
    return f"+({compiler.process(element.clauses, **kw)})"


class NestedLoopJoin(Join):
    """A nested-loop join: scans the left table in order and looks up the right table's rows for each row."""

    inherit_cache = True


@compiles(NestedLoopJoin, "sqlite")
def _walk_on_sqlite(element: NestedLoopJoin, compiler: SQLCompiler, *, asfrom: bool = True, **kw: Any) -> str:
    # Without CROSS, SQLite may start from the larger table and sort all of it.
    sides = (compiler.process(side, asfrom=asfrom, **kw) for side in (element.left, element.right))
    return f"{' CROSS JOIN '.join(sides)} ON {compiler.process(element.onclause, **kw)}"  # type: ignore[arg-type]


def number(value: int) -> ColumnElement[int]:
    """A literal, so that PostgreSQL can plan for its value. It assumes that a bound LIMIT is a tenth of the table."""
    return literal_column(str(int(value)))


def written(word: str) -> ColumnElement[str]:
    """A string literal, for the same reason. Only for constants of this program, never for input."""
    return literal_column("'" + word.replace("'", "''") + "'")
