"""The hours of the made-up business: when customers come and when admins work."""

from bisect import bisect_right
from datetime import UTC, date, datetime, time, timedelta
from random import Random

from countinghouse.core.times import to_milliseconds
from countinghouse.india.days import INDIA, indian_day

DAYS_SHOWN = 120

# How busy each hour of an Indian day is, from midnight: quiet nights, a lunch dip, a long evening.
_BUSY = (2, 1, 1, 1, 1, 2, 5, 9, 14, 20, 24, 24, 20, 15, 15, 18, 20, 22, 26, 30, 30, 24, 14, 6)
_DESK_OPENS, _DESK_CLOSES = 9, 21


def _opening_on(day: date) -> datetime:
    return datetime.combine(day, time(_DESK_OPENS), INDIA).astimezone(UTC)


def first_opening(until: datetime) -> datetime:
    return _opening_on(indian_day(until) - timedelta(days=DAYS_SHOWN))


def in_desk_hours(rng: Random, at: datetime) -> datetime:
    """The given time if admins are at work then, otherwise some time in the next morning or noon."""
    local = at.astimezone(INDIA)
    if _DESK_OPENS <= local.hour < _DESK_CLOSES:
        return at
    opening = _opening_on(local.date() + timedelta(days=local.hour >= _DESK_CLOSES))
    return to_milliseconds(opening + timedelta(hours=5 * rng.random()))


def make_id(mark: int, at: datetime, index: int) -> str:
    """The format of core.ids, but reproducible."""
    return f"{int(at.timestamp()):08x}{mark:010x}{index % (1 << 24):06x}"


class Timeline:
    """When each row of a table was made: from the first to the last time, denser at busy hours and as weeks go by."""

    def __init__(self, rng: Random, count: int, first: datetime, last: datetime) -> None:
        self._mark = rng.getrandbits(40)
        hours = [first + timedelta(hours=hour) for hour in range((last - first) // timedelta(hours=1))]
        # No two days are equally busy.
        moods = [rng.uniform(0.6, 1.4) for _ in range(DAYS_SHOWN + 1)]
        weights = [
            moods[index // 24] * (0.3 + index / len(hours)) * _BUSY[hour.astimezone(INDIA).hour]
            for index, hour in enumerate(hours)
        ]
        drawn = rng.choices(hours, weights, k=count)
        between = sorted(hour + timedelta(milliseconds=rng.randrange(3_600_000)) for hour in drawn)[1:-1]
        self.moments = [first, *between, last][:count]

    def id_of(self, index: int) -> str:
        return make_id(self._mark, self.moments[index], index)

    def pick_recent(self, rng: Random, at: datetime) -> int:
        """The index of a row from before that time; later ones are more likely."""
        known = bisect_right(self.moments, at)
        return known - 1 - int(known * rng.random() ** 1.5)
