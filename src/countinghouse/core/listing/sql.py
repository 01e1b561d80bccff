"""SQL expressions that compile differently on SQLite and PostgreSQL."""

from typing import Any

from sqlalchemy import ColumnElement, Integer, Join, String, literal_column
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from countinghouse.core.masking import SIGNS

# The ESCAPE character on SQLite, which is also PostgreSQL's default.
ESCAPE = "\\"


def like_pattern(text: str) -> str:
    """Escapes wildcards in the text, so that they match literally."""
    for special in (ESCAPE, "%", "_"):
        text = text.replace(special, ESCAPE + special)
    return f"%{text}%"


def compile_on_both(function: type[FunctionElement[Any]], postgresql: str, sqlite: str) -> None:
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


class digits_in(FunctionElement[int]):  # noqa: N801
    """digits_in(text): how many of its characters are digits from 0 to 9."""

    inherit_cache = True
    type = Integer()


class has_other_digits(FunctionElement[bool]):  # noqa: N801
    """has_other_digits(text): whether it has digits of another script, such as Devanagari, or raised ones."""

    inherit_cache = True


class among(FunctionElement[bool]):  # noqa: N801
    """among(column, ids): the ids are bound as one value, so that one id and a thousand share a statement."""

    inherit_cache = True


class among_numbers(FunctionElement[bool]):  # noqa: N801
    """The same for ids that are numbers."""

    inherit_cache = True


class among_found(FunctionElement[bool]):  # noqa: N801
    """among_found(column, subquery): few values, looked up one by one. PostgreSQL tends to join instead."""

    inherit_cache = True


class unindexed(FunctionElement[bool]):  # noqa: N801
    """unindexed(value): stops SQLite from using an index for it. PostgreSQL's planner needs no such hint."""

    inherit_cache = True


class whole_days(FunctionElement[int]):  # noqa: N801
    """whole_days(since, until): the number of full 24-hour periods; 0 if `until` is before `since`. Computed by the
    database, so that it can aggregate them."""

    inherit_cache = True
    type = Integer()


class moment_text(FunctionElement[str]):  # noqa: N801
    """moment_text(column): a moment in the format of API responses, for a text that contains more than it."""

    inherit_cache = True
    type = String()


compile_on_both(contains, "{0} ILIKE {1}", f"{{0}} LIKE {{1}} ESCAPE '{ESCAPE}'")
compile_on_both(contains_unindexed, "({0} || '') ILIKE {1}", f"{{0}} LIKE {{1}} ESCAPE '{ESCAPE}'")
compile_on_both(among, "{0} = ANY(CAST({1} AS varchar[]))", "{0} IN (SELECT value FROM json_each({1}))")
compile_on_both(among_numbers, "{0} = ANY(CAST({1} AS bigint[]))", "{0} IN (SELECT value FROM json_each({1}))")
compile_on_both(among_found, "{0} = ANY(ARRAY{1})", "{0} IN {1}")
compile_on_both(
    moment_text,
    """to_char({0} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')""",
    "substr({0}, 1, 23) || 'Z'",
)
compile_on_both(unindexed, "({0})", "+({0})")
# In whole microseconds: julianday() is a float, and a rounding error would lose a day. The parts are read one by one:
# strftime() rounds fractions finer than a millisecond, sometimes up to the next second.
_MICROSECONDS = "(CAST(strftime('%s', substr({0}, 1, 19)) AS INTEGER) * 1000000 + CAST(substr({0}, 21, 6) AS INTEGER))"
compile_on_both(
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


class LookupJoin(NestedLoopJoin):
    """The same for few rows on the left. PostgreSQL's planner would rather read a table of thousands of rows whole."""

    inherit_cache = True


@compiles(LookupJoin, "postgresql")
def _look_up_on_postgresql(element: LookupJoin, compiler: SQLCompiler, *, asfrom: bool = True, **kw: Any) -> str:
    left, right = (compiler.process(side, asfrom=asfrom, **kw) for side in (element.left, element.right))
    condition = compiler.process(element.onclause, **kw)  # type: ignore[arg-type]
    # With an OFFSET, the planner keeps the subquery and runs it for each row.
    return f"{left} CROSS JOIN LATERAL (SELECT * FROM {right} WHERE {condition} OFFSET 0) AS {right}"  # noqa: S608


def number(value: int) -> ColumnElement[int]:
    """A literal, so that PostgreSQL can plan for its value. It assumes that a bound LIMIT is a tenth of the table."""
    return literal_column(str(int(value)))


def written(word: str) -> ColumnElement[str]:
    """A string literal, for the same reason. Only for constants of this program, never for input."""
    return literal_column("'" + word.replace("'", "''") + "'")


_without_digits = "{0}"
for _digit in "0123456789":
    _without_digits = f"replace({_without_digits}, '{_digit}', '')"
compile_on_both(
    digits_in,
    "(length({0}) - length(translate({0}, '0123456789', '')))",
    f"(length({{0}}) - length({_without_digits}))",
)
# The zeros of all scripts in Unicode 17, each followed by its nine other digits. Not those that this Python knows: the
# database may be older or newer.
_OTHER_ZEROS = (
    "660 6f0 7c0 966 9e6 a66 ae6 b66 be6 c66 ce6 d66 de6 e50 ed0 f20 1040 1090 17e0 1810 1946 19d0 1a80 1a90 1b50 1bb0 "
    "1c40 1c50 a620 a8d0 a900 a9d0 a9f0 aa50 abf0 ff10 104a0 10d30 10d40 11066 110f0 11136 111d0 112f0 11450 114d0 "
    "11650 116c0 116d0 116da 11730 118e0 11950 11bf0 11c50 11d50 11da0 11de0 11f50 16a60 16ac0 16b50 16d70 1ccf0 1d7ce "
    "1d7d8 1d7e2 1d7ec 1d7f6 1e140 1e2f0 1e4f0 1e5f1 1e950 1fbf0"
)
_other_digits = SIGNS + "".join(f"{chr(int(zero, 16))}-{chr(int(zero, 16) + 9)}" for zero in _OTHER_ZEROS.split())
compile_on_both(has_other_digits, f"({{0}} ~ '[{_other_digits}]')", f"({{0}} GLOB '*[{_other_digits}]*')")
