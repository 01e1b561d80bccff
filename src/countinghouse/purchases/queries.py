"""Reading purchases."""

from collections import defaultdict
from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import Column, FromClause, and_, bindparam, func, select
from typing_extensions import TypedDict

from countinghouse.core.db import Reader, Statement
from countinghouse.core.examples import Example, described
from countinghouse.core.inputs import PlainText
from countinghouse.core.listing import AmountRange, Filter, ListFilters, Listing, ListQuery, Order, Parent, Tallies
from countinghouse.core.listing.items import Choice, Fields, Rupees
from countinghouse.core.listing.sql import number, written
from countinghouse.core.masking import Plain, Reference
from countinghouse.core.numbers import Numbered, letter_of, shown_number
from countinghouse.purchases.findings import FINDINGS, Finding
from countinghouse.purchases.tables import purchase_tallies, purchases
from countinghouse.users.queries import UserContact
from countinghouse.users.tables import users


@described
class Purchase(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000002")]
    number: Annotated[Plain, Example("P-10271")]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    user: Annotated[
        UserContact, Example({"_id": "6917e2f4a1b2c3d4e5000001", "username": "Ananya Iyer", "mobile": "9805756092"})
    ]
    invest: Annotated[float, Example(5000)]
    dailyIncome: Annotated[float, Example(62.5)]
    upiId: Annotated[Reference, Example("631902345678")]
    claimType: Annotated[str, Example("Daily")]
    qrName: Annotated[str, Example("Desk 1")]
    findings: Annotated[list[Finding], Example([])]
    isChecked: Annotated[bool, Example(False)]
    checkedBy: Annotated[str | None, Example(None)]
    checkedAt: Annotated[str | None, Example(None)]
    checkedNote: Annotated[str | None, Example(None)]


# By the stored codes: any number of them, or NULL.
_IS_CHECKED: defaultdict[int | None, bool] = defaultdict(lambda: True, {None: False})


def purchase_fields(purchase: FromClause) -> Fields:
    return {
        "_id": purchase.c.id,
        "number": shown_number(purchases, purchase),
        "createdAt": purchase.c.created_at,
        "user": {"_id": users.c.id, "username": users.c.username, "mobile": users.c.mobile},
        "invest": Rupees(purchase.c.invest_paise),
        "dailyIncome": Rupees(purchase.c.daily_income_paise),
        "upiId": purchase.c.upi_id,
        "claimType": purchase.c.claim_type,
        "qrName": purchase.c.qr_name,
        "findings": Choice(purchase.c.findings, FINDINGS),
        # False again once another kind of finding appears; the three others tell of the last time.
        "isChecked": Choice(purchase.c.checked_codes, _IS_CHECKED),
        "checkedBy": purchase.c.checked_by,
        "checkedAt": purchase.c.checked_at,
        "checkedNote": purchase.c.checked_note,
    }


_Choice = Annotated[PlainText | None, Field(min_length=1, max_length=80)]


class PurchaseFilters(Numbered, ListFilters, AmountRange):
    letter = letter_of(purchases)

    claim_type: Annotated[
        _Choice,
        Field(alias="claimType", description="Only purchases of this claim type."),
        Filter(lambda _: purchases.c.claim_type == bindparam("claim_type")),
    ] = None
    qr_name: Annotated[
        _Choice,
        Field(alias="qrName", description="Only purchases paid to this QR code."),
        Filter(lambda _: purchases.c.qr_name == bindparam("qr_name")),
    ] = None
    findings: Annotated[
        Literal["only"] | None,
        Field(description="Only purchases with findings, such as a transaction ID that was used before."),
        # Written exactly as in its partial index, which covers only those rows.
        Filter(lambda _: purchases.c.findings != written(""), narrows=True),
    ] = None
    review: Annotated[
        Literal["only"] | None,
        Field(description="Only purchases with findings that nobody has checked yet."),
        Filter(lambda _: and_(purchases.c.findings != written(""), purchases.c.checked_codes.is_(None)), narrows=True),
    ] = None


PURCHASES = Listing(
    purchases,
    Tallies(purchase_tallies, sums=("invest_paise", "daily_income_paise")),
    purchase_fields,
    orders={
        "createdAt": Order((purchases.c.created_at, purchases.c.id)),
        "username": Order((users.c.username, users.c.id, purchases.c.id), via=users),
        "mobile": Order((users.c.mobile, users.c.id, purchases.c.id), via=users),
        "invest": Order((purchases.c.invest_paise, purchases.c.id)),
        "dailyIncome": Order((purchases.c.daily_income_paise, purchases.c.id)),
        "upiId": Order((purchases.c.upi_id, purchases.c.id)),
        "claimType": Order((purchases.c.claim_type, purchases.c.created_at, purchases.c.id)),
        "qrName": Order((purchases.c.qr_name, purchases.c.created_at, purchases.c.id)),
    },
    query=PurchaseFilters,
    amount_paise=purchases.c.invest_paise,
    searched=(purchases.c.upi_id,),
    identifying=(purchases.c.external_id,),
    parents=(Parent(users, purchases.c.user_id, searched=(users.c.username, users.c.mobile)),),
)


class PurchaseQuery(PurchaseFilters, ListQuery):
    pass


@described
class PurchaseTotals(TypedDict):
    count: Annotated[int, Example(2)]
    invest: Annotated[float | None, Example(10000)]
    dailyIncome: Annotated[float | None, Example(125)]
    isExact: Annotated[bool, Example(True)]


@described
class PurchaseChoices(TypedDict):
    """The values that the filters can have."""

    claimType: Annotated[list[str], Example(["Daily", "Weekly"])]
    qrName: Annotated[list[str], Example(["Desk 1", "Desk 2"])]


def _each_value(column: Column[str]) -> Statement:
    """Skips from value to value through the index, instead of reading every row."""
    values = select(func.min(column).label("value")).cte("each_value", recursive=True)
    following = select(func.min(column)).where(column > values.c.value).scalar_subquery()
    values = values.union_all(select(following).where(values.c.value.is_not(None)))
    return Statement(select(values.c.value).where(values.c.value.is_not(None)).limit(number(MOST_CHOICES)))


# Nobody uses a longer menu; the search does that better.
MOST_CHOICES = 500

_CLAIM_TYPES = _each_value(purchases.c.claim_type)
_QR_NAMES = _each_value(purchases.c.qr_name)


async def read_choices(reader: Reader) -> PurchaseChoices:
    return {
        "claimType": [value for (value,) in await reader.all(_CLAIM_TYPES, {})],
        "qrName": [value for (value,) in await reader.all(_QR_NAMES, {})],
    }
