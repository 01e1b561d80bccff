from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response

from countinghouse.admins.dependencies import ActingAdmin, SignedIn, desk_router, needs
from countinghouse.admins.permissions import NUMBERS
from countinghouse.core.db import Cost
from countinghouse.core.http.answers import errors
from countinghouse.core.http.list_route import add_list_route
from countinghouse.core.http.pages import SEARCH_REFUSED, count_list
from countinghouse.core.http.requests import get_database
from countinghouse.core.listing import Exactly
from countinghouse.core.money import rupees
from countinghouse.keys.dependencies import SignedInOrReader
from countinghouse.purchases.details import PurchaseDetails, get_proof, read_details
from countinghouse.purchases.queries import (
    PURCHASES,
    Purchase,
    PurchaseChoices,
    PurchaseFilters,
    PurchaseQuery,
    PurchaseTotals,
    read_choices,
)
from countinghouse.purchases.resource import CHECK, READ
from countinghouse.purchases.settling import FindingsChecked, reopen_findings, settle_findings

router = desk_router("/api/purchases", "purchases", SignedIn(READ))
# What a key with the scope `read` may read as well.
reading_router = desk_router("/api/purchases", "purchases", SignedInOrReader(READ))


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


@router.get("/totals", summary="How many purchases match, and their sums", responses=SEARCH_REFUSED)
async def total_purchases(request: Request, asked: Annotated[PurchaseTotalsQuery, Query()]) -> PurchaseTotals:
    total = (await count_list(request, PURCHASES, asked, exact=asked.exact))[""]
    invest, daily_income = (rupees(paise) if total.is_exact else None for paise in total.sums)
    return {"count": total.entries, "invest": invest, "dailyIncome": daily_income, "isExact": total.is_exact}


@router.get("/choices", summary="The claim types and QR names in use")
async def list_purchase_choices(request: Request) -> PurchaseChoices:
    return await get_database(request).read(read_choices)


@router.get(
    "/{purchase_id}/details",
    summary="One purchase, and the purchases that its findings are about",
    responses=errors(404),
)
async def read_purchase_details(purchase_id: str, request: Request) -> PurchaseDetails:
    return await get_database(request).read(lambda reader: read_details(reader, purchase_id), Cost.MEDIUM)


@router.get(
    "/{purchase_id}/proof",
    summary="The payment proof of a purchase, a picture",
    # A picture cannot be masked, and most show account or mobile numbers.
    dependencies=needs(NUMBERS),
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}, "description": "The picture"}, **errors(404)},
)
async def show_purchase_proof(purchase_id: str, request: Request) -> Response:
    content = await get_database(request).read(lambda reader: get_proof(reader, purchase_id), Cost.MEDIUM)
    return Response(content, media_type="image/jpeg")


@router.put(
    "/{purchase_id}/checked",
    summary="Settle the findings of a purchase",
    responses=errors(404, 409),
    dependencies=needs(CHECK),
)
async def check_purchase_findings(
    purchase_id: str, asked: FindingsChecked, actor: ActingAdmin, request: Request
) -> Purchase:
    return await get_database(request).write(
        lambda transaction: settle_findings(transaction, actor, purchase_id, asked)
    )


@router.delete(
    "/{purchase_id}/checked",
    summary="The findings of a purchase need review again",
    responses=errors(404),
    dependencies=needs(CHECK),
)
async def reopen_purchase_findings(purchase_id: str, actor: ActingAdmin, request: Request) -> Purchase:
    return await get_database(request).write(lambda transaction: reopen_findings(transaction, actor, purchase_id))
