"""The answer without an end. It ends with the session, with the server, or when its reader does not keep up."""

from collections.abc import Awaitable, Callable

from anyio import CancelScope, create_task_group, current_time, move_on_after, sleep
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from countinghouse.core.database import Database
from countinghouse.core.http.protocol import SERVER_LEAVES
from countinghouse.live import events
from countinghouse.live.listener import Listener
from countinghouse.live.queries import LogRow, find_missed
from countinghouse.live.tail import DATABASE_TROUBLE, Tail

BEAT_SECONDS = 15.0
# A reader that takes nothing cannot be told goodbye.
GOODBYE_SECONDS = 1.0

MEDIA_TYPE = "text/event-stream"
HEADERS = {
    "Cache-Control": "no-store",
    # nginx would keep events back until it has a bufferful.
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
    ) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._database = database
        self._tail = tail
        self._admin_id = admin_id
        self._after = after
        self._is_signed_in = is_signed_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})

        async def put(piece: bytes) -> None:
            await send({"type": "http.response.body", "body": piece, "more_body": True})

        listener = Listener(self._admin_id)
        try:
            async with create_task_group() as tasks:
                tasks.start_soon(self._watch_client, receive, tasks.cancel_scope)
                tasks.start_soon(self._watch_server, scope, listener)
                tasks.start_soon(self._watch_listener, listener, tasks.cancel_scope)
                await self._talk(listener, put)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                tasks.cancel_scope.cancel()
        finally:
            self._tail.leave(listener)

    async def _talk(self, listener: Listener, put: Put) -> None:
        await self._tail.join(listener)
        try:
            await self._greet(listener, put)
        except DATABASE_TROUBLE:
            # Its reader comes back with the same mark.
            return
        beat_at = current_time() + BEAT_SECONDS
        while not listener.closed.is_set():
            with move_on_after(beat_at - current_time()):
                await listener.wait()
            if listener.closed.is_set():
                break
            if listener.is_waited_for:
                await put(listener.take())
            if current_time() >= beat_at:
                if not await self._may_stay():
                    await put(events.event("signed-out", {}, None))
                    break
                # What waits has not gone out yet, and the mark is beyond it.
                await put(events.beat(None if listener.is_waited_for else self._tail.mark))
                beat_at = current_time() + BEAT_SECONDS

    async def _greet(self, listener: Listener, put: Put) -> None:
        await put(self._tail.greet(listener, self._after))
        if self._after is None:
            return
        after, mark = self._after, self._tail.mark
        missed = await self._database.quick.read(lambda look: find_missed(look, after))
        if missed is None:
            await put(events.event("reset", {}, mark))
        else:
            # What was written past the desk leaves no row to find.
            await put(_missed(missed, after, mark) + events.event("counts", {}, max(after, mark)))

    async def _may_stay(self) -> bool:
        try:
            return await self._is_signed_in()
        except DATABASE_TROUBLE:
            # Nobody knows; the next beat asks again.
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


def _missed(rows: list[LogRow], after: int, mark: int) -> bytes:
    """Never a mark beyond the tail's: what is in the making below it is told by the tail."""
    return b"".join(events.changes([row], after, max(after, min(row.seq, mark))) for row in rows)
