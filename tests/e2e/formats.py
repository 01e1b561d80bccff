"""The expected format of dates and amounts for an admin in India, implemented independently of the web client."""

from datetime import datetime, timedelta, timezone

INDIA = timezone(timedelta(hours=5, minutes=30))


def day(created_at: str) -> datetime:
    return datetime.fromisoformat(created_at).astimezone(INDIA)


def rupees(amount: float) -> str:
    whole, paise = f"{amount:.2f}".split(".")
    head, tail = whole[:-3], whole[-3:]
    groups: list[str] = []
    while head:
        groups.insert(0, head[-2:])
        head = head[:-2]
    return "₹" + ",".join([*groups, tail]) + "." + paise
