"""Waits for the socket of a connection to PostgreSQL.

psycopg adds the socket to the event loop for each wait and removes it afterwards, which costs as much as all else that
a short statement needs. Here the loop watches it from the first wait until the connection is closed.
"""

import asyncio
from asyncio.events import _get_running_loop
from collections.abc import Callable

from psycopg.waiting import READY_NONE, READY_R, READY_W, WAIT_W, Ready, Wait


class WatchedSocket:
    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._descriptor = -1
        self._is_watched = False
        self._woken: asyncio.Future[Ready] | None = None

    async def ready(self, descriptor: int, wanted: Wait, seconds: float) -> Ready:
        """What the socket is ready for; nothing if that takes longer. Reading is always among what is waited for."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            # It was last used in an `asyncio.run` that has ended.
            self._stop_watching()
            self._loop = loop
        if not self._is_watched:
            self._descriptor, self._is_watched = descriptor, True
            loop.add_reader(descriptor, self._wake, READY_R)
        woken: asyncio.Future[Ready] = loop.create_future()
        self._woken = woken
        timer = loop.call_later(seconds, self._wake, READY_NONE)
        if wanted & WAIT_W:
            loop.add_writer(descriptor, self._wake, READY_W)
        try:
            return await woken
        finally:
            self._woken = None
            timer.cancel()
            if wanted & WAIT_W:
                loop.remove_writer(descriptor)

    def release(self, close: Callable[[], None]) -> None:
        """Calls `close` when the loop no longer watches the socket: the next socket gets the number of a closed one."""
        loop = self._loop
        if loop is not None and loop.is_running() and _get_running_loop() is not loop:
            loop.call_soon_threadsafe(self.release, close)
            return
        self._stop_watching()
        close()

    def _wake(self, ready: Ready) -> None:
        if self._woken is None:
            # Nobody waits, so the server has closed the connection. Whoever takes it next finds out; until then the
            # loop would call this again and again.
            self._stop_watching()
        elif not self._woken.done():
            self._woken.set_result(ready)

    def _stop_watching(self) -> None:
        if self._is_watched and self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._descriptor)
        self._is_watched = False
