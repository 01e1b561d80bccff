"""The clock of the database, by which everything is judged that several servers store and compare: their own clocks
may differ by minutes or hours. All servers of an SQLite file are on one machine, so there it is that machine's."""

from datetime import datetime
from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from countinghouse.core.times import Moment, now, to_milliseconds


class _DatabaseClock(FunctionElement[datetime]):
    inherit_cache = True
    type = Moment()


@compiles(_DatabaseClock, "postgresql")
def _on_postgresql(*_: Any, **__: Any) -> str:
    return "clock_timestamp()"


@compiles(_DatabaseClock, "sqlite")
def _on_sqlite(*_: Any, **__: Any) -> str:
    return "NULL"


# A column for a statement that runs anyway, so that the clock costs no round trip of its own. `Reader.now` is one.
CLOCK = _DatabaseClock().label("clock")


def clock_of(cell: datetime | None) -> datetime:
    """What the column contained."""
    return now() if cell is None else to_milliseconds(cell)
