"""Everything an admin should know before deciding on a claim."""

from datetime import datetime
from typing import Annotated

from sqlalchemy import and_, bindparam
from typing_extensions import TypedDict

from countinghouse.audit.actions import Actor
from countinghouse.claims.arithmetic import (
    Arithmetic,
    EarningPurchase,
    newest,
    newest_purchases,
    read_sums,
    rows_of_client,
)
from countinghouse.claims.evidence import read_evidence
from countinghouse.claims.facts import Fact, find_facts
from countinghouse.claims.lifecycle import Status, Target, moves_from
from countinghouse.claims.queries import Claim
from countinghouse.claims.rules import CurrentClaim, find_refusal, find_returned_by, get_current_claim
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.db import Reader
from countinghouse.core.examples import Example, described
from countinghouse.core.listing.items import ObjectQuery, Rupees
from countinghouse.core.masking import Plain, WholeNumber
from countinghouse.core.numbers import shown_number
from countinghouse.policy.queries import read_policy

MOST_SHOWN = 20

# "from" is a Python keyword, so the class syntax cannot declare it.
TimelineStep = TypedDict(
    "TimelineStep",
    {
        "number": Annotated[int, Example(1)],
        "from": Annotated[Status | None, Example("Pending")],
        "to": Annotated[Status, Example("Accepted")],
        "by": Annotated[str | None, Example("asha")],
        "at": Annotated[str, Example("2026-11-15T02:52:36.120Z")],
        "reason": Annotated[str | None, Example(None)],
        "reference": Annotated[str | None, Example(None)],
    },
)
described(TimelineStep)


@described
class ClientPurchases(TypedDict):
    """Only the newest; `count` is the number of all."""

    count: Annotated[int, Example(1)]
    items: list[EarningPurchase]


@described
class OtherClaim(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000004")]
    number: Annotated[Plain, Example("C-10311")]
    createdAt: Annotated[str, Example("2026-11-03T02:52:36.120Z")]
    amount: Annotated[float, Example(500)]
    accountNo: Annotated[WholeNumber, Example("004512345678")]
    ifsc: Annotated[str, Example("HDFC0001234")]
    status: Annotated[Status, Example("Paid")]


@described
class OtherClaims(TypedDict):
    """Only the newest; `count` is the number of all."""

    count: Annotated[int, Example(1)]
    items: list[OtherClaim]


@described
class BlockedMove(TypedDict):
    status: Annotated[Target, Example("Paid")]
    sentence: Annotated[str, Example("You accepted this claim, so somebody else must mark it Paid.")]


@described
class ClaimDetails(TypedDict):
    claim: Claim
    timeline: list[TimelineStep]
    purchases: ClientPurchases
    otherClaims: OtherClaims
    arithmetic: Arithmetic
    facts: Annotated[list[Fact], Example([])]
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
        "number": shown_number(claims, _others),
        "createdAt": _others.c.created_at,
        "amount": Rupees(_others.c.amount_paise),
        "accountNo": _others.c.account_no,
        "ifsc": _others.c.ifsc,
        "status": _others.c.status,
    },
    lambda rows: newest(rows, _others, MOST_SHOWN).where(_others.c.id != bindparam("claim_id")),
)


async def read_details(
    reader: Reader, actor: Actor, claim_id: str, at: datetime, *, hides_numbers: bool = False
) -> ClaimDetails:
    """As `actor` may see it. Purchases earn until `at`."""
    current = await get_current_claim(reader, claim_id)
    claim = current.claim
    user_id = claim["user"]["_id"]
    sums = await read_sums(reader, user_id, at, beside=claim_id)
    others = await _OTHER_CLAIMS.read(reader, {"user_id": user_id, "claim_id": claim_id})
    shown = await _PURCHASES.read(reader, {"user_id": user_id, "at": at})
    return {
        "claim": claim,
        "timeline": await _read_timeline(reader, claim),
        "purchases": {"count": sums.purchases, "items": shown},
        "otherClaims": {"count": sums.claims - 1, "items": others},
        "arithmetic": sums.in_rupees(),
        "facts": find_facts(await read_evidence(reader, current, sums.claimable, hides_numbers=hides_numbers)),
        "blocked": await _find_blocked(reader, actor, current),
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


async def _find_blocked(reader: Reader, actor: Actor, current: CurrentClaim) -> list[BlockedMove]:
    policy = await read_policy(reader)
    returned_by = await find_returned_by(reader, actor, current)
    blocked: list[BlockedMove] = []
    for move in moves_from(current.status):
        # The admin has yet to type the reference, so a missing one blocks nothing here.
        refusal = find_refusal(
            move, policy, actor, current.amount_paise, current.last_move, has_reference=True, returned_by=returned_by
        )
        if refusal is not None:
            blocked.append({"status": move.target, "sentence": refusal.message})
    return blocked
