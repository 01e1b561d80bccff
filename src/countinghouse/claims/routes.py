from typing import Annotated

import msgspec
from fastapi import Header, Query, Request, Response
from pydantic import BaseModel, Field

from countinghouse.admins.dependencies import ActingAdmin, desk_router
from countinghouse.claims.actions import MoveRequest, move_claim
from countinghouse.claims.details import ClaimDetails, read_details
from countinghouse.claims.lifecycle import STATUSES, Target
from countinghouse.claims.move_keys import checked_key
from countinghouse.claims.queries import CLAIMS, Claim, ClaimFilters, ClaimQuery, ClaimTotals, MatchingClaims
from countinghouse.claims.queues import Queue, read_queues
from countinghouse.claims.references import LONGEST_TYPED
from countinghouse.claims.rules import get_standing
from countinghouse.core.db import Cost
from countinghouse.core.examples import body_config
from countinghouse.core.http.answers import errors
from countinghouse.core.http.list_route import add_list_route
from countinghouse.core.http.pages import count_list
from countinghouse.core.http.requests import get_database
from countinghouse.core.inputs import PlainText
from countinghouse.core.listing import Exactly
from countinghouse.core.listing.counting import sum_of
from countinghouse.core.listing.query import PossibleMoment
from countinghouse.core.listing.tallied import Total
from countinghouse.core.money import rupees
from countinghouse.core.times import now
from countinghouse.keys.dependencies import ReadingActor, admin_or_reader

ALREADY_MOVED_AT = "Already-Moved-At"
# The largest value that the column can store.
LARGEST_VERSION = 2**31 - 1

router = desk_router("/api/claims", "claims")
# What a key with the scope `read` may read as well.
reading_router = desk_router("/api/claims", "claims", needs=admin_or_reader)


class ClaimTotalsQuery(ClaimFilters, Exactly):
    pass


class ClaimStatusChange(BaseModel):
    model_config = body_config(
        {"status": "Accepted"}, {"status": "Paid", "version": 1, "reference": "N319260012345678"}
    )

    status: Target
    version: Annotated[
        int | None, Field(strict=True, ge=0, le=LARGEST_VERSION, description="The version that the admin saw.")
    ] = None
    reason: Annotated[PlainText | None, Field(min_length=1, max_length=500)] = None
    reference: Annotated[
        PlainText | None,
        Field(min_length=1, max_length=LONGEST_TYPED, description="The bank's reference for the payout."),
    ] = None


IdempotencyKey = Annotated[
    str | None,
    Header(alias="Idempotency-Key", description="A unique key for this move. A retry with the same key moves nothing."),
]


@router.put(
    "/{claim_id}/status",
    summary="Move a claim",
    response_model=Claim,
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
    claim_id: str, asked: ClaimStatusChange, actor: ActingAdmin, request: Request, key: IdempotencyKey = None
) -> Response:
    wish = MoveRequest(
        asked.status, asked.version, asked.reason, asked.reference, key if key is None else checked_key(key)
    )
    moved = await get_database(request).change(lambda change: move_claim(change, actor, claim_id, wish))
    headers = {} if moved.already_at is None else {ALREADY_MOVED_AT: moved.already_at}
    return Response(msgspec.json.encode(moved.claim), media_type="application/json", headers=headers)


add_list_route(
    reading_router, "/all", CLAIMS, ClaimQuery, Claim, name="list_claims", summary="Withdrawal claims, newest first"
)


@router.get("/totals", summary="How many claims match, and their sum, also by status")
async def total_claims(request: Request, asked: Annotated[ClaimTotalsQuery, Query()]) -> ClaimTotals:
    totals = await count_list(request, CLAIMS, asked, groups=STATUSES, exact=asked.exact)
    whole = totals[asked.status] if asked.status else sum_of(totals.values())
    return {
        **_shown(whole),
        "byStatus": [{"status": status, **_shown(totals[status])} for status in STATUSES],
    }


def _shown(total: Total) -> MatchingClaims:
    amount = rupees(total.sums[0]) if total.is_exact else None
    return {"count": total.entries, "amount": amount, "isExact": total.is_exact}


@router.get("/queues", summary="Claims that are waiting, and claims paid today")
async def list_queues(
    request: Request, since: Annotated[PossibleMoment | None, Query(description="The start of your day.")] = None
) -> list[Queue]:
    # A `since` long ago means counting many rows.
    return await get_database(request).read(lambda reader: read_queues(reader, since), Cost.MEDIUM)


@reading_router.get("/{claim_id}", summary="One claim", responses=errors(404))
async def read_claim(claim_id: str, request: Request) -> Claim:
    return (await get_database(request).read(lambda reader: get_standing(reader, claim_id))).claim


@reading_router.get(
    "/{claim_id}/details",
    summary="One claim with its history, its client's purchases and claims, and facts worth a look",
    responses=errors(404),
)
async def read_claim_details(claim_id: str, actor: ReadingActor, request: Request) -> ClaimDetails:
    # One snapshot, so that lists and sums cannot contradict each other.
    return await get_database(request).read(
        lambda reader: read_details(reader, actor, claim_id, now()), Cost.MEDIUM, snapshot=True
    )
