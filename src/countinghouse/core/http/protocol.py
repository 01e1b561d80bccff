"""uvicorn waits for ever for a request that drips in; this gives each one a deadline, and each answer a reader.

It also writes the head of an answer by itself; here it goes out with the body, which saves a call to the system. And an
answer that has no end of its own is told, through the request's state, that the server is about to leave.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# Under this name an answer finds an event that is set when the server stops: uvicorn waits for every open answer.
SERVER_LEAVES = "server_leaves"


class DeadlineProtocol(HttpToolsProtocol):
    header_seconds = 10.0
    body_seconds = 60.0
    stalled_seconds = 120.0
    header_bytes = 64 * 1024
    _is_in_headers = True
    _header_bytes_seen = 0
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._server_leaves = asyncio.Event()
        self._expect_within(self.header_seconds)

    def on_message_begin(self) -> None:
        self._is_in_headers = True
        self._header_bytes_seen = 0
        self._expect_within(self.header_seconds)
        super().on_message_begin()
        self.scope["state"][SERVER_LEAVES] = self._server_leaves

    def on_headers_complete(self) -> None:
        self._is_in_headers = False
        self._expect_within(self.body_seconds)
        super().on_headers_complete()
        if self.scope["method"] != "HEAD":
            # No task has begun on it yet: what it writes goes out this way from the first byte on.
            self.cycle.transport = _HeadWithBody(self.transport, self.loop)  # type: ignore[assignment]

    def on_message_complete(self) -> None:
        self._stop_waiting()
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_in_headers:
            # The parser keeps whatever comes; without a cap, one stranger could fill the memory with headers.
            self._header_bytes_seen += len(data)
            if self._header_bytes_seen > self.header_bytes:
                self.transport.abort()
                return
        # The bytes stopped the keep-alive clock. Some begin no request (an empty line, the rest of a body that was
        # answered early), and without a clock such a connection would stay open for ever.
        is_idle = self.cycle is None or self.cycle.response_complete
        if is_idle and self._deadline is None and not self.transport.is_closing():
            self._expect_within(self.header_seconds)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look_again_at(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        self._stop_stall_clock()
        super().resume_writing()

    def shutdown(self) -> None:
        self._server_leaves.set()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_stall_clock()
        super().connection_lost(exc)

    def _expect_within(self, seconds: float) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _look_again_at(self, waiting_bytes: int) -> None:
        self._stop_stall_clock()
        self._stalled = self.loop.call_later(self.stalled_seconds, self._drop_if_stalled, waiting_bytes)

    def _drop_if_stalled(self, waiting_bytes: int) -> None:
        # A slow client is waited for; one that took nothing at all is gone, and holds what its answer needs.
        left = self.transport.get_write_buffer_size()
        if left < waiting_bytes:
            self._look_again_at(left)
        else:
            self.transport.abort()

    def _stop_stall_clock(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _give_up(self) -> None:
        self._deadline = None
        self.transport.close()


class _HeadWithBody:
    """What one answer writes to. Its head waits for the body's first piece, but no longer than the loop's next turn."""

    __slots__ = ("_head", "_later", "_loop", "_transport", "is_closing")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head = b""
        self._later: asyncio.Handle | None = None
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None
            self._transport.write(self._head + data)
        elif not self._head:
            self._head = data
            self._later = self._loop.call_soon(self._send_head)
        else:
            self._transport.write(data)

    def close(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._send_head()
        self._transport.close()

    def _send_head(self) -> None:
        self._later = None
        self._transport.write(self._head)
