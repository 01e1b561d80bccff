from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict

from countinghouse.admins.doors import ActingAdmin
from countinghouse.claims.actions import move_claim
from countinghouse.claims.lifecycle import Target
from countinghouse.claims.queries import CLAIMS, Claim, ClaimQuery, to_claim
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.pages import PAGE_HEADERS, answer_list
from countinghouse.core.http.requests import get_database

router = APIRouter(prefix="/api/claims", tags=["claims"])


class ClaimStatusChange(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "Accepted"}]})

    status: Target


@router.get(
    "/all",
    summary="Withdrawal claims, newest first",
    response_model=list[Claim],
    responses={200: {"headers": PAGE_HEADERS}},
)
def list_claims(request: Request, asked: Annotated[ClaimQuery, Query()]) -> Response:
    return answer_list(request, CLAIMS, asked, to_claim, *asked.conditions())


@router.put(
    "/{claim_id}/status",
    summary="Move a claim to Accepted or Paid",
    responses={404: {"model": ErrorAnswer}, 409: {"model": ErrorAnswer}},
)
def set_claim_status(claim_id: str, asked: ClaimStatusChange, actor: ActingAdmin, request: Request) -> Claim:
    with get_database(request).writing() as connection:
        return move_claim(connection, actor, claim_id, asked.status)
