"""A minimum read rate for clients: a client that reads too slowly ties up a database connection and memory."""

import asyncio
from collections.abc import Callable


class ReaderRate:
    """Measures how fast a client reads, only while the server waits for the client.

    The code that writes must add to `written`: a transport reports only the size of its buffer.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, drop: Callable[[], None]) -> None:
        self._transport = transport
        self._loop = loop
        self._drop = drop
        self._timer: asyncio.TimerHandle | None = None
        self._started_at = 0.0
        self._taken_at_start = 0
        self.written = 0
        # Totals of the current window: writing may pause and resume many times within one.
        self._waited_seconds = 0.0
        self._taken = 0

    @property
    def taken(self) -> int:
        return self.written - self._transport.get_write_buffer_size()

    def start(self, seconds: float, bytes_per_second: float) -> None:
        if self._timer is not None:
            return
        self._started_at = self._loop.time()
        self._taken_at_start = self.taken
        left = max(0.0, seconds - self._waited_seconds)
        self._timer = self._loop.call_later(left, self._check_rate, seconds, bytes_per_second)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._waited_seconds += self._loop.time() - self._started_at
            self._taken += self.taken - self._taken_at_start

    def forget(self) -> None:
        """Starts a new window: a new response begins, and the client has read all previous ones."""
        self.stop()
        self._waited_seconds, self._taken = 0.0, 0

    def _check_rate(self, seconds: float, bytes_per_second: float) -> None:
        self._timer = None
        if self._transport.get_write_buffer_size() == 0:
            return
        if self._taken + self.taken - self._taken_at_start < seconds * bytes_per_second:
            self._drop()
            return
        self._waited_seconds, self._taken = 0.0, 0
        self.start(seconds, bytes_per_second)
