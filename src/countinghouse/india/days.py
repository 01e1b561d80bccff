"""The Indian calendar day of a moment, and how sentences show it."""

from datetime import UTC, date, datetime, time, timedelta, timezone

# Rupees and IFSC codes are Indian, so sentences about them use Indian dates. India has no daylight saving time.
INDIA = timezone(timedelta(hours=5, minutes=30))


def indian_day(moment: datetime) -> date:
    try:
        return moment.astimezone(INDIA).date()
    except OverflowError:
        # Out of range in Indian time. Such a moment is only a placeholder for an unknown one.
        return moment.date()


def start_and_end(day: date) -> tuple[datetime, datetime] | None:
    """The first moment of the day and that of the next; None for the first and the last day that a date can have."""
    if day in (date.min, date.max):
        return None
    start = datetime.combine(day, time(), INDIA).astimezone(UTC)
    return start, start + timedelta(days=1)


def day_of(moment: datetime) -> str:
    """For sentences: 3 Nov 2026."""
    return day_in_words(indian_day(moment))


def day_in_words(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


# Not from strftime, which uses the machine's locale.
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
