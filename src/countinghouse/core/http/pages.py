"""Responses for lists: the whole list as a stream, or one page with a link to the next."""

import gzip
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any
from urllib.parse import quote, unquote_plus

from anyio import CancelScope
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from countinghouse.core.db import Chosen, Cost, Database, Reader, Rows
from countinghouse.core.errors import InvalidInput
from countinghouse.core.http.answers import described_error
from countinghouse.core.http.requests import accepts, get_database, hides_numbers, public_origin
from countinghouse.core.http.routers import Answers
from countinghouse.core.http.sealed_cursors import open_cursor, seal_cursor
from countinghouse.core.listing import ListFilters, Listing, ListQuery
from countinghouse.core.listing.counting import read_totals
from countinghouse.core.listing.pages import Page, cost_of_page, read_page
from countinghouse.core.listing.tallied import Total, is_tallied
from countinghouse.core.listing.whole import choose_whole
from countinghouse.core.masked_answers import AnswerMask
from countinghouse.core.masking import may_be_number

# The headers of a page, for the OpenAPI description.
PAGE_HEADERS: dict[str, Any] = {
    "Link": {"description": 'The next page, as <…>; rel="next".', "schema": {"type": "string"}},
    "X-Total-Count": {
        "description": "How many rows match, on all pages. Omitted when many match and no count is kept.",
        "schema": {"type": "integer"},
    },
}

# For the OpenAPI description of whatever is `as_searched`.
SEARCH_REFUSED: Answers = {
    429: described_error("Too many searches for whole numbers by an admin who sees them masked; see Retry-After")
}

# A whole list is streamed: a million rows use the memory of one chunk.
ROWS_A_CHUNK = 1000
WORTH_PACKING = 1000
_PLAIN = re.compile(r"[A-Za-z0-9_.%&=+:-]*")
_VARY = b"vary", b"Accept-Encoding"
_JSON = b"content-type", b"application/json"
AsJson = Callable[[Sequence[tuple[Any, ...]]], bytes]


async def answer_list(request: Request, listing: Listing, asked: ListQuery, mask: AnswerMask) -> Response:
    database = get_database(request)
    hides = hides_numbers(request)
    if hides and asked.cursor is not None:
        asked = asked.model_copy(update={"cursor": open_cursor(request, asked.cursor)})
    listing = await as_searched(request, listing.with_more[asked.more], asked)
    if asked.limit is None:
        # Refuses an invalid sort order before any work begins.
        listing.order(asked.sort)
        if asked.skip is not None or asked.cursor is not None:
            asked_for = (name for name in ("cursor", "skip") if getattr(asked, name) is not None)
            raise InvalidInput({name: f"{name} needs a limit." for name in asked_for})
        if not request.scope.get("is_head"):
            await request.app.state.before_whole_list(request, listing)
        encode = listing.items.as_json
        as_json = (lambda rows: mask(encode(rows))) if hides else encode
        return await stream_list(database, lambda reader: choose_whole(reader, listing, asked), as_json)
    page = await database.read_list(lambda reader: read_page(listing, reader, asked), cost_of_page(listing, asked))
    if hides:
        cursor = page.next_cursor and seal_cursor(request, page.next_cursor)
        page = replace(page, body=mask(page.body), next_cursor=cursor)
    return PageAnswer(request, page, public_origin(request))


async def as_searched(request: Request, listing: Listing, asked: ListFilters) -> Listing:
    """The list as the caller sees it. Searches for numbers that the caller sees only masked are limited."""
    hides = hides_numbers(request)
    if hides and asked.q is not None and may_be_number(asked.q):
        await request.app.state.number_searches.check(request, asked.q)
    return listing.seen_by(hides_numbers=hides)


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
        if len(body) > WORTH_PACKING and accepts(request.headers.get("accept-encoding", ""), "gzip"):
            # Rows resemble each other: even the fastest compression leaves a fifth of the size.
            body = gzip.compress(body, 1, mtime=0)
            headers.append((b"content-encoding", b"gzip"))
        self.status_code = 200
        self.background = None
        self.body = body
        self.raw_headers = [*headers, (b"content-length", b"%d" % len(body)), _JSON]


async def stream_list(
    database: Database, choose: Callable[[Reader], Coroutine[Any, Any, Chosen]], as_json: AsJson
) -> StreamingResponse:
    """`as_json` encodes a chunk of rows as a JSON array."""
    async with AsyncExitStack() as opened:
        place = await database.streams.enter()
        opened.callback(database.streams.leave, place)
        rows = await opened.enter_async_context(database.stream(choose))
        # The first rows are fetched before the response begins, so that a failing query gives a 503, not half a list.
        first = await _next_items(rows, as_json)
        return _ListAnswer(opened.pop_all(), _array(first, rows, as_json))


async def _next_items(rows: Rows, as_json: AsJson) -> bytes:
    """The next items without the brackets; empty at the end."""
    return as_json(await rows.fetch(ROWS_A_CHUNK))[1:-1]


class _ListAnswer(StreamingResponse):
    """Returns the connection to the pool when the response ends, even if the client disconnected early."""

    def __init__(self, resources: AsyncExitStack, content: AsyncIterator[bytes]) -> None:
        super().__init__(content, media_type="application/json")
        self.resources = resources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            with CancelScope(shield=True):
                await self.resources.aclose()


async def _array(first: bytes, rows: Rows, as_json: AsJson) -> AsyncIterator[bytes]:
    yield b"[" + first
    while first and (items := await _next_items(rows, as_json)):
        yield b"," + items
    yield b"]"


async def count_list(
    request: Request, listing: Listing, asked: ListFilters, *, groups: tuple[str, ...] = ("",), exact: bool = False
) -> dict[str, Total]:
    listing = await as_searched(request, listing, asked)
    return await get_database(request).read_list(
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
