from functools import reduce
from operator import add
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

from countinghouse.admins.doors import ActingAdmin
from countinghouse.claims.actions import move_claim
from countinghouse.claims.lifecycle import STATUSES, Target
from countinghouse.claims.queries import CLAIMS, Claim, ClaimFilters, ClaimQuery, ClaimTotals, get_claim
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.pages import PAGE_HEADERS, answer_list, count_list
from countinghouse.core.http.requests import get_database
from countinghouse.core.listing import Exactly
from countinghouse.core.listing.totals import Total
from countinghouse.core.money import rupees

router = APIRouter(prefix="/api/claims", tags=["claims"])


class ClaimTotalsQuery(ClaimFilters, Exactly):
    pass


class _Shown(TypedDict):
    count: int
    amount: float | None
    isExact: bool


class ClaimStatusChange(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "Accepted"}]})

    status: Target


@router.put(
    "/{claim_id}/status",
    summary="Move a claim to Accepted or Paid",
    response_model=Claim,
    responses={404: {"model": ErrorAnswer}, 409: {"model": ErrorAnswer}},
)
async def set_claim_status(claim_id: str, asked: ClaimStatusChange, actor: ActingAdmin, request: Request) -> Response:
    moved = await get_database(request).quick.change(lambda change: move_claim(change, actor, claim_id, asked.status))
    return Response(msgspec.json.encode(moved), media_type="application/json")


@router.get(
    "/all",
    summary="Withdrawal claims, newest first",
    response_model=list[Claim],
    responses={200: {"headers": PAGE_HEADERS}},
)
async def list_claims(request: Request, asked: Annotated[ClaimQuery, Query()]) -> Response:
    return await answer_list(request, CLAIMS, asked)


@router.get("/totals", summary="How many claims match, and their sum, also by status")
async def total_claims(request: Request, asked: Annotated[ClaimTotalsQuery, Query()]) -> ClaimTotals:
    totals = await count_list(request, CLAIMS, asked, groups=STATUSES, exact=asked.exact)
    whole = totals[asked.status] if asked.status else reduce(add, totals.values())
    return {
        **_shown(whole),
        "byStatus": [{"status": status, **_shown(totals[status])} for status in STATUSES],
    }


def _shown(total: Total) -> _Shown:
    amount = rupees(total.sums[0]) if total.is_exact else None
    return {"count": total.entries, "amount": amount, "isExact": total.is_exact}


@router.get("/{claim_id}", summary="One claim", responses={404: {"model": ErrorAnswer}})
async def read_claim(claim_id: str, request: Request) -> Claim:
    return await get_database(request).quick.read(lambda look: get_claim(look, claim_id))
