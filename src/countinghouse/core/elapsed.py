"""Whole days between two moments, computed by the database so that it can aggregate them."""

from typing import Any

from sqlalchemy import Integer
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class whole_days(FunctionElement[int]):  # noqa: N801 - reads as the SQL function it is
    """whole_days(since, until): the number of full 24-hour periods; 0 if `until` is before `since`."""

    inherit_cache = True
    type = Integer()


@compiles(whole_days, "postgresql")
def _days_on_postgres(element: whole_days, compiler: SQLCompiler, **kw: Any) -> str:
    since, until = (compiler.process(moment, **kw) for moment in element.clauses)
    return f"greatest(0, floor(extract(epoch FROM {until} - {since}) / 86400))::bigint"


@compiles(whole_days, "sqlite")
def _days_on_sqlite(element: whole_days, compiler: SQLCompiler, **kw: Any) -> str:
    # In whole microseconds: julianday() is a float, and a rounding error would lose a day.
    since, until = (_microseconds(compiler.process(moment, **kw)) for moment in element.clauses)
    return f"max(0, ({until} - {since}) / 86400000000)"


def _microseconds(moment: str) -> str:
    # strftime() rounds fractions finer than a millisecond, sometimes up to the next second.
    seconds = f"CAST(strftime('%s', substr({moment}, 1, 19)) AS INTEGER)"
    return f"({seconds} * 1000000 + CAST(substr({moment}, 21, 6) AS INTEGER))"
