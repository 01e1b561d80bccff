"""How much a client may claim: what the purchases have earned, minus what is paid and what is in flight."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    Integer,
    Numeric,
    Select,
    Table,
    and_,
    bindparam,
    case,
    cast,
    func,
    select,
    type_coerce,
)
from typing_extensions import TypedDict

from countinghouse.claims.lifecycle import Status
from countinghouse.claims.tables import claims
from countinghouse.core.db import Reader, Statement
from countinghouse.core.examples import Example, described
from countinghouse.core.listing.items import Choice, ObjectQuery, Rupees, Sum
from countinghouse.core.listing.sql import number, whole_days, written
from countinghouse.core.times import Moment
from countinghouse.purchases.findings import FINDINGS, Finding
from countinghouse.purchases.tables import purchases

# Neither paid nor rejected: money that may still be paid out. A claim that the bank returned is to be paid again.
IN_FLIGHT: tuple[Status, ...] = ("Pending", "Accepted", "On hold", "Returned")


def rows_of_client(table: Table) -> CTE:
    """All rows of one client, found through the index on the client and only then sorted. Binds `user_id`."""
    own = select(table).where(table.c.user_id == bindparam("user_id")).cte("own")
    # Without MATERIALIZED, PostgreSQL would look for the newest rows by walking through everybody's rows by time, and
    # through all of them for a client who has been inactive for long.
    return own.prefix_with("MATERIALIZED", dialect="postgresql")


def newest(rows: Select[Any], own: CTE, most: int) -> Select[Any]:
    return rows.order_by(own.c.created_at.desc(), own.c.id.desc()).limit(number(most))


@described
class EarningPurchase(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000002")]
    createdAt: Annotated[str, Example("2026-11-05T02:52:36.120Z")]
    invest: Annotated[float, Example(5000)]
    dailyIncome: Annotated[float, Example(62.5)]
    upiId: Annotated[str, Example("631902345678")]
    claimType: Annotated[str, Example("Daily")]
    qrName: Annotated[str, Example("Desk 1")]
    findings: Annotated[list[Finding], Example([])]
    days: Annotated[int, Example(10)]
    earned: Annotated[float, Example(625)]


@dataclass(frozen=True, slots=True)
class Bought:
    purchases: int
    invested_paise: int
    earned_paise: int


@dataclass(frozen=True, slots=True)
class Claimed:
    claims: int
    paid_paise: int
    in_flight_paise: int


def claimable_paise(bought: Bought, claimed: Claimed) -> int:
    """Negative if more is paid or in flight than was earned."""
    return bought.earned_paise - claimed.paid_paise - claimed.in_flight_paise


_AT: ColumnElement[Any] = bindparam("at", type_=Moment)

_bought = rows_of_client(purchases)
_days = whole_days(_bought.c.created_at, _AT)
# Grouped by age instead of one sum: income times days may exceed the integers of the database.
_BOUGHT = Statement(
    select(_days, func.count(), func.sum(_bought.c.invest_paise), func.sum(_bought.c.daily_income_paise))
    .select_from(_bought)
    .group_by(_days)
)


async def read_bought(reader: Reader, user_id: str, at: datetime) -> Bought:
    by_age = await reader.all(_BOUGHT, {"user_id": user_id, "at": at})
    return Bought(
        purchases=sum(count for _, count, _, _ in by_age),
        invested_paise=sum(int(invested) for _, _, invested, _ in by_age),
        earned_paise=sum(days * int(daily_income) for days, _, _, daily_income in by_age),
    )


_claimed = rows_of_client(claims)


def _sum_where(condition: ColumnElement[bool]) -> ColumnElement[Any]:
    return func.coalesce(func.sum(case((condition, _claimed.c.amount_paise), else_=number(0))), number(0))


_IS_IN_FLIGHT = _claimed.c.status.in_([written(status) for status in IN_FLIGHT])
_CLAIMED = Statement(
    select(
        func.count(),
        _sum_where(_claimed.c.status == written("Paid")),
        _sum_where(and_(_IS_IN_FLIGHT, _claimed.c.id != bindparam("beside"))),
    ).select_from(_claimed)
)


async def read_claimed(reader: Reader, user_id: str, beside: str = "") -> Claimed:
    """Leaves the claim `beside` out of the amount in flight, so that a claim does not count against itself."""
    ((count, paid, in_flight),) = await reader.all(_CLAIMED, {"user_id": user_id, "beside": beside})
    return Claimed(count, int(paid), int(in_flight))


def newest_purchases(most: int) -> ObjectQuery:
    """Reads `EarningPurchase` objects. Binds `user_id` and `at`, until when they earn."""
    own = rows_of_client(purchases)
    days = whole_days(own.c.created_at, _AT)
    return ObjectQuery(
        {
            "_id": own.c.id,
            "createdAt": own.c.created_at,
            "invest": Rupees(own.c.invest_paise),
            "dailyIncome": Rupees(own.c.daily_income_paise),
            "upiId": own.c.upi_id,
            "claimType": own.c.claim_type,
            "qrName": own.c.qr_name,
            "findings": Choice(own.c.findings, FINDINGS),
            "days": days,
            "earned": Sum(type_coerce(cast(own.c.daily_income_paise, Numeric) * days, Integer)),
        },
        lambda rows: newest(rows, own, most),
    )
