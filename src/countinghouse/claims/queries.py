"""Reading claims."""

from typing import Annotated, Any

from pydantic import Field, with_config
from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, select, type_coerce
from typing_extensions import TypedDict

from countinghouse.claims.lifecycle import MOVES, Status, Target
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.errors import NotFound
from countinghouse.core.ids import is_id
from countinghouse.core.listing import Listing, ListQuery
from countinghouse.core.money import rupees
from countinghouse.core.times import MomentText
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


def select_claims() -> Select[Any]:
    """Each with its user and its purchase."""
    return (
        select(
            claims.c.id,
            type_coerce(claims.c.created_at, MomentText).label("created_at"),
            users.c.username,
            users.c.mobile,
            purchases.c.invest_paise,
            claims.c.amount_paise,
            claims.c.account_no,
            claims.c.ifsc,
            claims.c.address,
            claims.c.status,
        )
        .join_from(claims, users, claims.c.user_id == users.c.id)
        .join(purchases, claims.c.purchase_id == purchases.c.id)
    )


CLAIMS = Listing(
    select_claims(),
    id=claims.c.id,
    created_at=claims.c.created_at,
    sorts={
        "createdAt": claims.c.created_at,
        "username": users.c.username,
        "mobile": users.c.mobile,
        "invest": purchases.c.invest_paise,
        "amount": claims.c.amount_paise,
        "accountNo": claims.c.account_no,
        "ifsc": claims.c.ifsc,
        "address": claims.c.address,
        "status": claims.c.status,
    },
    searched=(users.c.username, users.c.mobile, claims.c.account_no, claims.c.ifsc),
)


class ClaimQuery(ListQuery):
    status: Annotated[Status | None, Field(description="Only claims that are this.")] = None

    def conditions(self) -> tuple[ColumnElement[bool], ...]:
        return () if self.status is None else (claims.c.status == self.status,)


_ONE_CLAIM = select_claims().where(claims.c.id == bindparam("claim_id"))
_STATUS = select(claims.c.status).where(claims.c.id == bindparam("claim_id"))
_MOVE_TO = select(claim_transitions).where(
    claim_transitions.c.claim_id == bindparam("claim_id"),
    claim_transitions.c.to_status == bindparam("status"),
)


def to_claim(row: Row[Any]) -> Claim:
    status: Status = row.status
    return {
        "_id": row.id,
        "createdAt": row.created_at,
        "user": {"username": row.username, "mobile": row.mobile},
        "purchase": {"invest": rupees(row.invest_paise)},
        "amount": rupees(row.amount_paise),
        "accountNo": row.account_no,
        "ifsc": row.ifsc,
        "address": row.address,
        "status": status,
        "moves": MOVES[status],
    }


def get_claim(connection: Connection, claim_id: str) -> Claim:
    return to_claim(connection.execute(_ONE_CLAIM, {"claim_id": claim_id}).one())


def get_status(connection: Connection, claim_id: str) -> Status:
    status: Status | None = None
    if is_id(claim_id):
        status = connection.execute(_STATUS, {"claim_id": claim_id}).scalar_one_or_none()
    if status is None:
        raise NotFound("claim_not_found", "There is no such claim. Reload the list.")
    return status


def find_move_to(connection: Connection, claim_id: str, status: Status) -> Row[Any] | None:
    """Who brought the claim to this status; nobody, where it began there or came with imported data."""
    return connection.execute(_MOVE_TO, {"claim_id": claim_id, "status": status}).first()
