"""The event stream. It ends when the session ends, when the server stops, or when the client does not keep up."""

from collections.abc import Awaitable, Callable

from anyio import CancelScope, create_task_group, current_time, move_on_after, sleep
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from countinghouse.core.db import Database
from countinghouse.core.http.protocol import SERVER_LEAVES
from countinghouse.live import events
from countinghouse.live.listener import Listener
from countinghouse.live.queries import LogRow, find_missed, find_waiting
from countinghouse.live.tail import DATABASE_TROUBLE, Tail

BEAT_SECONDS = 15.0
# How long to wait for a client that does not read before the connection is dropped.
GOODBYE_SECONDS = 1.0

MEDIA_TYPE = "text/event-stream"
HEADERS = {
    "Cache-Control": "no-store",
    # Otherwise nginx holds events back until its buffer is full.
    "X-Accel-Buffering": "no",
}

Put = Callable[[bytes], Awaitable[None]]


class LiveAnswer(Response):
    media_type = MEDIA_TYPE

    def __init__(
        self,
        database: Database,
        tail: Tail,
        admin_id: str,
        after: int | None,
        is_signed_in: Callable[[], Awaitable[bool]],
        *,
        hides_numbers: bool,
    ) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._database = database
        self._tail = tail
        self._admin_id = admin_id
        self._after = after
        self._is_signed_in = is_signed_in
        self._hides_numbers = hides_numbers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})

        async def put(piece: bytes) -> None:
            piece = events.masked(piece) if self._hides_numbers else piece
            await send({"type": "http.response.body", "body": piece, "more_body": True})

        listener = Listener(self._admin_id)
        try:
            async with create_task_group() as tasks:
                tasks.start_soon(self._watch_client, receive, tasks.cancel_scope)
                tasks.start_soon(self._watch_server, scope, listener)
                tasks.start_soon(self._watch_listener, listener, tasks.cancel_scope)
                await self._stream_events(listener, put)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                tasks.cancel_scope.cancel()
        finally:
            self._tail.leave(listener)

    async def _stream_events(self, listener: Listener, put: Put) -> None:
        await self._tail.join(listener)
        try:
            await self._greet(listener, put)
        except DATABASE_TROUBLE:
            # The client reconnects with the same mark.
            return
        beat_at = current_time() + BEAT_SECONDS
        while not listener.closed.is_set():
            with move_on_after(beat_at - current_time()):
                await listener.wait()
            if listener.closed.is_set():
                break
            is_due, was_doubted = current_time() >= beat_at, listener.is_doubted
            listener.is_doubted = False
            if (is_due or was_doubted) and not await self._may_stay():
                await put(events.event("signed-out", {}, None))
                break
            # Also if there is nothing to send: it resets the wait.
            if piece := listener.take():
                await put(piece)
            if is_due:
                # Queued events have not been sent yet, and the mark is already beyond them.
                await put(events.beat(None if listener.is_waited_for else self._tail.mark))
                beat_at = current_time() + BEAT_SECONDS

    async def _greet(self, listener: Listener, put: Put) -> None:
        waiting = await self._database.read(lambda reader: find_waiting(reader, self._admin_id))
        await put(self._tail.greet(listener, self._after, waiting))
        if self._after is None:
            return
        after, mark = self._after, self._tail.mark
        missed = await self._database.read(lambda reader: find_missed(reader, after))
        if missed is None:
            await put(events.event("reset", {}, mark))
        else:
            # Rows inserted directly into the database leave no audit row, so counts are always refreshed.
            await put(_missed_events(missed, after, mark) + events.event("counts", {}, max(after, mark)))

    async def _may_stay(self) -> bool:
        try:
            return await self._is_signed_in()
        except DATABASE_TROUBLE:
            # Unknown; the next heartbeat checks again.
            return True

    async def _watch_client(self, receive: Receive, talking: CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        talking.cancel()

    async def _watch_server(self, scope: Scope, listener: Listener) -> None:
        leaves = scope.get("state", {}).get(SERVER_LEAVES)
        if leaves is not None:
            await leaves.wait()
            listener.close()

    async def _watch_listener(self, listener: Listener, talking: CancelScope) -> None:
        await listener.closed.wait()
        await sleep(GOODBYE_SECONDS)
        talking.cancel()


def _missed_events(rows: list[LogRow], after: int, mark: int) -> bytes:
    """No mark is beyond the tail's: the tail will still publish uncommitted rows below it."""
    return b"".join(events.changes([row], after, max(after, min(row.seq, mark))) for row in rows)
