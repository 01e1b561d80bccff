"""How much a client may claim: what the purchases have earned, minus what is paid and what is in flight."""

from datetime import datetime
from typing import Annotated, Any, NamedTuple

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

from countinghouse.claims.lifecycle import IN_FLIGHT
from countinghouse.claims.tables import claims
from countinghouse.core.db import Reader, Statement
from countinghouse.core.examples import Example, described
from countinghouse.core.listing.items import Choice, ObjectQuery, Rupees, Sum
from countinghouse.core.listing.sql import number, whole_days, written
from countinghouse.core.masking import Plain, Reference
from countinghouse.core.money import rupees
from countinghouse.core.numbers import shown_number
from countinghouse.core.times import Moment
from countinghouse.purchases.findings import FINDINGS, Finding
from countinghouse.purchases.tables import purchases


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
    number: Annotated[Plain, Example("P-10271")]
    createdAt: Annotated[str, Example("2026-11-05T02:52:36.120Z")]
    invest: Annotated[float, Example(5000)]
    dailyIncome: Annotated[float, Example(62.5)]
    upiId: Annotated[Reference, Example("631902345678")]
    claimType: Annotated[str, Example("Daily")]
    qrName: Annotated[str, Example("Desk 1")]
    findings: Annotated[list[Finding], Example([])]
    days: Annotated[int, Example(10)]
    earned: Annotated[float, Example(625)]


@described
class Arithmetic(TypedDict):
    """In rupees. `inFlight` is the sum of the client's other open claims."""

    earned: Annotated[float, Example(625)]
    paid: Annotated[float, Example(500)]
    inFlight: Annotated[float, Example(0)]
    claimable: Annotated[float, Example(125)]


class Sums(NamedTuple):
    """Over all purchases and claims of a client, in paise."""

    purchases: int
    invested: int
    earned: int
    claims: int
    paid: int
    in_flight: int

    @property
    def claimable(self) -> int:
        """Negative if more is paid or in flight than was earned."""
        return self.earned - self.paid - self.in_flight

    def in_rupees(self) -> Arithmetic:
        return {
            "earned": rupees(self.earned),
            "paid": rupees(self.paid),
            "inFlight": rupees(self.in_flight),
            "claimable": rupees(self.claimable),
        }


_AT: ColumnElement[Any] = bindparam("at", type_=Moment)

_bought = rows_of_client(purchases)
_days = whole_days(_bought.c.created_at, _AT)
# Grouped by age instead of one sum: income times days may exceed the integers of the database.
_BOUGHT = Statement(
    select(_days, func.count(), func.sum(_bought.c.invest_paise), func.sum(_bought.c.daily_income_paise))
    .select_from(_bought)
    .group_by(_days)
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


async def read_sums(reader: Reader, user_id: str, at: datetime, beside: str = "") -> Sums:
    """Purchases earn until `at`. The claim `beside` is not in flight, so that it does not count against itself."""
    known = {"user_id": user_id, "at": at, "beside": beside}
    by_age = await reader.all(_BOUGHT, known)
    ((claim_count, paid, in_flight),) = await reader.all(_CLAIMED, known)
    return Sums(
        purchases=sum(count for _, count, _, _ in by_age),
        invested=sum(int(invested) for _, _, invested, _ in by_age),
        earned=sum(days * int(daily_income) for days, _, _, daily_income in by_age),
        claims=claim_count,
        paid=int(paid),
        in_flight=int(in_flight),
    )


def newest_purchases(most: int) -> ObjectQuery:
    """Reads `EarningPurchase` objects. Binds `user_id` and `at`, until when they earn."""
    own = rows_of_client(purchases)
    days = whole_days(own.c.created_at, _AT)
    return ObjectQuery(
        {
            "_id": own.c.id,
            "number": shown_number(purchases, own),
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
