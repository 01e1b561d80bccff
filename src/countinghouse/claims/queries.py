"""Reading claims."""

from typing import Annotated, Any, Literal, NotRequired

import msgspec
from pydantic import Field
from sqlalchemy import FromClause, Select, and_, bindparam, case, func, select
from typing_extensions import TypedDict

from countinghouse.banks.queries import Bank, bank_of
from countinghouse.claims.lifecycle import STATUSES, Status, Target, Tone, moves_from
from countinghouse.claims.reached import ReachedFilters
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
from countinghouse.core.listing.query import PeriodEnd, PeriodStart
from countinghouse.core.listing.sql import moment_text, written
from countinghouse.core.masking import Holds, Plain, Reference, WholeNumber
from countinghouse.core.numbers import Numbered, letter_of, shown_number
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
    isUndo: Annotated[bool, Example(False)]
    tone: Annotated[Tone, Example("neutral")]
    permission: Annotated[str, Example("claims.accept")]


def next_moves(status: Status) -> tuple[NextMove, ...]:
    return tuple(
        {
            "to": move.target,
            "label": move.verb,
            "needsReason": move.needs_reason,
            "isUndo": move.is_undo,
            "tone": move.tone,
            "permission": move.permission.name,
        }
        for move in moves_from(status)
    )


@described
class Payout(TypedDict):
    at: Annotated[str, Example("2026-11-16T02:52:36.120Z")]
    by: Annotated[str, Example("asha")]
    reference: Annotated[Reference | None, Example("N319260012345678")]


@described
class Claim(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000003")]
    number: Annotated[Plain, Example("C-10482")]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    user: Annotated[
        UserContact, Example({"_id": "6917e2f4a1b2c3d4e5000001", "username": "Ananya Iyer", "mobile": "9805756092"})
    ]
    purchase: Annotated[ClaimPurchase, Example({"invest": 5000})]
    amount: Annotated[float, Example(1937.5)]
    accountNo: Annotated[WholeNumber, Example("004512345678")]
    ifsc: Annotated[str, Example("HDFC0001234")]
    bank: Bank
    address: Annotated[str, Example("14 MG Road, Kochi 682016")]
    status: Annotated[Status, Example("Pending")]
    version: Annotated[int, Example(0)]
    moves: Annotated[tuple[NextMove, ...], Holds.NOTHING, Example([*next_moves("Pending")])]
    # Below: in lists only if asked for. The payout is null unless the claim is Paid.
    payout: NotRequired[Annotated[Payout | None, Example(None)]]
    qrName: NotRequired[Annotated[str, Example("Desk 1")]]
    clientSince: NotRequired[Annotated[str, Example("2026-11-01T02:52:36.120Z")]]
    # The service's own id; null if the claim did not come through the intake.
    externalId: NotRequired[Annotated[Reference | None, Example("c-1001")]]


# Encoded once: they are half of a page, and the same for every claim with a status.
_MOVES = {status: msgspec.Raw(msgspec.json.encode(next_moves(status))) for status in STATUSES}


def claim_fields(claim: FromClause) -> Fields:
    return {
        "_id": claim.c.id,
        "number": shown_number(claims, claim),
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
        "moves": Choice(claim.c.status, _MOVES),
    }


def payout_fields(claim: FromClause) -> Fields:
    """Two lookups for each Paid claim, and none for others."""
    is_paid = claim.c.status == written("Paid")
    payout = claim_transitions.alias("payout")
    its_reference = and_(
        payout_references.c.claim_id == payout.c.claim_id, payout_references.c.number == payout.c.number
    )
    # In one text, because a column costs more than its length. Neither a moment nor a reference contains a space.
    parts = moment_text(payout.c.moved_at), payout.c.moved_by, func.coalesce(payout_references.c.reference, written(""))
    made = (
        select(parts[0] + written(" ") + parts[1] + written(" ") + parts[2])
        .select_from(payout.outerjoin(payout_references, its_reference))
        .where(
            payout.c.claim_id == claim.c.id,
            payout.c.payout_round == claim.c.payout_round,
            payout.c.to_status == written("Paid"),
        )
        .correlate(claim)
        .scalar_subquery()
    )
    return {"payout": Converted(case((is_paid, made)).label("payout"), _read_payout)}


def _read_payout(text: str) -> Payout:
    at, _, rest = text.partition(" ")
    by, _, reference = rest.rpartition(" ")
    return {"at": at, "by": by, "reference": reference or None}


def all_fields(claim: FromClause) -> Fields:
    since = users.c.created_at.label("client_since")
    ours = {"qrName": purchases.c.qr_name, "clientSince": since}
    return {**payout_fields(claim), **ours, "externalId": claim.c.external_id}


# True for every claim. It lets a query without a status use the index that begins with the status to find a moment.
_ANY_STATUS = claims.c.status.in_([written(status) for status in STATUSES])


class ClaimFilters(Numbered, ListFilters, AmountRange, ReachedFilters):
    letter = letter_of(claims)

    status: Annotated[
        Status | None,
        Field(description="Only claims with this status."),
        Filter(lambda _: claims.c.status == bindparam("status")),
    ] = None
    moved_from: Annotated[
        PeriodStart | None,
        Field(alias="movedFrom", description="Last moved at or after this moment, or on this day or later."),
        Filter(lambda _: and_(_ANY_STATUS, claims.c.moved_at >= bindparam("moved_from", type_=Moment)), narrows=True),
    ] = None
    moved_to: Annotated[
        PeriodEnd | None,
        Field(alias="movedTo", description="Last moved before this moment, or on this day or earlier."),
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
    more_fields={"payout": payout_fields, "more": all_fields},
    amount_paise=claims.c.amount_paise,
    searched=(claims.c.account_no, claims.c.ifsc),
    identifying=(claims.c.external_id,),
    parents=(
        Parent(users, claims.c.user_id, searched=(users.c.username, users.c.mobile)),
        Parent(purchases, claims.c.purchase_id),
    ),
    children=(Child(payout_references, payout_references.c.claim_id, searched=(payout_references.c.reference,)),),
)


class ClaimQuery(ClaimFilters, ListQuery):
    with_: Annotated[
        Literal["payout", "more"] | None,
        Field(
            alias="with",
            description="`payout`: also the payout of each Paid claim; `more`: the QR name, `clientSince` and "
            "`externalId` as well.",
        ),
    ] = None

    @property
    def more(self) -> str | None:
        return self.with_


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


# The move that brought a claim to its status.
IS_LAST_MOVE = and_(
    claim_transitions.c.claim_id == claims.c.id,
    claim_transitions.c.number == claims.c.version,
    claim_transitions.c.to_status == claims.c.status,
)


_IN_FULL = CLAIMS.with_more["more"]


def select_claim(claim: FromClause) -> Select[Any]:
    """With all fields."""
    return _IN_FULL.select_rows(claim)


def read_claim(cells: tuple[Any, ...]) -> Claim:
    """What `select_claim` selects."""
    claim: Claim = _IN_FULL.items.as_dict(cells)
    return claim


def claim_not_found() -> NotFound:
    return NotFound("claim_not_found", "There is no such claim. Reload the list.")
