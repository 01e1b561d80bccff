"""Reading claims."""

from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import FromClause, and_, bindparam
from typing_extensions import TypedDict

from countinghouse.banks.queries import BANK_EXAMPLE, Bank, bank_of
from countinghouse.claims.lifecycle import STATUSES, Status, Target, Tone, moves_from
from countinghouse.claims.tables import claim_tallies, claim_transitions, claims, payout_references
from countinghouse.core.db import Reader, Statement
from countinghouse.core.errors import NotFound
from countinghouse.core.examples import example, example_of
from countinghouse.core.ids import is_id
from countinghouse.core.listing import (
    AmountRange,
    Child,
    Filter,
    ListFilters,
    Listing,
    ListQuery,
    Order,
    Parent,
    Tallies,
)
from countinghouse.core.listing.items import Choice, Converted, Fields, Rupees
from countinghouse.core.listing.query import PossibleMoment
from countinghouse.core.listing.sql import written
from countinghouse.core.times import Moment
from countinghouse.purchases.tables import purchases
from countinghouse.users.queries import UserContact
from countinghouse.users.tables import users


class ClaimPurchase(TypedDict):
    invest: float


@example(to="Accepted", label="Accept", needsReason=False, tone="neutral")
class NextMove(TypedDict):
    """What a client needs to offer a move."""

    to: Target
    label: str
    needsReason: bool
    tone: Tone


def next_moves(status: Status) -> tuple[NextMove, ...]:
    return tuple(
        {"to": move.target, "label": move.verb, "needsReason": move.needs_reason, "tone": move.tone}
        for move in moves_from(status)
    )


@example(
    _id="6917e2f4a1b2c3d4e5000003",
    createdAt="2026-11-15T02:52:36.120Z",
    user={"_id": "6917e2f4a1b2c3d4e5000001", "username": "Ananya Iyer", "mobile": "9805756092"},
    purchase={"invest": 5000},
    amount=1937.5,
    accountNo="004512345678",
    ifsc="HDFC0001234",
    bank=BANK_EXAMPLE,
    address="14 MG Road, Kochi 682016",
    status="Pending",
    version=0,
    moves=[*next_moves("Pending")],
)
class Claim(TypedDict):
    _id: str
    createdAt: str
    user: UserContact
    purchase: ClaimPurchase
    amount: float
    accountNo: str
    ifsc: str
    bank: Bank
    address: str
    status: Status
    version: int
    moves: tuple[NextMove, ...]


def claim_fields(claim: FromClause) -> Fields:
    return {
        "_id": claim.c.id,
        "createdAt": claim.c.created_at,
        "user": {"_id": users.c.id, "username": users.c.username, "mobile": users.c.mobile},
        "purchase": {"invest": Rupees(purchases.c.invest_paise)},
        "amount": Rupees(claim.c.amount_paise),
        "accountNo": claim.c.account_no,
        "ifsc": claim.c.ifsc,
        "bank": Converted(claim.c.ifsc, bank_of),
        "address": claim.c.address,
        "status": claim.c.status,
        "version": claim.c.version,
        "moves": Choice(claim.c.status, {status: next_moves(status) for status in STATUSES}),
    }


# True for every claim. It lets a query without a status use the index that begins with the status to find a moment.
_ANY_STATUS = claims.c.status.in_([written(status) for status in STATUSES])


class ClaimFilters(ListFilters, AmountRange):
    status: Annotated[
        Status | None,
        Field(description="Only claims with this status."),
        Filter(lambda _: claims.c.status == bindparam("status")),
    ] = None
    moved_from: Annotated[
        PossibleMoment | None,
        Field(alias="movedFrom", description="Last moved at or after this moment."),
        Filter(lambda _: and_(_ANY_STATUS, claims.c.moved_at >= bindparam("moved_from", type_=Moment)), narrows=True),
    ] = None
    moved_to: Annotated[
        PossibleMoment | None,
        Field(alias="movedTo", description="Last moved before this moment."),
        Filter(lambda _: and_(_ANY_STATUS, claims.c.moved_at < bindparam("moved_to", type_=Moment)), narrows=True),
    ] = None


CLAIMS = Listing(
    claims,
    Tallies(claim_tallies, sums=("amount_paise",), group="status"),
    claim_fields,
    orders={
        "createdAt": Order((claims.c.created_at, claims.c.id)),
        "username": Order((users.c.username, users.c.id, claims.c.id), via=users),
        "mobile": Order((users.c.mobile, users.c.id, claims.c.id), via=users),
        "invest": Order((purchases.c.invest_paise, purchases.c.id, claims.c.id), via=purchases),
        "amount": Order((claims.c.amount_paise, claims.c.id)),
        "accountNo": Order((claims.c.account_no, claims.c.id)),
        "ifsc": Order((claims.c.ifsc, claims.c.id)),
        "address": Order((claims.c.address, claims.c.id)),
        "status": Order((claims.c.status, claims.c.created_at, claims.c.id)),
    },
    query=ClaimFilters,
    amount_paise=claims.c.amount_paise,
    searched=(claims.c.account_no, claims.c.ifsc),
    parents=(
        Parent(users, claims.c.user_id, searched=(users.c.username, users.c.mobile)),
        Parent(purchases, claims.c.purchase_id),
    ),
    children=(Child(payout_references, payout_references.c.claim_id, searched=(payout_references.c.reference,)),),
)


class ClaimQuery(ClaimFilters, ListQuery):
    pass


@example(status="Pending", count=2, amount=3875, isExact=True)
class StatusTotal(TypedDict):
    status: Status
    count: int
    amount: float | None
    isExact: bool


@example(count=2, amount=3875, isExact=True, byStatus=[example_of(StatusTotal)])
class ClaimTotals(TypedDict):
    count: int
    amount: float | None
    isExact: bool
    byStatus: list[StatusTotal]


# The move that brought a claim to its status.
IS_LAST_MOVE = and_(
    claim_transitions.c.claim_id == claims.c.id,
    claim_transitions.c.number == claims.c.version,
    claim_transitions.c.to_status == claims.c.status,
)

_ONE_CLAIM = Statement(CLAIMS.select_rows(claims).where(claims.c.id == bindparam("claim_id")))


async def get_claim(reader: Reader, claim_id: str) -> Claim:
    found = await reader.all(_ONE_CLAIM, {"claim_id": claim_id}) if is_id(claim_id) else []
    if not found:
        raise claim_not_found()
    return read_claim(found[0])


def read_claim(cells: tuple[Any, ...]) -> Claim:
    claim: Claim = CLAIMS.items.as_dict(cells)
    return claim


def claim_not_found() -> NotFound:
    return NotFound("claim_not_found", "There is no such claim. Reload the list.")
