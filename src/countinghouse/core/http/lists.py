"""Streams whole lists as one JSON array: a million rows use the memory of one chunk."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from anyio import CancelScope, CapacityLimiter
from anyio.to_thread import run_sync
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection
from starlette.types import Receive, Scope, Send

from countinghouse.core.database import Database
from countinghouse.core.listing.whole import Rows

ROWS_A_CHUNK = 1000

# Separate threads: a running list holds a connection, and must not queue behind requests that wait for a connection.
_threads = CapacityLimiter(8)

AsJson = Callable[[Sequence[tuple[Any, ...]]], bytes]


async def stream_list(
    database: Database, open_rows: Callable[[Connection], Rows], as_json: AsJson
) -> StreamingResponse:
    """`as_json` encodes a chunk of rows as a JSON array."""
    place = await database.streams.enter()
    opened = ExitStack()
    opened.callback(database.streams.leave, place)
    try:
        next_items = await run_sync(_open, opened, database, open_rows, as_json, limiter=_threads)
        # The first rows are fetched before the response begins, so that a failing query gives a 503, not half a list.
        first = await run_sync(next_items, limiter=_threads)
    except BaseException:
        with CancelScope(shield=True):
            await run_sync(opened.close, limiter=_threads)
        raise
    return _ListAnswer(opened, _array(first, next_items))


def _open(
    opened: ExitStack, database: Database, open_rows: Callable[[Connection], Rows], as_json: AsJson
) -> Callable[[], bytes]:
    rows = open_rows(opened.enter_context(database.reading()))
    opened.callback(rows.close)
    return partial(_next_items, rows, as_json)


def _next_items(rows: Rows, as_json: AsJson) -> bytes:
    """The next items without the brackets; empty at the end."""
    return as_json(rows.fetch(ROWS_A_CHUNK))[1:-1]


class _ListAnswer(StreamingResponse):
    """Returns the connection to the pool when the response ends, even if the client disconnected early."""

    def __init__(self, resources: ExitStack, content: AsyncIterator[bytes]) -> None:
        super().__init__(content, media_type="application/json")
        self.resources = resources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            with CancelScope(shield=True):
                await run_sync(self.resources.close, limiter=_threads)


async def _array(first: bytes, next_items: Callable[[], bytes]) -> AsyncIterator[bytes]:
    yield b"[" + first
    while first and (items := await run_sync(next_items, limiter=_threads)):
        yield b"," + items
    yield b"]"
