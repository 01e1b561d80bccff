from typing import Annotated

from fastapi import Query, Request

from countinghouse.admins.dependencies import SignedInOrTokenless, desk_router
from countinghouse.core.http.list_route import add_list_route
from countinghouse.core.http.pages import SEARCH_REFUSED, count_list
from countinghouse.core.listing import Exactly, ListFilters, ListQuery
from countinghouse.keys.dependencies import SignedInOrReader
from countinghouse.users.queries import USERS, User, UserTotals
from countinghouse.users.resource import READ

router = desk_router("/api/users", "users", SignedInOrTokenless(READ))
# What a key with the scope `read` may read as well.
reading_router = desk_router("/api/users", "users", SignedInOrReader(READ, SignedInOrTokenless))


class UserTotalsQuery(ListFilters, Exactly):
    pass


add_list_route(reading_router, "", USERS, ListQuery, User, name="list_users", summary="Registered users, newest first")


@router.get("/totals", summary="How many users match", responses=SEARCH_REFUSED)
async def total_users(request: Request, asked: Annotated[UserTotalsQuery, Query()]) -> UserTotals:
    total = (await count_list(request, USERS, asked, exact=asked.exact))[""]
    return {"count": total.entries, "isExact": total.is_exact}
