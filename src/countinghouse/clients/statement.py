"""What a client bought, was paid and still has in open claims, in a period. Meant for paper: numbers are masked."""

from datetime import date, datetime, timedelta
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from sqlalchemy import CTE, ColumnElement, Select, bindparam, case, func, select
from typing_extensions import TypedDict

from countinghouse.banks.queries import Bank, bank_of
from countinghouse.claims.arithmetic import rows_of_client
from countinghouse.claims.lifecycle import IN_FLIGHT, Status
from countinghouse.claims.queries import Payout, payout_fields
from countinghouse.claims.tables import claims
from countinghouse.clients.queries import get_user
from countinghouse.core.db import Reader, Statement
from countinghouse.core.desk_zone import read_day, start_of, zone_name
from countinghouse.core.errors import InvalidInput
from countinghouse.core.examples import Example, described
from countinghouse.core.listing.items import Converted, ObjectQuery, Rupees
from countinghouse.core.listing.sql import number, written
from countinghouse.core.masking import Plain, Reference, masked
from countinghouse.core.money import rupees
from countinghouse.core.numbers import shown_number
from countinghouse.core.times import Moment, iso
from countinghouse.purchases.tables import purchases
from countinghouse.users.queries import UserContact

# About 25 pages of paper.
MOST_ROWS = 1000


_Day = Annotated[date, BeforeValidator(read_day)]


class StatementPeriod(BaseModel):
    """Days of the desk's time zone, both included."""

    model_config = ConfigDict(extra="forbid")

    from_: Annotated[_Day, Field(alias="from", description="The first day.")]
    to: Annotated[_Day, Field(description="The last day.")]


@described
class StatementPurchase(TypedDict):
    number: Annotated[Plain, Example("P-10271")]
    createdAt: Annotated[str, Example("2026-11-05T02:52:36.120Z")]
    invest: Annotated[float, Example(5000)]
    upiId: Annotated[Reference, Example("631902345678")]


@described
class StatementPurchases(TypedDict):
    amount: Annotated[float, Example(5000)]
    items: list[StatementPurchase]


@described
class StatementClaim(TypedDict):
    number: Annotated[Plain, Example("C-10482")]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    amount: Annotated[float, Example(500)]
    status: Annotated[Status, Example("Paid")]
    accountNo: Annotated[str, Example("••••5678")]
    bank: Bank
    payout: Annotated[
        Payout | None,
        Example({"at": "2026-11-16T02:52:36.120Z", "by": "asha", "reference": "N319260012345678"}),
    ]


@described
class StatementClaims(TypedDict):
    amount: Annotated[float, Example(500)]
    items: list[StatementClaim]


@described
class ClientStatement(TypedDict):
    """Each claim counts once: a Paid one on the day it was paid, an open one on the day it was requested."""

    user: Annotated[
        UserContact, Example({"_id": "6917e2f4a1b2c3d4e5000001", "username": "Ananya Iyer", "mobile": "••••6092"})
    ]
    firstDay: Annotated[str, Example("2026-11-01")]
    lastDay: Annotated[str, Example("2026-11-30")]
    timeZone: Annotated[str, Example("Asia/Kolkata")]
    at: Annotated[str, Example("2026-12-01T02:52:36.120Z")]
    purchases: StatementPurchases
    paid: StatementClaims
    open: Annotated[StatementClaims, Example({"amount": 0, "items": []})]


def _of_period(own: CTE, at: ColumnElement[Any]) -> Select[Any]:
    """The client's rows with the moment that decides whether they belong to the period. One more than are shown."""
    since, until = bindparam("since", type_=Moment), bindparam("until", type_=Moment)
    return select(own, at.label("counted_at")).where(at >= since, at < until).limit(number(MOST_ROWS + 1))


_bought = rows_of_client(purchases)
_purchases = _of_period(_bought, _bought.c.created_at).subquery("bought")
_PURCHASES = ObjectQuery(
    {
        "number": shown_number(purchases, _purchases),
        "createdAt": _purchases.c.created_at,
        "invest": Rupees(_purchases.c.invest_paise),
        "upiId": _purchases.c.upi_id,
    },
    lambda rows: rows.order_by(_purchases.c.counted_at, _purchases.c.id),
)

_claimed = rows_of_client(claims)
_is_paid = _claimed.c.status == written("Paid")
# The same moment by which the list of claims is filtered. Other programs may have stored a Paid claim without it.
_counted_at = case((_is_paid, func.coalesce(_claimed.c.moved_at, _claimed.c.created_at)), else_=_claimed.c.created_at)
_counted = _is_paid | _claimed.c.status.in_([written(status) for status in IN_FLIGHT])
_claims = _of_period(_claimed, _counted_at).where(_counted).subquery("claimed")
_CLAIMS = ObjectQuery(
    {
        "number": shown_number(claims, _claims),
        "createdAt": _claims.c.created_at,
        "amount": Rupees(_claims.c.amount_paise),
        "status": _claims.c.status,
        "accountNo": Converted(_claims.c.account_no, masked),
        "bank": Converted(_claims.c.ifsc, bank_of),
        **payout_fields(_claims),
    },
    lambda rows: rows.order_by(_claims.c.counted_at, _claims.c.id),
)


def _sum_of(column: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.coalesce(func.sum(column), number(0))


_paid_paise = case((_claims.c.status == written("Paid"), _claims.c.amount_paise), else_=number(0))
_BOUGHT = Statement(select(func.count(), _sum_of(_purchases.c.invest_paise)).select_from(_purchases))
_CLAIMED = Statement(
    select(func.count(), _sum_of(_paid_paise), _sum_of(_claims.c.amount_paise - _paid_paise)).select_from(_claims)
)


async def get_statement(reader: Reader, user_id: str, period: StatementPeriod, at: datetime) -> ClientStatement:
    first, last = period.from_, period.to
    if first > last:
        raise InvalidInput({"to": "The last day is before the first day. Choose a later one."})
    user = await get_user(reader, user_id)
    known = {"user_id": user_id, "since": start_of(first), "until": start_of(last + timedelta(days=1))}
    ((bought, invested),) = await reader.all(_BOUGHT, known)
    ((claimed, paid, in_flight),) = await reader.all(_CLAIMED, known)
    if bought + claimed > MOST_ROWS:
        too_long = f"A statement has at most {MOST_ROWS:,} entries. Choose a shorter period."
        raise InvalidInput({"from": too_long}, "statement_too_long")
    items: list[StatementClaim] = await _CLAIMS.read(reader, known)
    return {
        "user": {"_id": user_id, "username": user["username"], "mobile": masked(user["mobile"])},
        "firstDay": first.isoformat(),
        "lastDay": last.isoformat(),
        "timeZone": zone_name(),
        "at": iso(at),
        "purchases": {"amount": rupees(int(invested)), "items": await _PURCHASES.read(reader, known)},
        "paid": {"amount": rupees(int(paid)), "items": [claim for claim in items if claim["status"] == "Paid"]},
        "open": {"amount": rupees(int(in_flight)), "items": [claim for claim in items if claim["status"] != "Paid"]},
    }
