"""The time zone of the desk, which decides what day it is and which day a moment belongs to.

There is one per process, as there is one desk per process: `create_app` sets it from the settings. It is not passed on,
because FastAPI validates the query of a route without any context.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from countinghouse.core.times import now

# Python cannot convert its earliest and latest datetimes to another time zone.
FIRST_YEAR, END_YEAR = 1900, 9000


@dataclass
class _Desk:
    zone: ZoneInfo


_desk = _Desk(ZoneInfo("Asia/Kolkata"))


def use_zone(name: str) -> None:
    _desk.zone = ZoneInfo(name)


def zone_name() -> str:
    return _desk.zone.key


def today() -> date:
    return now().astimezone(_desk.zone).date()


def read_day(value: object) -> date:
    """From its spelling in a URL, such as 2026-11-15. Raises ValueError, also for a day that no clock will show."""
    try:
        day = date.fromisoformat(value) if isinstance(value, str) else date.min
    except ValueError:
        day = date.min
    if not FIRST_YEAR <= day.year < END_YEAR or day.isoformat() != value:
        raise ValueError("must be a day, like 2026-11-15.")
    return day


def start_of(day: date) -> datetime:
    """Its first moment. Where the clock skips midnight, that is the moment it skips to."""
    return datetime.combine(day, time(), _desk.zone).astimezone(UTC)
