from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from countinghouse.core.http.lists import stream_list
from countinghouse.core.http.requests import get_database
from countinghouse.purchases.queries import Purchase, select_purchases, to_purchase

router = APIRouter(prefix="/api/purchases", tags=["purchases"])


@router.get("/all", summary="All client purchases, newest first", response_model=list[Purchase])
def list_purchases(request: Request) -> StreamingResponse:
    return stream_list(get_database(request), select_purchases(), to_purchase)
