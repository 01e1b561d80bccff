from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from countinghouse.core.http.pages import PAGE_HEADERS, answer_list
from countinghouse.core.listing import ListQuery
from countinghouse.users.queries import USERS, User, to_user

router = APIRouter(prefix="/api/users", tags=["users"])


@router.get(
    "",
    summary="Registered users, newest first",
    response_model=list[User],
    responses={200: {"headers": PAGE_HEADERS}},
)
def list_users(request: Request, asked: Annotated[ListQuery, Query()]) -> Response:
    return answer_list(request, USERS, asked, to_user)
