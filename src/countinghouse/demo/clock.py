"""The hours of the made-up business: when customers come and when admins work. Times are milliseconds since 1970."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from itertools import accumulate
from random import Random

from countinghouse.core.times import iso

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
DAYS_SHOWN = 120

_IST_AHEAD = 5 * HOUR + 30 * MINUTE

# How busy each hour of an Indian day is, from midnight: quiet nights, a lunch dip, a long evening.
_BUSY = (2, 1, 1, 1, 1, 2, 5, 9, 14, 20, 24, 24, 20, 15, 15, 18, 20, 22, 26, 30, 30, 24, 14, 6)
_DESK_OPENS, _DESK_CLOSES = 9, 21


def to_ms(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def to_moment(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def indian_day_of(at_ms: int) -> int:
    """Days since 1 January 1970."""
    return (at_ms + _IST_AHEAD) // DAY


def date_of(day: int) -> date:
    return date(1970, 1, 1) + timedelta(days=day)


@lru_cache(maxsize=10_000)
def _to_minute_text(minute: int) -> str:
    return iso(to_moment(minute * MINUTE)).removesuffix("00.000Z")


def to_text(at_ms: int) -> str:
    """The format of `stored_text`, which both engines accept for a Moment. Minutes are cached: millions are needed."""
    minute, rest_ms = divmod(at_ms, MINUTE)
    return f"{_to_minute_text(minute)}{rest_ms // 1000:02d}.{rest_ms % 1000:03d}000Z"


def opening_ms(until_ms: int) -> int:
    """Nine in the morning in India, on the first day of the demo."""
    first_midnight = (until_ms + _IST_AHEAD - DAYS_SHOWN * DAY) // DAY * DAY
    return first_midnight + _DESK_OPENS * HOUR - _IST_AHEAD


def spread(rng: Random, count: int, first_ms: int, last_ms: int) -> Iterator[int]:
    """`count` ordered times from the first to the last given one, denser at busy hours and as weeks go by."""
    # Hours in India begin at half past an hour in UTC.
    next_hour = (first_ms + _IST_AHEAD) // HOUR * HOUR + HOUR - _IST_AHEAD
    starts = [first_ms, *range(next_hour, last_ms, HOUR)]
    ends = [*starts[1:], last_ms]
    # No two days are equally busy.
    moods = [0.6 + 0.8 * rng.random() for _ in range(DAYS_SHOWN + 2)]
    weights = [
        moods[(start - first_ms) // DAY]
        * (0.3 + (start - first_ms) / (last_ms - first_ms))
        * _BUSY[(start + _IST_AHEAD) // HOUR % 24]
        * (end - start)
        for start, end in zip(starts, ends, strict=True)
    ]
    reached = list(accumulate(weights))
    cell = 0
    for index in range(count):
        if index in (0, count - 1):
            yield first_ms if index == 0 else last_ms
            continue
        # One time in each of `count` equal shares of the total load: ordered without sorting or storing any.
        target = (index + rng.random()) / count * reached[-1]
        while cell < len(reached) - 1 and target > reached[cell]:
            cell += 1
        left = max(0.0, (reached[cell] - target) / weights[cell])
        yield max(first_ms, int(ends[cell] - left * (ends[cell] - starts[cell])))


def in_desk_hours(rng: Random, at_ms: int) -> int:
    """The given time if admins are at work then, otherwise some time in the next morning or noon."""
    day, of_day = divmod(at_ms + _IST_AHEAD, DAY)
    if _DESK_OPENS * HOUR <= of_day < _DESK_CLOSES * HOUR:
        return at_ms
    day += of_day >= _DESK_CLOSES * HOUR
    return day * DAY + _DESK_OPENS * HOUR - _IST_AHEAD + int(rng.random() * 5 * HOUR)
