"""Waits for the socket of a connection to PostgreSQL.

psycopg adds the socket to the event loop for each wait and removes it afterwards, which is a large part of the cost of
a short statement. Here the loop watches it from the first wait until the connection is closed.
"""

import asyncio
from asyncio.events import _get_running_loop

import psycopg
from psycopg.pq.abc import PGconn
from psycopg.waiting import READY_NONE, READY_R, READY_W, WAIT_W, Ready, Wait


class WatchedSocket:
    def __init__(self, connection: PGconn) -> None:
        self._connection = connection
        self._loop: asyncio.AbstractEventLoop | None = None
        # -1 while it is not watched.
        self._descriptor = -1
        self._woken: asyncio.Future[Ready] | None = None

    async def ready(self, wanted: Wait, seconds: float) -> Ready:
        """Returns when libpq has read something (or can write), or with nothing after `seconds`."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            # It was last used in an `asyncio.run` that has ended.
            self._stop_watching()
            self._loop = loop
        if self._descriptor < 0:
            self._descriptor = self._connection.socket
            loop.add_reader(self._descriptor, self._read)
        self._woken = loop.create_future()
        timer = loop.call_later(seconds, self._time_out)
        if wanted & WAIT_W:
            loop.add_writer(self._descriptor, self._wake, READY_W)
        try:
            return await self._woken
        finally:
            self._woken = None
            timer.cancel()
            if wanted & WAIT_W and self._descriptor >= 0:
                loop.remove_writer(self._descriptor)

    def close(self) -> None:
        """Closes the connection when the loop no longer watches it: the next socket gets the number of a closed one."""
        self._stop_watching()
        self._connection.finish()

    def loop_elsewhere(self) -> asyncio.AbstractEventLoop | None:
        """The loop that watches it, if that runs in another thread: only there may the connection be closed."""
        loop = self._loop
        return loop if loop is not None and loop.is_running() and _get_running_loop() is not loop else None

    def _read(self) -> None:
        if self._woken is None:
            # The connection is idle: the server has closed it, or sent something unasked, which must not become the
            # answer to the next statement. It stays unread, so that `is_closed_by_server` sees it.
            self._stop_watching()
            return
        try:
            # Now, because until then the loop would call this again and again.
            self._connection.consume_input()
        except psycopg.Error as error:
            self.close()
            if not self._woken.done():
                self._woken.set_exception(error)
        else:
            self._wake(READY_R)

    def _time_out(self) -> None:
        # The next wait watches it again: uvloop has stopped if the socket reported an error before libpq had read all.
        self._stop_watching()
        self._wake(READY_NONE)

    def _wake(self, ready: Ready) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(ready)

    def _stop_watching(self) -> None:
        if self._descriptor >= 0 and self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._descriptor)
            self._loop.remove_writer(self._descriptor)
        self._descriptor = -1
