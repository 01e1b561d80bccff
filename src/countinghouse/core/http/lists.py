"""Whole lists as one JSON array, streamed: a million rows cost the memory of one chunk."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec
from anyio import CancelScope, CapacityLimiter
from anyio.to_thread import run_sync
from fastapi.responses import StreamingResponse
from sqlalchemy import Row, Select
from starlette.types import Receive, Scope, Send

from countinghouse.core.database import Database

ROWS_A_CHUNK = 500

# Threads of their own: a list under way holds a connection, and must not wait behind requests that wait for one.
_threads = CapacityLimiter(8)


def stream_list(database: Database, statement: Select[Any], to_item: Callable[[Row[Any]], object]) -> StreamingResponse:
    """The first rows are fetched before the answer begins, so that a failing query is a 503 and not half a list."""
    with ExitStack() as opened:
        connection = opened.enter_context(database.reading())
        result = connection.execution_options(stream_results=True).execute(statement)
        opened.callback(result.close)
        chunks = result.partitions(ROWS_A_CHUNK)
        first = next(chunks, [])
        return _ListAnswer(opened.pop_all(), _array(first, chunks, to_item))


class _ListAnswer(StreamingResponse):
    """Gives the connection back when the answer ends, also when the client left before or while it was written."""

    def __init__(self, resources: ExitStack, content: AsyncIterator[bytes]) -> None:
        super().__init__(content, media_type="application/json")
        self.resources = resources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            with CancelScope(shield=True):
                await run_sync(self.resources.close, limiter=_threads)


async def _array(
    first: Sequence[Row[Any]],
    chunks: Iterator[Sequence[Row[Any]]],
    to_item: Callable[[Row[Any]], object],
) -> AsyncIterator[bytes]:
    def encoded(rows: Sequence[Row[Any]]) -> bytes:
        return msgspec.json.encode([to_item(row) for row in rows])[1:-1]

    def next_encoded() -> bytes:
        rows = next(chunks, None)
        return b"," + encoded(rows) if rows else b""

    yield b"[" + await run_sync(encoded, first, limiter=_threads)
    while piece := await run_sync(next_encoded, limiter=_threads):
        yield piece
    yield b"]"
