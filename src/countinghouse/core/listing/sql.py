"""SQL expressions that compile differently on SQLite and PostgreSQL."""

from typing import Any

from sqlalchemy import ColumnElement, Integer, Join, literal_column
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


def _compile(function: type[FunctionElement[Any]], postgresql: str, sqlite: str) -> None:
    """In the SQL of each engine, {0} stands for the function's first argument."""
    for engine, sql in (("postgresql", postgresql), ("sqlite", sqlite)):

        def compiled(element: Any, compiler: SQLCompiler, sql: str = sql, **kw: Any) -> str:
            return sql.format(*(compiler.process(clause, **kw) for clause in element.clauses))

        compiles(function, engine)(compiled)


class contains(FunctionElement[bool]):  # noqa: N801 - reads as the SQL function it is
    """contains(column, pattern): case-insensitive match, as SQLite's LIKE is by default."""

    inherit_cache = True


class contains_unindexed(FunctionElement[bool]):  # noqa: N801
    """The same condition, written so that PostgreSQL checks the row and uses no index."""

    inherit_cache = True


class among(FunctionElement[bool]):  # noqa: N801
    """among(column, ids): the ids are bound as one value, so that one id and a thousand share a statement."""

    inherit_cache = True


class unindexed(FunctionElement[bool]):  # noqa: N801
    """unindexed(value): stops SQLite from using an index for it. PostgreSQL's planner needs no such hint."""

    inherit_cache = True


class whole_days(FunctionElement[int]):  # noqa: N801
    """whole_days(since, until): the number of full 24-hour periods; 0 if `until` is before `since`. Computed by the
    database, so that it can aggregate them."""

    inherit_cache = True
    type = Integer()


_compile(contains, "{0} ILIKE {1}", f"{{0}} LIKE {{1}} ESCAPE '{ESCAPE}'")
_compile(contains_unindexed, "({0} || '') ILIKE {1}", f"{{0}} LIKE {{1}} ESCAPE '{ESCAPE}'")
_compile(among, "{0} = ANY(CAST({1} AS varchar[]))", "{0} IN (SELECT value FROM json_each({1}))")
_compile(unindexed, "({0})", "+({0})")
# In whole microseconds: julianday() is a float, and a rounding error would lose a day. The parts are read one by one:
# strftime() rounds fractions finer than a millisecond, sometimes up to the next second.
_MICROSECONDS = "(CAST(strftime('%s', substr({0}, 1, 19)) AS INTEGER) * 1000000 + CAST(substr({0}, 21, 6) AS INTEGER))"
_compile(
    whole_days,
    "greatest(0, floor(extract(epoch FROM {1} - {0}) / 86400))::bigint",
    f"max(0, ({_MICROSECONDS.format('{1}')} - {_MICROSECONDS.format('{0}')}) / 86400000000)",
)


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
