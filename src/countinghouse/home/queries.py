"""Reading Home: a few thousand tallies, whatever the number of claims."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from itertools import pairwise
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from sqlalchemy import Select, bindparam, select, union_all
from typing_extensions import TypedDict

from countinghouse.claims.lifecycle import Status
from countinghouse.core.db import Reader, Statement
from countinghouse.core.examples import Example, described
from countinghouse.core.listing.sql import number, written
from countinghouse.core.money import rupees
from countinghouse.core.times import now
from countinghouse.home.tables import day_changes, day_tallies, desk_zone

WAITING: tuple[Status, ...] = ("Pending", "Accepted", "On hold")
# Of a desk with more QR codes, those that brought the most; the others are summed up.
MOST_CODES = 50
# Claims that have waited since today, for 1 day, 2 or 3, 4 to 7, 8 to 30, or longer.
_AGES = (0, 1, 2, 4, 8, 31)


@described
class Figure(TypedDict):
    count: Annotated[int, Example(2)]
    amount: Annotated[float, Example(3875)]


@described
class HomeDay(TypedDict):
    day: Annotated[str, Example("2026-11-15")]
    requested: Figure
    accepted: Figure
    paid: Figure
    moneyIn: Figure
    # Minutes from request to payment, rounded up to a step of 5 minutes, an hour or a day.
    medianMinutes: Annotated[int | None, Example(240)]
    p90Minutes: Annotated[int | None, Example(2880)]


@described
class QueueAge(TypedDict):
    """The claims that were requested from the first to the last day; null means long ago, or the future."""

    firstDay: Annotated[str | None, Example("2026-11-08")]
    lastDay: Annotated[str | None, Example("2026-11-11")]
    count: Annotated[int, Example(2)]
    amount: Annotated[float, Example(3875)]


@described
class WaitingQueue(TypedDict):
    status: Annotated[Status, Example("Pending")]
    total: Figure
    oldestDay: Annotated[str | None, Example("2026-11-08")]
    ages: list[QueueAge]


@described
class CodeIncome(TypedDict):
    """`name` is null for the sum of all further codes."""

    name: Annotated[str | None, Example("Desk 1")]
    total: Figure
    days: Annotated[list[float], Example([3875])]


@described
class PersonFigures(TypedDict):
    name: Annotated[str, Example("asha")]
    accepted: Figure
    paid: Figure
    held: Figure
    rejected: Figure
    returned: Figure


@described
class HomeFigures(TypedDict):
    timeZone: Annotated[str, Example("Asia/Kolkata")]
    today: Annotated[str, Example("2026-11-15")]
    days: list[HomeDay]
    queues: list[WaitingQueue]
    codes: list[CodeIncome]
    people: list[PersonFigures]
    medianMinutes: Annotated[int | None, Example(240)]
    p90Minutes: Annotated[int | None, Example(2880)]


MOVED: tuple[Status, ...] = ("Accepted", "Paid", "On hold", "Rejected", "Returned")
_KINDS = ("requested", "bought", "waited", *MOVED)
_COUNTED = ("kind", "day", "name", "entries", "amount_paise")


def _every(*conditions: Any) -> Statement:
    """The tallies, and the changes that are not folded yet: together always exact. The reader adds them up, because
    the database would sort them to do so."""
    parts: list[Select[Any]] = []
    for table in (day_tallies, day_changes):
        kept = [condition(table.c) for condition in conditions]
        parts.append(select(*(table.c[name] for name in _COUNTED)).where(*kept))
    return Statement(select(*union_all(*parts).subquery("every").c))


_ZONE = Statement(select(desk_zone.c.zone).limit(number(1)))
_SINCE = _every(
    # With the kinds, so that the index of the tallies finds the days.
    lambda c: c.kind.in_([written(kind) for kind in _KINDS]),
    lambda c: c.day >= bindparam("first"),
)
_STILL_WAITING = _every(
    lambda c: c.kind == written("requested"),
    lambda c: c.name.in_([written(status) for status in WAITING]),
    lambda c: (c.entries != number(0)) | (c.amount_paise != number(0)),
)

# A count and the paise.
_Sum = tuple[int, int]
_NOTHING: _Sum = (0, 0)


class _Sums:
    """One pass over the tallies of the period."""

    def __init__(self, rows: Iterable[tuple[Any, ...]], last: str) -> None:
        self.by_day: dict[tuple[str, str], _Sum] = {}
        self.by_code: dict[str, dict[str, _Sum]] = {}
        self.by_person: dict[tuple[str, str], _Sum] = {}
        # By day: how many claims were paid after how many minutes.
        self.waits: dict[str, dict[int, int]] = {}
        for kind, day, name, entries, paise in rows:
            # Another program may have written a day in the future.
            if day > last:
                continue
            if kind == "waited":
                waits, minutes = self.waits.setdefault(day, {}), int(name)
                waits[minutes] = waits.get(minutes, 0) + entries
                continue
            _add(self.by_day, (kind, day), entries, paise)
            if kind == "bought":
                _add(self.by_code.setdefault(name, {}), day, entries, paise)
            elif kind != "requested":
                _add(self.by_person, (kind, name), entries, paise)


def _add(sums: dict[Any, _Sum], key: Any, entries: int, paise: int) -> None:
    before = sums.get(key, _NOTHING)
    sums[key] = before[0] + entries, before[1] + paise


async def read_home(reader: Reader, days: int) -> HomeFigures:
    """The last days of the desk's time zone, today included."""
    zone: str = await reader.scalar(_ZONE)
    today = now().astimezone(ZoneInfo(zone)).date()
    shown = [(today - timedelta(days=days - 1 - place)).isoformat() for place in range(days)]
    sums = _Sums(await reader.all(_SINCE, {"first": shown[0]}), shown[-1])
    waiting: dict[str, dict[str, _Sum]] = {status: {} for status in WAITING}
    for _kind, day, status, entries, paise in await reader.all(_STILL_WAITING, {}):
        _add(waiting[status], day, entries, paise)
    every_wait: dict[int, int] = {}
    for waits in sums.waits.values():
        for minutes, entries in waits.items():
            every_wait[minutes] = every_wait.get(minutes, 0) + entries
    median, p90 = _typical(every_wait)
    return {
        "timeZone": zone,
        "today": shown[-1],
        "days": [_day(day, sums.by_day, sums.waits.get(day, {})) for day in shown],
        "queues": [_queue(status, today, waiting[status]) for status in WAITING],
        "codes": _codes(sums.by_code, shown),
        "people": _people(sums.by_person),
        "medianMinutes": median,
        "p90Minutes": p90,
    }


def _figure(counted: tuple[int, int]) -> Figure:
    return {"count": counted[0], "amount": rupees(counted[1])}


def _typical(waits: Mapping[int, int]) -> tuple[int | None, int | None]:
    """The median and the 90th percentile."""
    total = sum(waits.values())
    found: list[int | None] = [None, None]
    passed = 0
    for minutes, entries in sorted(waits.items()):
        passed += entries
        for place, share in enumerate((50, 90)):
            if found[place] is None and total > 0 and passed * 100 >= total * share:
                found[place] = minutes
    return found[0], found[1]


def _day(day: str, by_day: Mapping[Any, tuple[int, int]], waits: Mapping[int, int]) -> HomeDay:
    median, p90 = _typical(waits)
    return {
        "day": day,
        "requested": _figure(by_day.get(("requested", day), (0, 0))),
        "accepted": _figure(by_day.get(("Accepted", day), (0, 0))),
        "paid": _figure(by_day.get(("Paid", day), (0, 0))),
        "moneyIn": _figure(by_day.get(("bought", day), (0, 0))),
        "medianMinutes": median,
        "p90Minutes": p90,
    }


def _queue(status: Status, today: date, by_day: Mapping[str, _Sum]) -> WaitingQueue:
    waiting = [(day, entries, paise) for day, (entries, paise) in by_day.items() if entries]
    ends = [(today - timedelta(days=age)).isoformat() for age in _AGES]
    # The last day of each age, and the last day of the next one, which is not part of it.
    ages: list[QueueAge] = []
    for place, (end, before) in enumerate(pairwise([*ends, ""])):
        # A claim that another program dated into the future is as new as one of today.
        within = [one for one in waiting if before < one[0] and (one[0] <= end or place == 0)]
        begins = (today - timedelta(days=_AGES[place + 1] - 1)).isoformat() if before else None
        ages.append({"firstDay": begins, "lastDay": end if place else None, **_figure(_total(within))})
    return {
        "status": status,
        "total": _figure(_total(waiting)),
        "oldestDay": min((day for day, _, _ in waiting), default=None),
        "ages": ages,
    }


def _total(rows: Iterable[tuple[str, int, int]]) -> tuple[int, int]:
    counted = [(entries, paise) for _, entries, paise in rows]
    return sum(entries for entries, _ in counted), sum(paise for _, paise in counted)


def _codes(by_code: Mapping[str, dict[str, _Sum]], shown: list[str]) -> list[CodeIncome]:
    bought = {name: days for name, days in by_code.items() if any(counted != _NOTHING for counted in days.values())}
    order = sorted(bought, key=lambda name: (-sum(paise for _, paise in bought[name].values()), name))
    codes = [_code(name, bought[name], shown) for name in order[:MOST_CODES]]
    rest: dict[str, _Sum] = {}
    for name in order[MOST_CODES:]:
        for day, (entries, paise) in bought[name].items():
            _add(rest, day, entries, paise)
    return [*codes, _code(None, rest, shown)] if rest else codes


def _code(name: str | None, by_day: Mapping[str, tuple[int, int]], shown: list[str]) -> CodeIncome:
    total = sum(entries for entries, _ in by_day.values()), sum(paise for _, paise in by_day.values())
    return {"name": name, "total": _figure(total), "days": [rupees(by_day.get(day, (0, 0))[1]) for day in shown]}


def _people(moved: Mapping[tuple[str, str], _Sum]) -> list[PersonFigures]:
    names = {name for (kind, name), (entries, _paise) in moved.items() if kind in MOVED and entries}

    def of(status: Status, name: str) -> Figure:
        return _figure(moved.get((status, name), (0, 0)))

    people: list[PersonFigures] = [
        {
            "name": name,
            "accepted": of("Accepted", name),
            "paid": of("Paid", name),
            "held": of("On hold", name),
            "rejected": of("Rejected", name),
            "returned": of("Returned", name),
        }
        for name in names
    ]
    return sorted(people, key=lambda person: (-person["paid"]["count"], -person["accepted"]["count"], person["name"]))
