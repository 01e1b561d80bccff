from fastapi import Request

from countinghouse.admins.dependencies import ActingAdmin, desk_router
from countinghouse.claims.details import ClaimDetails, read_details
from countinghouse.core.db import Cost
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.requests import get_database
from countinghouse.core.times import now

router = desk_router("/api/claims", "claims")


@router.get(
    "/{claim_id}/details",
    summary="One claim with its history, its client's purchases and claims, and facts worth a look",
    responses={404: {"model": ErrorAnswer}},
)
async def read_claim_details(claim_id: str, actor: ActingAdmin, request: Request) -> ClaimDetails:
    # One snapshot, so that lists and sums cannot contradict each other.
    return await get_database(request).read(
        lambda reader: read_details(reader, actor, claim_id, now()), Cost.MEDIUM, snapshot=True
    )
