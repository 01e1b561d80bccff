"""Reading claims."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, JsonValue, with_config
from sqlalchemy import FromClause, bindparam, select
from typing_extensions import TypedDict

from countinghouse.claims.lifecycle import MOVES, Status, Target
from countinghouse.claims.tables import claim_tallies, claim_transitions, claims
from countinghouse.core.errors import NotFound
from countinghouse.core.ids import is_id
from countinghouse.core.listing import (
    AMOUNTS,
    AmountRange,
    ListFilters,
    Listing,
    ListQuery,
    Order,
    Parent,
    Tallies,
    amount_between,
    created_between,
)
from countinghouse.core.listing.items import Choice, Fields, Rupees
from countinghouse.core.quick import Look, Statement
from countinghouse.core.times import to_moment
from countinghouse.purchases.tables import purchases
from countinghouse.users.queries import UserContact
from countinghouse.users.tables import users


class ClaimPurchase(TypedDict):
    invest: float


@with_config(
    json_schema_extra={
        "examples": [
            {
                "_id": "6917e2f4a1b2c3d4e5000003",
                "createdAt": "2026-11-15T02:52:36.120Z",
                "user": {"username": "Ananya Iyer", "mobile": "9805756092"},
                "purchase": {"invest": 5000},
                "amount": 1937.5,
                "accountNo": "004512345678",
                "ifsc": "HDFC0001234",
                "address": "14 MG Road, Kochi 682016",
                "status": "Pending",
                "moves": ["Accepted"],
            }
        ]
    }
)
class Claim(TypedDict):
    _id: str
    createdAt: str
    user: UserContact
    purchase: ClaimPurchase
    amount: float
    accountNo: str
    ifsc: str
    address: str
    status: Status
    moves: tuple[Target, ...]


def claim_fields(claim: FromClause) -> Fields:
    return {
        "_id": claim.c.id,
        "createdAt": claim.c.created_at,
        "user": {"username": users.c.username, "mobile": users.c.mobile},
        "purchase": {"invest": Rupees(purchases.c.invest_paise)},
        "amount": Rupees(claim.c.amount_paise),
        "accountNo": claim.c.account_no,
        "ifsc": claim.c.ifsc,
        "address": claim.c.address,
        "status": claim.c.status,
        "moves": Choice(claim.c.status, MOVES),
    }


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
    filters={
        **created_between(claims),
        **amount_between(claims.c.amount_paise),
        "status": claims.c.status == bindparam("status"),
    },
    narrowing=AMOUNTS,
    searched=(claims.c.account_no, claims.c.ifsc),
    parents=(
        Parent(users, claims.c.user_id, searched=(users.c.username, users.c.mobile)),
        Parent(purchases, claims.c.purchase_id),
    ),
)


class ClaimFilters(ListFilters, AmountRange):
    status: Annotated[Status | None, Field(description="Only claims that are this.")] = None


class ClaimQuery(ClaimFilters, ListQuery):
    pass


_TOTAL: dict[str, JsonValue] = {"count": 2, "amount": 3875, "isExact": True}


@with_config(json_schema_extra={"examples": [{"status": "Pending", **_TOTAL}]})
class StatusTotal(TypedDict):
    status: Status
    count: int
    amount: float | None
    isExact: bool


@with_config(json_schema_extra={"examples": [{**_TOTAL, "byStatus": [{"status": "Pending", **_TOTAL}]}]})
class ClaimTotals(TypedDict):
    count: int
    amount: float | None
    isExact: bool
    byStatus: list[StatusTotal]


_ONE_CLAIM = Statement(CLAIMS.select_rows(claims).where(claims.c.id == bindparam("claim_id")))
_MOVE_TO = Statement(
    select(claim_transitions.c.moved_by, claim_transitions.c.moved_at).where(
        claim_transitions.c.claim_id == bindparam("claim_id"),
        claim_transitions.c.to_status == bindparam("status"),
    )
)


def get_claim(look: Look, claim_id: str) -> Claim:
    found = look.all(_ONE_CLAIM, {"claim_id": claim_id}) if is_id(claim_id) else []
    if not found:
        raise NotFound("claim_not_found", "There is no such claim. Reload the list.")
    return read_claim(found[0])


def read_claim(cells: tuple[Any, ...]) -> Claim:
    claim: Claim = CLAIMS.items.as_dict(cells)
    return claim


@dataclass(frozen=True, slots=True)
class Move:
    moved_by: str
    moved_at: datetime


def find_move_to(look: Look, claim_id: str, status: Status) -> Move | None:
    """Who brought the claim to this status; nobody, where it began there or came with imported data."""
    found = look.all(_MOVE_TO, {"claim_id": claim_id, "status": status})
    return Move(found[0][0], to_moment(found[0][1])) if found else None
