"""Responses for lists: the whole list as a stream, or one page with a link to the next."""

import gzip
import re
from typing import Any
from urllib.parse import quote, unquote_plus

from starlette.requests import Request
from starlette.responses import Response

from countinghouse.core.db import Cost
from countinghouse.core.errors import InvalidInput
from countinghouse.core.http.lists import stream_list
from countinghouse.core.http.origins import public_origin
from countinghouse.core.http.requests import get_database
from countinghouse.core.listing import ListFilters, Listing, ListQuery
from countinghouse.core.listing.counting import read_totals
from countinghouse.core.listing.pages import Page, cost_of_page, read_page
from countinghouse.core.listing.tallied import Total, is_tallied
from countinghouse.core.listing.whole import choose_whole

# The headers of a page, for the OpenAPI description.
PAGE_HEADERS: dict[str, Any] = {
    "Link": {"description": 'The next page, as <…>; rel="next".', "schema": {"type": "string"}},
    "X-Total-Count": {
        "description": "How many rows match, on all pages. Omitted when many match and no count is kept.",
        "schema": {"type": "integer"},
    },
}


WORTH_PACKING = 1000
_PLAIN = re.compile(r"[A-Za-z0-9_.%&=+:-]*")
_VARY = b"vary", b"Accept-Encoding"
_JSON = b"content-type", b"application/json"
_TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")


async def answer_list(request: Request, listing: Listing, asked: ListQuery) -> Response:
    database = get_database(request)
    if asked.limit is None:
        # Refuses an invalid sort order before any work begins.
        listing.order(asked.sort)
        if asked.skip is not None or asked.cursor is not None:
            asked_for = (name for name in ("cursor", "skip") if getattr(asked, name) is not None)
            raise InvalidInput({name: f"{name} needs a limit." for name in asked_for})
        return await stream_list(database, lambda reader: choose_whole(reader, listing, asked), listing.items.as_json)
    page = await database.read(lambda reader: read_page(listing, reader, asked), cost_of_page(listing, asked))
    return PageAnswer(request, page, public_origin(request))


class PageAnswer(Response):
    """Builds the encoded headers itself: encoding them in the base class would cost more than building them."""

    def __init__(self, request: Request, page: Page, origin: str) -> None:
        body = page.body
        headers: list[tuple[bytes, bytes]] = []
        if page.total is not None:
            headers.append((b"x-total-count", b"%d" % page.total))
        if page.next_cursor is not None:
            headers.append((b"link", _next_page(request, page.next_cursor, origin)))
        headers.append(_VARY)
        if len(body) > WORTH_PACKING and _TAKES_GZIP.search(request.headers.get("accept-encoding", "")):
            # Rows resemble each other: even the fastest compression leaves a fifth of the size.
            body = gzip.compress(body, 1, mtime=0)
            headers.append((b"content-encoding", b"gzip"))
        self.status_code = 200
        self.background = None
        self.body = body
        self.raw_headers = [*headers, (b"content-length", b"%d" % len(body)), _JSON]


async def count_list(
    request: Request, listing: Listing, asked: ListFilters, *, groups: tuple[str, ...] = ("",), exact: bool = False
) -> dict[str, Total]:
    return await get_database(request).read(
        lambda reader: read_totals(listing, reader, asked, groups, exact),
        Cost.SHORT if is_tallied(listing, asked) else Cost.LONG,
    )


def _next_page(request: Request, cursor: str, origin: str) -> bytes:
    query = request.scope["query_string"].decode("latin-1")
    if not _PLAIN.fullmatch(query):
        # An unescaped bracket or quotation mark would end the link.
        query = quote(query, safe="%&=+;:@/?!$'()*,~")
    kept = [pair for pair in query.split("&") if unquote_plus(pair.partition("=")[0]) not in ("cursor", "skip")]
    address = f"{origin}{request.scope['path']}?{'&'.join([*kept, f'cursor={cursor}'])}"
    return f'<{address}>; rel="next"'.encode("latin-1")
