"""SQL that both engines speak, each in its own words."""

from typing import Any

from sqlalchemy import ColumnElement, Join, literal_column
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

# ESCAPE on SQLite; PostgreSQL's own default is the same character.
ESCAPE = "\\"


def like_pattern(text: str) -> str:
    """Wildcards that somebody types are letters."""
    for special in (ESCAPE, "%", "_"):
        text = text.replace(special, ESCAPE + special)
    return f"%{text}%"


class contains(FunctionElement[bool]):  # noqa: N801 - reads as the SQL function it is
    """contains(column, pattern): in any case."""

    inherit_cache = True


@compiles(contains, "postgresql")
def _contains_on_postgres(element: contains, compiler: SQLCompiler, **kw: Any) -> str:
    column, pattern = element.clauses
    return f"{compiler.process(column, **kw)} ILIKE {compiler.process(pattern, **kw)}"


@compiles(contains, "sqlite")
def _contains_on_sqlite(element: contains, compiler: SQLCompiler, **kw: Any) -> str:
    # SQLite's LIKE takes small for capital letters by itself.
    column, pattern = element.clauses
    return f"{compiler.process(column, **kw)} LIKE {compiler.process(pattern, **kw)} ESCAPE '{ESCAPE}'"


class contains_unindexed(contains):  # noqa: N801
    """The same question, put so that PostgreSQL asks the row and no index."""

    inherit_cache = True


@compiles(contains_unindexed, "postgresql")
def _contains_unindexed_on_postgres(element: contains_unindexed, compiler: SQLCompiler, **kw: Any) -> str:
    column, pattern = element.clauses
    return f"({compiler.process(column, **kw)} || '') ILIKE {compiler.process(pattern, **kw)}"


class among(FunctionElement[bool]):  # noqa: N801
    """among(column, ids): ids bound as one value, so that a thousand are the same statement as one."""

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


class asked_of_row(FunctionElement[bool]):  # noqa: N801
    """asked_of_row(value): put so that SQLite looks for no index. PostgreSQL knows by itself which is better."""

    inherit_cache = True


@compiles(asked_of_row, "postgresql")
def _asked_of_row_on_postgres(element: asked_of_row, compiler: SQLCompiler, **kw: Any) -> str:
    return f"({compiler.process(element.clauses, **kw)})"


@compiles(asked_of_row, "sqlite")
def _asked_of_row_on_sqlite(element: asked_of_row, compiler: SQLCompiler, **kw: Any) -> str:
    return f"+({compiler.process(element.clauses, **kw)})"


class Walk(Join):
    """Goes through the left table in order and finds the right one's rows for each."""

    inherit_cache = True


@compiles(Walk, "sqlite")
def _walk_on_sqlite(element: Walk, compiler: SQLCompiler, *, asfrom: bool = True, **kw: Any) -> str:
    # Without CROSS, SQLite may begin with the larger table and sort all of it.
    sides = (compiler.process(side, asfrom=asfrom, **kw) for side in (element.left, element.right))
    return f"{' CROSS JOIN '.join(sides)} ON {compiler.process(element.onclause, **kw)}"  # type: ignore[arg-type]


def number(value: int) -> ColumnElement[int]:
    """Written out: what PostgreSQL knows it can plan for. A bound LIMIT counts as a tenth of the table."""
    return literal_column(str(int(value)))


def written(word: str) -> ColumnElement[str]:
    """A word of ours, written out for the same reason."""
    return literal_column("'" + word.replace("'", "''") + "'")
