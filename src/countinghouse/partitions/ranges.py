"""Where partitions begin and end: by the month in an id, or by numbers that rise by about as much in a month."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Column, Connection, func, select

from countinghouse.core.ids import moment_of_id
from countinghouse.core.times import now

MONTH = timedelta(days=31)
# So that a timer may fail for months before rows go to the partition for all others.
MONTHS_AHEAD = 3


class Range(NamedTuple):
    """From `lower`, and below `upper`. The label becomes a part of the partition's name."""

    label: str
    lower: str
    upper: str


class Ruler(Protocol):
    @property
    def column(self) -> Column[Any]: ...

    def cut(self, connection: Connection, least: int) -> str:
        """Where a table that is in use ends from now on: so far ahead that nothing reaches it for a month."""

    def following(self, connection: Connection, upper: str, least: int) -> Iterator[Range]:
        """The ranges to make after the last one, which ends at `upper`."""

    def label(self, lower: str) -> str: ...

    def words(self, upper: str) -> str:
        """The rows below `upper`, in words."""

    def last(self, uppers: list[str]) -> str: ...


@dataclass(frozen=True)
class Months:
    """For a column of ids, which begin with the second of their creation in hexadecimal digits."""

    column: Column[str]

    def cut(self, _connection: Connection, _least: int) -> str:
        return _first_id(_add_months(now(), 2))

    def following(self, _connection: Connection, upper: str, _least: int) -> Iterator[Range]:
        end = _first_id(_add_months(now(), MONTHS_AHEAD + 1))
        while upper < end:
            lower, upper = upper, _first_id(_add_months(moment_of_id(upper), 1))
            yield Range(self.label(lower), lower, upper)

    def label(self, lower: str) -> str:
        return f"{moment_of_id(lower):%Y_%m}"

    def words(self, upper: str) -> str:
        return f"with ids from before {moment_of_id(upper):%Y-%m-%d}"

    def last(self, uppers: list[str]) -> str:
        return max(uppers)


@dataclass(frozen=True)
class Numbers:
    """For a column that the database numbers. When a month begins at which number is not known before, so each
    partition gets as many numbers as the last month used, or `least` if that is more."""

    column: Column[int]
    at: Column[datetime]

    def cut(self, connection: Connection, least: int) -> str:
        return str(self._newest(connection) + 1 + self._in_a_month(connection, least))

    def following(self, connection: Connection, upper: str, least: int) -> Iterator[Range]:
        size = self._in_a_month(connection, least)
        lower, end = int(upper), self._newest(connection) + MONTHS_AHEAD * size
        while lower < end:
            yield Range(str(lower), str(lower), str(lower + size))
            lower += size

    def label(self, lower: str) -> str:
        return lower

    def words(self, upper: str) -> str:
        return f"with numbers below {upper}"

    def last(self, uppers: list[str]) -> str:
        return str(max(map(int, uppers)))

    def _newest(self, connection: Connection) -> int:
        return int(connection.execute(select(func.coalesce(func.max(self.column), 0))).scalar_one())

    def _in_a_month(self, connection: Connection, least: int) -> int:
        """By the newest row that is older than a month, which has an index."""
        earlier = select(self.column).where(self.at < now() - MONTH).order_by(self.at.desc(), self.column.desc())
        before = connection.execute(earlier.limit(1)).scalar()
        return max(least, self._newest(connection) - int(before or 0))


def _add_months(moment: datetime, count: int) -> datetime:
    """The beginning of a month, in UTC."""
    months = moment.year * 12 + moment.month - 1 + count
    return datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC)


def _first_id(moment: datetime) -> str:
    return f"{int(moment.timestamp()):08x}"
