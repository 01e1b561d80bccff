"""A list as it leaves: whole and streamed, or one page with the way to the next."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import msgspec
from fastapi import Request, Response
from sqlalchemy import ColumnElement, Row

from countinghouse.core.http.lists import stream_list
from countinghouse.core.http.origins import public_origin
from countinghouse.core.http.requests import get_database
from countinghouse.core.listing import Listing, ListQuery

# For the API's description, where it stands beside the array.
PAGE_HEADERS: dict[str, Any] = {
    "Link": {"description": 'The next page, as <…>; rel="next".', "schema": {"type": "string"}},
    "X-Total-Count": {"description": "How many match, on all pages.", "schema": {"type": "integer"}},
}


def answer_list(
    request: Request,
    listing: Listing,
    asked: ListQuery,
    to_item: Callable[[Row[Any]], object],
    *conditions: ColumnElement[bool],
) -> Response:
    database = get_database(request)
    chosen = listing.select_all(asked, *conditions)
    if asked.limit is None:
        return stream_list(database, chosen, to_item)
    with database.reading() as connection:
        total = connection.execute(listing.select_count(asked, *conditions)).scalar_one()
        # One more than asked for tells whether there is a next page.
        rows = connection.execute(chosen.limit(asked.limit + 1)).all()
    page = rows[: asked.limit]
    headers = {"X-Total-Count": str(total)}
    if len(rows) > len(page):
        headers["Link"] = f'<{_next_page(request, listing.cursor_after(asked, page[-1]))}>; rel="next"'
    content = msgspec.json.encode([to_item(row) for row in page])
    return Response(content, media_type="application/json", headers=headers)


def _next_page(request: Request, cursor: str) -> str:
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "cursor"]
    return f"{public_origin(request)}{request.url.path}?{urlencode([*kept, ('cursor', cursor)])}"
