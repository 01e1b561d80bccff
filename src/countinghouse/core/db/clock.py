"""The clock of the database, by which everything is judged that several servers store and compare: their own clocks
may differ by minutes or hours. All servers of an SQLite file are on one machine, so there it is that machine's."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, bindparam, func, literal_column
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from countinghouse.core.times import Moment, now, to_milliseconds


class _DatabaseClock(FunctionElement[datetime]):
    """Its argument, if any, is the number of seconds before now."""

    inherit_cache = True
    type = Moment()


@compiles(_DatabaseClock, "postgresql")
def _on_postgresql(element: _DatabaseClock, compiler: SQLCompiler, **kw: Any) -> str:
    ago = "".join(f" - make_interval(secs => {compiler.process(seconds, **kw)})" for seconds in element.clauses)
    return f"(clock_timestamp(){ago})"


@compiles(_DatabaseClock, "sqlite")
def _on_sqlite(*_: Any, **__: Any) -> str:
    return "NULL"


# A column for a statement that runs anyway, so that the clock costs no round trip of its own. `Reader.now` is one.
CLOCK = _DatabaseClock().label("clock")


def by_database(name: str, ago: timedelta = timedelta()) -> ColumnElement[datetime]:
    """This long ago. `name` is the bound value that is taken on SQLite."""
    clock = _DatabaseClock(literal_column(str(int(ago.total_seconds())))) if ago else _DatabaseClock()
    return func.coalesce(clock, bindparam(name, type_=Moment()), type_=Moment())


def clock_of(cell: datetime | None) -> datetime:
    """What the column contained."""
    return now() if cell is None else to_milliseconds(cell)
