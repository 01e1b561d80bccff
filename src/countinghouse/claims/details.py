"""Everything an admin should know before deciding on a claim."""

from datetime import datetime

from pydantic import JsonValue, with_config
from sqlalchemy import and_, bindparam, select
from typing_extensions import TypedDict

from countinghouse.audit.actions import Actor
from countinghouse.claims.arithmetic import (
    PURCHASE_EXAMPLE,
    EarningPurchase,
    claimable_paise,
    newest_purchases,
    read_bought,
    read_claimed,
    read_purchases,
)
from countinghouse.claims.client_rows import newest_of, rows_of_client
from countinghouse.claims.evidence import read_evidence
from countinghouse.claims.facts import Fact, find_facts
from countinghouse.claims.lifecycle import Status, Target, moves_from
from countinghouse.claims.queries import CLAIM_EXAMPLE, Claim
from countinghouse.claims.rules import find_refusal
from countinghouse.claims.standing import Standing, get_standing
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.db import Reader, Statement
from countinghouse.core.money import rupees
from countinghouse.core.times import iso, to_moment
from countinghouse.policy.queries import read_policy

MOST_SHOWN = 20

_STEP: dict[str, JsonValue] = {
    "number": 1,
    "from": "Pending",
    "to": "Accepted",
    "by": "asha",
    "at": "2026-11-15T02:52:36.120Z",
    "reason": None,
    "reference": None,
}
_OTHER_CLAIM: dict[str, JsonValue] = {
    "_id": "6917e2f4a1b2c3d4e5000004",
    "createdAt": "2026-11-03T02:52:36.120Z",
    "amount": 500,
    "accountNo": "004512345678",
    "ifsc": "HDFC0001234",
    "status": "Paid",
}
_SUMS: dict[str, JsonValue] = {"earned": 625, "paid": 500, "inFlight": 0, "claimable": 125}
_PURCHASES: dict[str, JsonValue] = {"count": 1, "items": [PURCHASE_EXAMPLE]}
_OTHER_CLAIMS: dict[str, JsonValue] = {"count": 1, "items": [_OTHER_CLAIM]}
_BLOCKED: dict[str, JsonValue] = {
    "status": "Paid",
    "sentence": "You accepted this claim, so somebody else must mark it Paid.",
}

# "from" is a Python keyword, so the class syntax cannot declare it.
TimelineStep = TypedDict(
    "TimelineStep",
    {
        "number": int,
        "from": Status | None,
        "to": Status,
        "by": str | None,
        "at": str,
        "reason": str | None,
        "reference": str | None,
    },
)
with_config(json_schema_extra={"examples": [_STEP]})(TimelineStep)


@with_config(json_schema_extra={"examples": [_PURCHASES]})
class ClientPurchases(TypedDict):
    """Only the newest; `count` is the number of all."""

    count: int
    items: list[EarningPurchase]


@with_config(json_schema_extra={"examples": [_OTHER_CLAIM]})
class OtherClaim(TypedDict):
    _id: str
    createdAt: str
    amount: float
    accountNo: str
    ifsc: str
    status: Status


@with_config(json_schema_extra={"examples": [_OTHER_CLAIMS]})
class OtherClaims(TypedDict):
    """Only the newest; `count` is the number of all."""

    count: int
    items: list[OtherClaim]


@with_config(json_schema_extra={"examples": [_SUMS]})
class Arithmetic(TypedDict):
    """In rupees. `inFlight` is the sum of the client's other open claims."""

    earned: float
    paid: float
    inFlight: float
    claimable: float


@with_config(json_schema_extra={"examples": [_BLOCKED]})
class BlockedMove(TypedDict):
    status: Target
    sentence: str


@with_config(
    json_schema_extra={
        "examples": [
            {
                "claim": CLAIM_EXAMPLE,
                "timeline": [_STEP],
                "purchases": _PURCHASES,
                "otherClaims": _OTHER_CLAIMS,
                "arithmetic": _SUMS,
                "facts": [],
                "blocked": [_BLOCKED],
            }
        ]
    }
)
class ClaimDetails(TypedDict):
    claim: Claim
    timeline: list[TimelineStep]
    purchases: ClientPurchases
    otherClaims: OtherClaims
    arithmetic: Arithmetic
    facts: list[Fact]
    blocked: list[BlockedMove]


_PURCHASES_SHOWN = newest_purchases(MOST_SHOWN)


async def read_details(reader: Reader, actor: Actor, claim_id: str, at: datetime) -> ClaimDetails:
    """As `actor` may see it. Purchases earn until `at`."""
    standing = await get_standing(reader, claim_id)
    claim = standing.claim
    user_id = claim["user"]["_id"]
    bought = await read_bought(reader, user_id, at)
    claimed = await read_claimed(reader, user_id, beside=claim_id)
    claimable = claimable_paise(bought, claimed)
    return {
        "claim": claim,
        "timeline": await _read_timeline(reader, claim),
        "purchases": {
            "count": bought.purchases,
            "items": await read_purchases(reader, _PURCHASES_SHOWN, user_id, at),
        },
        "otherClaims": {"count": claimed.claims - 1, "items": await _read_other_claims(reader, claim)},
        "arithmetic": {
            "earned": rupees(bought.earned_paise),
            "paid": rupees(claimed.paid_paise),
            "inFlight": rupees(claimed.in_flight_paise),
            "claimable": rupees(claimable),
        },
        "facts": find_facts(await read_evidence(reader, standing, claimable)),
        "blocked": await _find_blocked(reader, actor, standing),
    }


_STEPS = Statement(
    select(
        claim_transitions.c.number,
        claim_transitions.c.from_status,
        claim_transitions.c.to_status,
        claim_transitions.c.moved_by,
        claim_transitions.c.moved_at,
        claim_transitions.c.reason,
        payout_references.c.reference,
    )
    .outerjoin_from(
        claim_transitions,
        payout_references,
        and_(
            payout_references.c.claim_id == claim_transitions.c.claim_id,
            payout_references.c.number == claim_transitions.c.number,
        ),
    )
    .where(claim_transitions.c.claim_id == bindparam("claim_id"))
    .order_by(claim_transitions.c.number)
)


async def _read_timeline(reader: Reader, claim: Claim) -> list[TimelineStep]:
    steps: list[TimelineStep] = [
        {
            "number": move_number,
            "from": source,
            "to": target,
            "by": by,
            "at": iso(to_moment(at)),
            "reason": reason,
            "reference": reference,
        }
        for move_number, source, target, by, at, reason, reference in await reader.all(
            _STEPS, {"claim_id": claim["_id"]}
        )
    ]
    # The first status: Pending, unless the claim was imported at a later stage.
    first = steps[0]["from"] if steps else None
    start: TimelineStep = {
        "number": 0,
        "from": None,
        "to": first or claim["status"],
        "by": None,
        "at": claim["createdAt"],
        "reason": None,
        "reference": None,
    }
    return [start, *steps]


_others = rows_of_client(claims)
_OTHER_CLAIMS_SHOWN = Statement(
    newest_of(_others, MOST_SHOWN)
    .with_only_columns(
        _others.c.id,
        _others.c.created_at,
        _others.c.amount_paise,
        _others.c.account_no,
        _others.c.ifsc,
        _others.c.status,
    )
    .where(_others.c.id != bindparam("claim_id"))
)


async def _read_other_claims(reader: Reader, claim: Claim) -> list[OtherClaim]:
    values = {"user_id": claim["user"]["_id"], "claim_id": claim["_id"]}
    return [
        {
            "_id": other_id,
            "createdAt": iso(to_moment(created_at)),
            "amount": rupees(amount_paise),
            "accountNo": account_no,
            "ifsc": ifsc,
            "status": status,
        }
        for other_id, created_at, amount_paise, account_no, ifsc, status in await reader.all(
            _OTHER_CLAIMS_SHOWN, values
        )
    ]


async def _find_blocked(reader: Reader, actor: Actor, standing: Standing) -> list[BlockedMove]:
    policy = await read_policy(reader)
    blocked: list[BlockedMove] = []
    for move in moves_from(standing.status):
        # The admin has yet to type the reference, so a missing one blocks nothing here.
        refusal = find_refusal(move, policy, actor, standing.amount_paise, standing.last_move, has_reference=True)
        if refusal is not None:
            blocked.append({"status": move.target, "sentence": refusal.message})
    return blocked
