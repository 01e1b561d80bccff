from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from countinghouse.core.http.pages import PAGE_HEADERS, answer_list, count_list
from countinghouse.core.http.requests import get_database
from countinghouse.core.listing import Exactly
from countinghouse.core.money import rupees
from countinghouse.purchases.queries import (
    PURCHASES,
    Purchase,
    PurchaseChoices,
    PurchaseFilters,
    PurchaseQuery,
    PurchaseTotals,
    read_choices,
)

router = APIRouter(prefix="/api/purchases", tags=["purchases"])


class PurchaseTotalsQuery(PurchaseFilters, Exactly):
    pass


@router.get(
    "/all",
    summary="Client purchases, newest first",
    response_model=list[Purchase],
    responses={200: {"headers": PAGE_HEADERS}},
)
async def list_purchases(request: Request, asked: Annotated[PurchaseQuery, Query()]) -> Response:
    return await answer_list(request, PURCHASES, asked)


@router.get("/totals", summary="How many purchases match, and their sums")
async def total_purchases(request: Request, asked: Annotated[PurchaseTotalsQuery, Query()]) -> PurchaseTotals:
    total = (await count_list(request, PURCHASES, asked, exact=asked.exact))[""]
    invest, daily_income = (rupees(paise) if total.is_exact else None for paise in total.sums)
    return {"count": total.entries, "invest": invest, "dailyIncome": daily_income, "isExact": total.is_exact}


@router.get("/choices", summary="The claim types and QR names in use")
async def list_purchase_choices(request: Request) -> PurchaseChoices:
    return await get_database(request).quick.read(read_choices)
