from typing import Annotated

from fastapi import Query, Request

from countinghouse.admins.dependencies import desk_router, get_actor
from countinghouse.core.http.list_route import add_list_route
from countinghouse.core.http.pages import count_list
from countinghouse.core.listing import Exactly, ListFilters, ListQuery
from countinghouse.keys.dependencies import anybody_or_reader
from countinghouse.users.queries import USERS, User, UserTotals

router = desk_router("/api/users", "users", needs=get_actor)
# What a key with the scope `read` may read as well.
reading_router = desk_router("/api/users", "users", needs=anybody_or_reader)


class UserTotalsQuery(ListFilters, Exactly):
    pass


add_list_route(reading_router, "", USERS, ListQuery, User, name="list_users", summary="Registered users, newest first")


@router.get("/totals", summary="How many users match")
async def total_users(request: Request, asked: Annotated[UserTotalsQuery, Query()]) -> UserTotals:
    total = (await count_list(request, USERS, asked, exact=asked.exact))[""]
    return {"count": total.entries, "isExact": total.is_exact}
