"""Streams whole lists as one JSON array: a million rows use the memory of one chunk."""

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from typing import Any

from anyio import CancelScope
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from countinghouse.core.db import Chosen, Database, Reader, Rows

ROWS_A_CHUNK = 1000

AsJson = Callable[[Sequence[tuple[Any, ...]]], bytes]


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
