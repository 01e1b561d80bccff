from typing import Annotated

from fastapi import Query, Request

from countinghouse.admins.dependencies import desk_router
from countinghouse.core.http.list_route import add_list_route
from countinghouse.core.http.pages import count_list
from countinghouse.core.http.requests import get_database
from countinghouse.core.listing import Exactly
from countinghouse.core.money import rupees
from countinghouse.keys.dependencies import admin_or_reader
from countinghouse.purchases.queries import (
    PURCHASES,
    Purchase,
    PurchaseChoices,
    PurchaseFilters,
    PurchaseQuery,
    PurchaseTotals,
    read_choices,
)

router = desk_router("/api/purchases", "purchases")
# What a key with the scope `read` may read as well.
reading_router = desk_router("/api/purchases", "purchases", needs=admin_or_reader)


class PurchaseTotalsQuery(PurchaseFilters, Exactly):
    pass


add_list_route(
    reading_router,
    "/all",
    PURCHASES,
    PurchaseQuery,
    Purchase,
    name="list_purchases",
    summary="Client purchases, newest first",
)


@router.get("/totals", summary="How many purchases match, and their sums")
async def total_purchases(request: Request, asked: Annotated[PurchaseTotalsQuery, Query()]) -> PurchaseTotals:
    total = (await count_list(request, PURCHASES, asked, exact=asked.exact))[""]
    invest, daily_income = (rupees(paise) if total.is_exact else None for paise in total.sums)
    return {"count": total.entries, "invest": invest, "dailyIncome": daily_income, "isExact": total.is_exact}


@router.get("/choices", summary="The claim types and QR names in use")
async def list_purchase_choices(request: Request) -> PurchaseChoices:
    return await get_database(request).read(read_choices)
