from typing import Annotated

from fastapi import Query, Request

from countinghouse.admins.dependencies import SignedIn, desk_router
from countinghouse.core.db import Cost
from countinghouse.core.http.requests import get_database
from countinghouse.home.queries import HomeFigures, read_home
from countinghouse.home.resource import READ

router = desk_router("/api/home", "home", SignedIn(READ))


@router.get("", summary="Today and the last days at a glance")
async def show_home(
    request: Request, days: Annotated[int, Query(ge=1, le=90, description="How many days, today included.")] = 30
) -> HomeFigures:
    # One snapshot, so that a change that is being folded is counted once.
    return await get_database(request).read(lambda reader: read_home(reader, days), Cost.MEDIUM, snapshot=True)
