from typing import Annotated

from countinghouse.complaints.actions import answer_complaint
from countinghouse.complaints.queries import COMPLAINTS, Complaint, ComplaintFilters, ComplaintQuery, ComplaintTotals
from countinghouse.complaints.resource import ANSWER, READ
from fastapi import Query, Request

from countinghouse.admins.dependencies import ActingAdmin, SignedIn, desk_router, needs
from countinghouse.core.http.answers import errors
from countinghouse.core.http.list_route import add_list_route
from countinghouse.core.http.pages import count_list
from countinghouse.core.http.requests import get_database
from countinghouse.core.listing import Exactly

router = desk_router("/api/complaints", "complaints", SignedIn(READ))

add_list_route(
    router, "/all", COMPLAINTS, ComplaintQuery, Complaint, name="list_complaints", summary="Complaints, newest first"
)


class ComplaintTotalsQuery(ComplaintFilters, Exactly):
    pass


@router.get("/totals", summary="How many complaints match")
async def total_complaints(request: Request, asked: Annotated[ComplaintTotalsQuery, Query()]) -> ComplaintTotals:
    total = (await count_list(request, COMPLAINTS, asked, exact=asked.exact))[""]
    return {"count": total.entries, "isExact": total.is_exact}


@router.post(
    "/{complaint_id}/answer",
    status_code=204,
    summary="Answer",
    responses=errors(409),
    dependencies=needs(ANSWER),
)
async def answer(complaint_id: str, actor: ActingAdmin, request: Request) -> None:
    await get_database(request).write(lambda transaction: answer_complaint(transaction, actor, complaint_id))
