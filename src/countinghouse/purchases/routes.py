from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from countinghouse.core.http.pages import PAGE_HEADERS, answer_list
from countinghouse.core.listing import ListQuery
from countinghouse.purchases.queries import PURCHASES, Purchase, to_purchase

router = APIRouter(prefix="/api/purchases", tags=["purchases"])


@router.get(
    "/all",
    summary="Client purchases, newest first",
    response_model=list[Purchase],
    responses={200: {"headers": PAGE_HEADERS}},
)
def list_purchases(request: Request, asked: Annotated[ListQuery, Query()]) -> Response:
    return answer_list(request, PURCHASES, asked, to_purchase)
