"""Whole lists as one JSON array, streamed: a million rows cost the memory of one chunk."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from anyio import CancelScope, CapacityLimiter
from anyio.to_thread import run_sync
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection, Result
from starlette.types import Receive, Scope, Send

from countinghouse.core.database import Database

ROWS_A_CHUNK = 500

# Threads of their own: a list under way holds a connection, and must not wait behind requests that wait for one.
_threads = CapacityLimiter(8)


async def stream_list(database: Database, execute: Callable[[Connection], Result[Any]]) -> StreamingResponse:
    """`execute` gives rows of one column, a JSON object each."""
    return await run_sync(_open, database, execute)


def _open(database: Database, execute: Callable[[Connection], Result[Any]]) -> StreamingResponse:
    """The first rows are fetched before the answer begins, so that a failing query is a 503 and not half a list."""
    with ExitStack() as opened:
        result = execute(opened.enter_context(database.reading()))
        opened.callback(result.close)
        chunks = result.scalars().partitions(ROWS_A_CHUNK)
        first = next(chunks, [])
        return _ListAnswer(opened.pop_all(), _array(first, chunks))


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


async def _array(first: Sequence[str], chunks: Iterator[Sequence[str]]) -> AsyncIterator[bytes]:
    def next_piece() -> bytes:
        items = next(chunks, None)
        return ("," + ",".join(items)).encode() if items else b""

    yield ("[" + ",".join(first)).encode()
    while piece := await run_sync(next_piece, limiter=_threads):
        yield piece
    yield b"]"
