"""A minimum rate for readers: whoever takes an answer too slowly holds a database connection and memory for it."""

import asyncio
from collections.abc import Callable


class ReaderRate:
    """Measures what a client takes, only while the server waits for it and not while the client waits for the server.

    `written` is counted by whoever writes: a transport tells only what it still holds.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, drop: Callable[[], None]) -> None:
        self._transport = transport
        self._loop = loop
        self._drop = drop
        self._clock: asyncio.TimerHandle | None = None
        self._started_at = 0.0
        self._taken_at_start = 0
        self.written = 0
        # Of the window so far: the answer may pause and resume writing many times within one.
        self._waited_seconds = 0.0
        self._taken = 0

    @property
    def taken(self) -> int:
        return self.written - self._transport.get_write_buffer_size()

    def start(self, seconds: float, bytes_per_second: float) -> None:
        if self._clock is not None:
            return
        self._started_at = self._loop.time()
        self._taken_at_start = self.taken
        left = max(0.0, seconds - self._waited_seconds)
        self._clock = self._loop.call_later(left, self._judge, seconds, bytes_per_second)

    def stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
            self._waited_seconds += self._loop.time() - self._started_at
            self._taken += self.taken - self._taken_at_start

    def forget(self) -> None:
        """A new answer begins, and the client has taken all of those before."""
        self.stop()
        self._waited_seconds, self._taken = 0.0, 0

    def _judge(self, seconds: float, bytes_per_second: float) -> None:
        self._clock = None
        if self._transport.get_write_buffer_size() == 0:
            return
        if self._taken + self.taken - self._taken_at_start < seconds * bytes_per_second:
            self._drop()
            return
        self._waited_seconds, self._taken = 0.0, 0
        self.start(seconds, bytes_per_second)
