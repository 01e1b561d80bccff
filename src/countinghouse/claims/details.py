"""Everything an admin should know before deciding on a claim."""

from datetime import datetime

from sqlalchemy import and_, bindparam
from typing_extensions import TypedDict

from countinghouse.audit.actions import Actor
from countinghouse.claims.arithmetic import (
    EarningPurchase,
    claimable_paise,
    newest,
    newest_purchases,
    read_bought,
    read_claimed,
    rows_of_client,
)
from countinghouse.claims.evidence import read_evidence
from countinghouse.claims.facts import Fact, find_facts
from countinghouse.claims.lifecycle import Status, Target, moves_from
from countinghouse.claims.queries import Claim
from countinghouse.claims.rules import Standing, find_refusal, get_standing
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.db import Reader
from countinghouse.core.examples import example, example_of
from countinghouse.core.listing.items import ObjectQuery, Rupees
from countinghouse.core.money import rupees
from countinghouse.policy.queries import read_policy

MOST_SHOWN = 20

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
_ACCEPTED = {"number": 1, "from": "Pending", "to": "Accepted", "by": "asha", "at": "2026-11-15T02:52:36.120Z"}
example(**_ACCEPTED, reason=None, reference=None)(TimelineStep)


@example(count=1, items=[example_of(EarningPurchase)])
class ClientPurchases(TypedDict):
    """Only the newest; `count` is the number of all."""

    count: int
    items: list[EarningPurchase]


@example(
    _id="6917e2f4a1b2c3d4e5000004",
    createdAt="2026-11-03T02:52:36.120Z",
    amount=500,
    accountNo="004512345678",
    ifsc="HDFC0001234",
    status="Paid",
)
class OtherClaim(TypedDict):
    _id: str
    createdAt: str
    amount: float
    accountNo: str
    ifsc: str
    status: Status


@example(count=1, items=[example_of(OtherClaim)])
class OtherClaims(TypedDict):
    """Only the newest; `count` is the number of all."""

    count: int
    items: list[OtherClaim]


@example(earned=625, paid=500, inFlight=0, claimable=125)
class Arithmetic(TypedDict):
    """In rupees. `inFlight` is the sum of the client's other open claims."""

    earned: float
    paid: float
    inFlight: float
    claimable: float


@example(status="Paid", sentence="You accepted this claim, so somebody else must mark it Paid.")
class BlockedMove(TypedDict):
    status: Target
    sentence: str


@example(
    claim=example_of(Claim),
    timeline=[example_of(TimelineStep)],
    purchases=example_of(ClientPurchases),
    otherClaims=example_of(OtherClaims),
    arithmetic=example_of(Arithmetic),
    facts=[],
    blocked=[example_of(BlockedMove)],
)
class ClaimDetails(TypedDict):
    claim: Claim
    timeline: list[TimelineStep]
    purchases: ClientPurchases
    otherClaims: OtherClaims
    arithmetic: Arithmetic
    facts: list[Fact]
    blocked: list[BlockedMove]


_PURCHASES = newest_purchases(MOST_SHOWN)

_step = claim_transitions.c
_is_its_reference = and_(payout_references.c.claim_id == _step.claim_id, payout_references.c.number == _step.number)
_TIMELINE = ObjectQuery(
    {
        "number": _step.number,
        "from": _step.from_status,
        "to": _step.to_status,
        "by": _step.moved_by,
        "at": _step.moved_at,
        "reason": _step.reason,
        "reference": payout_references.c.reference,
    },
    lambda steps: (
        steps.outerjoin_from(claim_transitions, payout_references, _is_its_reference)
        .where(_step.claim_id == bindparam("claim_id"))
        .order_by(_step.number)
    ),
)

_others = rows_of_client(claims)
_OTHER_CLAIMS = ObjectQuery(
    {
        "_id": _others.c.id,
        "createdAt": _others.c.created_at,
        "amount": Rupees(_others.c.amount_paise),
        "accountNo": _others.c.account_no,
        "ifsc": _others.c.ifsc,
        "status": _others.c.status,
    },
    lambda rows: newest(rows, _others, MOST_SHOWN).where(_others.c.id != bindparam("claim_id")),
)


async def read_details(reader: Reader, actor: Actor, claim_id: str, at: datetime) -> ClaimDetails:
    """As `actor` may see it. Purchases earn until `at`."""
    standing = await get_standing(reader, claim_id)
    claim = standing.claim
    user_id = claim["user"]["_id"]
    bought = await read_bought(reader, user_id, at)
    claimed = await read_claimed(reader, user_id, beside=claim_id)
    claimable = claimable_paise(bought, claimed)
    others = await _OTHER_CLAIMS.read(reader, {"user_id": user_id, "claim_id": claim_id})
    return {
        "claim": claim,
        "timeline": await _read_timeline(reader, claim),
        "purchases": {
            "count": bought.purchases,
            "items": await _PURCHASES.read(reader, {"user_id": user_id, "at": at}),
        },
        "otherClaims": {"count": claimed.claims - 1, "items": others},
        "arithmetic": {
            "earned": rupees(bought.earned_paise),
            "paid": rupees(claimed.paid_paise),
            "inFlight": rupees(claimed.in_flight_paise),
            "claimable": rupees(claimable),
        },
        "facts": find_facts(await read_evidence(reader, standing, claimable)),
        "blocked": await _find_blocked(reader, actor, standing),
    }


async def _read_timeline(reader: Reader, claim: Claim) -> list[TimelineStep]:
    steps: list[TimelineStep] = await _TIMELINE.read(reader, {"claim_id": claim["_id"]})
    # The first status: Pending, unless the claim was imported at a later stage.
    first = steps[0]["from"] if steps else None
    nobody: TimelineStep = {
        "number": 0,
        "from": None,
        "to": first or claim["status"],
        "by": None,
        "at": claim["createdAt"],
        "reason": None,
        "reference": None,
    }
    return [nobody, *steps]


async def _find_blocked(reader: Reader, actor: Actor, standing: Standing) -> list[BlockedMove]:
    policy = await read_policy(reader)
    blocked: list[BlockedMove] = []
    for move in moves_from(standing.status):
        # The admin has yet to type the reference, so a missing one blocks nothing here.
        refusal = find_refusal(move, policy, actor, standing.amount_paise, standing.last_move, has_reference=True)
        if refusal is not None:
            blocked.append({"status": move.target, "sentence": refusal.message})
    return blocked
