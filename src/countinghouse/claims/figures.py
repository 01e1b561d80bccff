"""The figures beside the list: the oldest claim of each status in flight, and what was paid today and this week."""

from datetime import date, timedelta
from typing import Annotated

from sqlalchemy import bindparam, case, func, select
from typing_extensions import TypedDict

from countinghouse.claims.lifecycle import IN_FLIGHT, Status
from countinghouse.claims.queries import MatchingClaims, StatusTotal
from countinghouse.claims.tables import claims
from countinghouse.core.db import Reader, Statement
from countinghouse.core.desk_zone import start_of, today
from countinghouse.core.examples import Example, described
from countinghouse.core.listing.counting import MOST_COUNTED
from countinghouse.core.listing.sql import number, written
from countinghouse.core.money import rupees
from countinghouse.core.times import Moment, iso


@described
class OldestClaim(TypedDict):
    status: Annotated[Status, Example("Pending")]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]


@described
class PaidSince(MatchingClaims):
    """`since` is a day in the desk's time zone. `status=Paid&movedFrom=DAY` lists these claims."""

    since: Annotated[str, Example("2026-11-16")]


@described
class ClaimFigures(TypedDict):
    oldest: list[OldestClaim]
    paidToday: PaidSince
    paidThisWeek: PaidSince


@described
class ClaimTotals(MatchingClaims):
    byStatus: list[StatusTotal]  # noqa: N815 - its name in JSON
    figures: ClaimFigures


def select_figures(most: int) -> Statement:
    """Each minimum is the first entry of an index. The rest reads at most as many rows as a list counts."""
    oldest = (
        select(func.min(claims.c.created_at)).where(claims.c.status == written(status)).scalar_subquery().label(status)
        for status in IN_FLIGHT
    )
    # The newest first: if there are more than are counted, those of today are all among them.
    newest = (
        select(claims.c.amount_paise, claims.c.moved_at)
        .where(claims.c.status == written("Paid"), claims.c.moved_at >= bindparam("week", type_=Moment))
        .order_by(claims.c.moved_at.desc())
        .limit(number(most + 1))
    )
    paid = newest.subquery("paid").c
    is_today = case((paid.moved_at >= bindparam("today", type_=Moment), number(1)), else_=number(0))
    counts = {
        "week_entries": func.count(paid.moved_at),
        "week_paise": func.sum(paid.amount_paise),
        "today_entries": func.sum(is_today),
        "today_paise": func.sum(is_today * paid.amount_paise),
    }
    return Statement(select(*oldest, *(func.coalesce(part, number(0)).label(name) for name, part in counts.items())))


_FIGURES = select_figures(MOST_COUNTED)


async def read_figures(reader: Reader) -> ClaimFigures:
    day = today()
    monday = day - timedelta(days=day.weekday())
    found = (await reader.one(_FIGURES, {"today": start_of(day), "week": start_of(monday)}))._mapping
    return {
        "oldest": [
            {"status": status, "createdAt": iso(found[status])} for status in IN_FLIGHT if found[status] is not None
        ],
        "paidToday": _paid_since(day, found["today_entries"], found["today_paise"]),
        "paidThisWeek": _paid_since(monday, found["week_entries"], found["week_paise"]),
    }


def _paid_since(day: date, entries: int, paise: int) -> PaidSince:
    is_exact = entries <= MOST_COUNTED
    return {
        "since": day.isoformat(),
        "count": min(int(entries), MOST_COUNTED),
        "amount": rupees(int(paise)) if is_exact else None,
        "isExact": is_exact,
    }
