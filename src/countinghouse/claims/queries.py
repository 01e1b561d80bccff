"""Reading claims."""

from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import FromClause, and_, bindparam
from typing_extensions import TypedDict

from countinghouse.banks.queries import Bank, bank_of
from countinghouse.claims.lifecycle import STATUSES, Status, Target, Tone, moves_from
from countinghouse.claims.tables import claim_tallies, claim_transitions, claims, payout_references
from countinghouse.core.errors import NotFound
from countinghouse.core.examples import Example, described
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


@described
class NextMove(TypedDict):
    """What a client needs to offer a move."""

    to: Annotated[Target, Example("Accepted")]
    label: Annotated[str, Example("Accept")]
    needsReason: Annotated[bool, Example(False)]
    tone: Annotated[Tone, Example("neutral")]


def next_moves(status: Status) -> tuple[NextMove, ...]:
    return tuple(
        {"to": move.target, "label": move.verb, "needsReason": move.needs_reason, "tone": move.tone}
        for move in moves_from(status)
    )


@described
class Claim(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000003")]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    user: Annotated[
        UserContact, Example({"_id": "6917e2f4a1b2c3d4e5000001", "username": "Ananya Iyer", "mobile": "9805756092"})
    ]
    purchase: Annotated[ClaimPurchase, Example({"invest": 5000})]
    amount: Annotated[float, Example(1937.5)]
    accountNo: Annotated[str, Example("004512345678")]
    ifsc: Annotated[str, Example("HDFC0001234")]
    bank: Bank
    address: Annotated[str, Example("14 MG Road, Kochi 682016")]
    status: Annotated[Status, Example("Pending")]
    version: Annotated[int, Example(0)]
    moves: Annotated[tuple[NextMove, ...], Example([*next_moves("Pending")])]


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


class MatchingClaims(TypedDict):
    count: Annotated[int, Example(2)]
    amount: Annotated[float | None, Example(3875)]
    isExact: Annotated[bool, Example(True)]


@described
class StatusTotal(TypedDict):
    status: Annotated[Status, Example("Pending")]
    count: Annotated[int, Example(2)]
    amount: Annotated[float | None, Example(3875)]
    isExact: Annotated[bool, Example(True)]


@described
class ClaimTotals(MatchingClaims):
    byStatus: list[StatusTotal]


# The move that brought a claim to its status.
IS_LAST_MOVE = and_(
    claim_transitions.c.claim_id == claims.c.id,
    claim_transitions.c.number == claims.c.version,
    claim_transitions.c.to_status == claims.c.status,
)


def read_claim(cells: tuple[Any, ...]) -> Claim:
    claim: Claim = CLAIMS.items.as_dict(cells)
    return claim


def claim_not_found() -> NotFound:
    return NotFound("claim_not_found", "There is no such claim. Reload the list.")
