from countinghouse.complaints.actions import answer_complaint
from countinghouse.complaints.queries import COMPLAINTS, Complaint, ComplaintQuery
from fastapi import Request

from countinghouse.admins.dependencies import ActingAdmin, desk_router
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.list_route import add_list_route
from countinghouse.core.http.requests import get_database

router = desk_router("/api/complaints", "complaints")

add_list_route(
    router, "/all", COMPLAINTS, ComplaintQuery, Complaint, name="list_complaints", summary="Complaints, newest first"
)


@router.post("/{complaint_id}/answer", status_code=204, summary="Answer", responses={409: {"model": ErrorAnswer}})
async def answer(complaint_id: str, actor: ActingAdmin, request: Request) -> None:
    await get_database(request).write(lambda transaction: answer_complaint(transaction, actor, complaint_id))
