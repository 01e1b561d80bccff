from fastapi import APIRouter, Request

from countinghouse.admins.doors import ActingAdmin
from countinghouse.claims.details import ClaimDetails, read_details
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.requests import get_database
from countinghouse.core.quick import ConnectionReader
from countinghouse.core.times import now

router = APIRouter(prefix="/api/claims", tags=["claims"])


@router.get(
    "/{claim_id}/details",
    summary="One claim with its history, its client's purchases and claims, and facts worth a look",
    responses={404: {"model": ErrorAnswer}},
)
def read_claim_details(claim_id: str, actor: ActingAdmin, request: Request) -> ClaimDetails:
    # One snapshot, so that lists and sums cannot contradict each other.
    with get_database(request).reading() as connection:
        return read_details(ConnectionReader(connection), actor, claim_id, now())
