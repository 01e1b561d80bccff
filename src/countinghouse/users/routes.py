from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from countinghouse.core.http.pages import PAGE_HEADERS, answer_list, count_list
from countinghouse.core.listing import Exactly, ListFilters, ListQuery
from countinghouse.users.queries import USERS, User, UserTotals

router = APIRouter(prefix="/api/users", tags=["users"])


class UserTotalsQuery(ListFilters, Exactly):
    pass


@router.get(
    "",
    summary="Registered users, newest first",
    response_model=list[User],
    responses={200: {"headers": PAGE_HEADERS}},
)
async def list_users(request: Request, asked: Annotated[ListQuery, Query()]) -> Response:
    return await answer_list(request, USERS, asked)


@router.get("/totals", summary="How many users match")
async def total_users(request: Request, asked: Annotated[UserTotalsQuery, Query()]) -> UserTotals:
    total = (await count_list(request, USERS, asked, exact=asked.exact))[""]
    return {"count": total.entries, "isExact": total.is_exact}
