"""A list as it leaves: whole and streamed, or one page with the way to the next."""

import gzip
import re
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from countinghouse.core.errors import InvalidInput
from countinghouse.core.http.lists import stream_list
from countinghouse.core.http.origins import public_origin
from countinghouse.core.http.requests import get_database
from countinghouse.core.listing import ListFilters, Listing, ListQuery
from countinghouse.core.listing.pages import Page, may_take_long, read_page
from countinghouse.core.listing.totals import Total, is_tallied, read_totals
from countinghouse.core.listing.whole import execute_whole

# For the API's description, where it stands beside the array.
PAGE_HEADERS: dict[str, Any] = {
    "Link": {"description": 'The next page, as <…>; rel="next".', "schema": {"type": "string"}},
    "X-Total-Count": {
        "description": "How many match, on all pages; left out where many do and no tally is kept.",
        "schema": {"type": "integer"},
    },
}


WORTH_PACKING = 1000
_TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")


async def answer_list(request: Request, listing: Listing, asked: ListQuery) -> Response:
    database = get_database(request)
    # Whatever is wrong with what was asked is told before any work begins.
    listing.position(asked)
    if asked.limit is None:
        if asked.skip is not None or asked.cursor is not None:
            asked_for = (name for name in ("cursor", "skip") if getattr(asked, name) is not None)
            raise InvalidInput({name: f"{name} needs a limit." for name in asked_for})
        return await stream_list(database, partial(execute_whole, listing=listing, asked=asked, as_items=True))
    page = await database.quick.read(
        lambda look: read_page(listing, look, asked), may_take_long=may_take_long(listing, asked)
    )
    return page_answer(request, page)


def page_answer(request: Request, page: Page) -> Response:
    headers: dict[str, str] = {}
    if page.total is not None:
        headers["X-Total-Count"] = str(page.total)
    if page.next_cursor is not None:
        headers["Link"] = f'<{_next_page(request, page.next_cursor)}>; rel="next"'
    body = b"[" + b",".join(page.items) + b"]"
    headers["Vary"] = "Accept-Encoding"
    if len(body) > WORTH_PACKING and _TAKES_GZIP.search(request.headers.get("accept-encoding", "")):
        # Rows resemble each other: even the quickest packing leaves a fifth of them.
        body = gzip.compress(body, 1, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(body, media_type="application/json", headers=headers)


async def count_list(
    request: Request, listing: Listing, asked: ListFilters, *, groups: tuple[str, ...] = ("",), exact: bool = False
) -> dict[str, Total]:
    return await get_database(request).quick.read(
        lambda look: read_totals(listing, look, asked, groups, exact), may_take_long=not is_tallied(listing, asked)
    )


def _next_page(request: Request, cursor: str) -> str:
    # A bracket or a quotation mark that came in bare would end the link.
    sent = quote(request.scope["query_string"].decode("latin-1"), safe="%&=+;:@/?!$'()*,~").split("&")
    kept = [pair for pair in sent if pair.partition("=")[0] not in ("cursor", "skip")]
    return f"{public_origin(request)}{request.scope['path']}?{'&'.join([*kept, f'cursor={cursor}'])}"
