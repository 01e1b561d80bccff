from typing import Annotated

import msgspec
from fastapi import Depends, Header, Query, Request, Response
from pydantic import Field

from countinghouse.admins.dependencies import ActingAdmin, CurrentAdmin, SignedIn, desk_router, needs
from countinghouse.admins.factors.step_up import StepUp
from countinghouse.admins.permissions import refuse_unless
from countinghouse.admins.revealing import REVEAL_REFUSED, reveal
from countinghouse.claims.actions import MoveRequest, move_claim
from countinghouse.claims.details import ClaimDetails, read_details
from countinghouse.claims.figures import ClaimTotals, read_figures
from countinghouse.claims.lifecycle import MOVES, STATUSES, Target, permissions_for
from countinghouse.claims.move_keys import Moved
from countinghouse.claims.queries import CLAIMS, Claim, ClaimFilters, ClaimQuery, MatchingClaims
from countinghouse.claims.references import LONGEST_TYPED
from countinghouse.claims.resource import READ, REVEAL
from countinghouse.claims.revealing import RevealedClaim, reveal_claim
from countinghouse.claims.rules import NeedsStepUp, get_current_claim
from countinghouse.claims.seen import MOST_WARNINGS, WarningId
from countinghouse.core.db import Change, Cost
from countinghouse.core.examples import body_examples
from countinghouse.core.http.answers import errors
from countinghouse.core.http.list_route import add_list_route
from countinghouse.core.http.pages import SEARCH_REFUSED, count_list
from countinghouse.core.http.requests import get_database, hides_numbers
from countinghouse.core.idempotency import checked_key
from countinghouse.core.inputs import LARGEST_INTEGER, Body, PlainText, at_most
from countinghouse.core.listing import Exactly
from countinghouse.core.listing.counting import sum_of
from countinghouse.core.listing.tallied import Total
from countinghouse.core.money import rupees
from countinghouse.core.times import now
from countinghouse.keys.dependencies import ReadingActor, SignedInOrReader

ALREADY_MOVED_AT = "Already-Moved-At"

router = desk_router("/api/claims", "claims", SignedIn(READ))
# What a key with the scope `read` may read as well.
reading_router = desk_router("/api/claims", "claims", SignedInOrReader(READ))
_PAY_STEP_UP = StepUp("claims.pay", always=False)


class ClaimTotalsQuery(ClaimFilters, Exactly):
    pass


class ClaimStatusChange(Body):
    model_config = body_examples(
        {"status": "Accepted"},
        {"status": "Paid", "version": 1, "reference": "N319260012345678", "seen": ["first_payout:0"]},
    )

    status: Target
    version: Annotated[int | None, Field(ge=0, le=LARGEST_INTEGER, description="The version that the admin saw.")] = (
        None
    )
    reason: Annotated[PlainText | None, Field(min_length=1, max_length=500)] = None
    reference: Annotated[
        PlainText | None,
        Field(min_length=1, max_length=LONGEST_TYPED, description="The bank's reference for the payout."),
    ] = None
    seen: Annotated[
        list[WarningId] | None,
        Field(
            fail_fast=True,
            description="The ids of the facts that the admin saw, as in the details of the claim. If it has another "
            "one by now, or one got worse, it is not paid. Without this field, facts are not compared.",
        ),
        at_most(MOST_WARNINGS),
    ] = None


IdempotencyKey = Annotated[
    str | None,
    Header(alias="Idempotency-Key", description="A unique key for this move. A retry with the same key moves nothing."),
]


@router.put(
    "/{claim_id}/status",
    summary="Move a claim",
    response_model=Claim,
    dependencies=[*needs(*{move.permission: None for move in MOVES}), Depends(_PAY_STEP_UP)],
    responses={
        200: {
            "headers": {
                ALREADY_MOVED_AT: {
                    "description": "When you made this same move earlier. Nothing was moved by this call.",
                    "schema": {"type": "string", "format": "date-time"},
                }
            }
        },
        **errors(404, 409),
    },
)
async def set_claim_status(
    claim_id: str,
    asked: ClaimStatusChange,
    admin: CurrentAdmin,
    actor: ActingAdmin,
    request: Request,
    key: IdempotencyKey = None,
) -> Response:
    refuse_unless(admin.role, permissions_for(asked.status))
    wish = MoveRequest(
        asked.status,
        asked.version,
        asked.reason,
        asked.reference,
        key if key is None else checked_key(key),
        seen=None if asked.seen is None else tuple(asked.seen),
    )

    async def move(*, has_stepped_up: bool) -> Moved:
        database = get_database(request)

        async def move_once(change: Change) -> Moved:
            return await move_claim(change, actor, claim_id, wish, has_stepped_up=has_stepped_up)

        # A move is one statement. What is read before it about other claims belongs into the same transaction.
        return await (database.change(move_once) if wish.seen is None else database.write(move_once))

    try:
        moved = await move(has_stepped_up=not admin.has_factor)
    except NeedsStepUp:
        await _PAY_STEP_UP.demand(request)
        moved = await move(has_stepped_up=True)
    headers = {} if moved.already_at is None else {ALREADY_MOVED_AT: moved.already_at}
    return Response(msgspec.json.encode(moved.claim), media_type="application/json", headers=headers)


add_list_route(
    reading_router, "/all", CLAIMS, ClaimQuery, Claim, name="list_claims", summary="Withdrawal claims, newest first"
)


@router.get(
    "/totals",
    summary="How many claims match, and their sum, also by status; and the figures of all claims",
    responses=SEARCH_REFUSED,
)
async def total_claims(request: Request, asked: Annotated[ClaimTotalsQuery, Query()]) -> ClaimTotals:
    totals = await count_list(request, CLAIMS, asked, groups=STATUSES, exact=asked.exact)
    whole = totals[asked.status] if asked.status else sum_of(totals.values())
    return {
        **_shown(whole),
        "byStatus": [{"status": status, **_shown(totals[status])} for status in STATUSES],
        "figures": await get_database(request).read_list(read_figures, Cost.MEDIUM),
    }


def _shown(total: Total) -> MatchingClaims:
    amount = rupees(total.sums[0]) if total.is_exact else None
    return {"count": total.entries, "amount": amount, "isExact": total.is_exact}


@router.post(
    "/{claim_id}/reveal",
    summary="The claim's whole account and mobile numbers",
    responses=REVEAL_REFUSED,
    dependencies=needs(REVEAL),
)
async def reveal_claim_numbers(claim_id: str, request: Request) -> RevealedClaim:
    return await reveal(request, lambda transaction, actor: reveal_claim(transaction, actor, claim_id))


@reading_router.get("/{claim_id}", summary="One claim", responses=errors(404))
async def read_claim(claim_id: str, request: Request) -> Claim:
    found = await get_database(request).read(lambda reader: get_current_claim(reader, claim_id))
    return found.claim


@reading_router.get(
    "/{claim_id}/details",
    summary="One claim with its history, its client's purchases and claims, and facts worth a look",
    responses=errors(404),
)
async def read_claim_details(claim_id: str, actor: ReadingActor, request: Request) -> ClaimDetails:
    # One snapshot, so that lists and sums cannot contradict each other.
    return await get_database(request).read(
        lambda reader: read_details(reader, actor, claim_id, now(), hides_numbers=hides_numbers(request)),
        Cost.MEDIUM,
        snapshot=True,
    )
