"""When a failed delivery is tried again."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from secrets import SystemRandom

# The waits between the attempts, as Standard Webhooks suggests: ten attempts within about 75 hours.
WAITS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
)
MOST_ATTEMPTS = len(WAITS) + 1
# A receiver that comes back is not asked for everything at the same moment.
JITTER = 0.1
LONGEST_PAUSE = timedelta(hours=24)


_random = SystemRandom()


def next_attempt_at(attempts: int, at: datetime) -> datetime | None:
    """`attempts` have been made; None if there is no further one."""
    if attempts >= MOST_ATTEMPTS:
        return None
    return at + WAITS[attempts - 1] * _random.uniform(1 - JITTER, 1 + JITTER)


def pause_until(retry_after: str | None, at: datetime) -> datetime | None:
    """What a Retry-After header asks for: seconds or a date, at most a day away."""
    if not retry_after:
        return None
    try:
        asked = _asked(retry_after.strip(), at)
    except (ValueError, OverflowError):
        return None
    return min(asked, at + LONGEST_PAUSE) if asked > at else None


def _asked(text: str, at: datetime) -> datetime:
    if text.isascii() and text.isdecimal():
        return at + min(timedelta(seconds=int(text[:9])), LONGEST_PAUSE)
    moment = parsedate_to_datetime(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
