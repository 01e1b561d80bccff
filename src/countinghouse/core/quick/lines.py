"""The lines that are open to PostgreSQL, and who waits for one."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

import psycopg

from countinghouse.core.quick.talks import TalkingLine

# Enough to keep a database busy.
LINES = 4

Opening = asyncio.Future[psycopg.Connection[Any]]


class Lines:
    def __init__(self, connect: Callable[[], Opening]) -> None:
        self._connect = connect
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open: set[TalkingLine] = set()
        self._free: list[TalkingLine] = []
        self._waiting: deque[asyncio.Future[TalkingLine | None]] = deque()
        self._is_opening = False

    async def take(self) -> TalkingLine | None:
        """None where no line is open yet, or no more. Who takes one reads on it, which gives it back."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            return None
        if self._free:
            return self._free.pop()
        self._open_one_more()
        if not self._open:
            return None
        waiter: asyncio.Future[TalkingLine | None] = loop.create_future()
        self._waiting.append(waiter)
        try:
            return await waiter
        except asyncio.CancelledError:
            if not waiter.cancelled() and (line := waiter.result()) is not None:
                line.let_go()
            raise

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        was_open, self._open = self._open, set()
        self._loop, self._is_opening = None, False
        self._free.clear()
        for line in was_open:
            line.hang_up()
        self._send_away()

    def _open_one_more(self) -> None:
        if len(self._open) < LINES and not self._is_opening:
            self._is_opening = True
            self._connect().add_done_callback(self._opened)

    def _opened(self, opened: Opening) -> None:
        loop = opened.get_loop()
        is_ours = loop is self._loop
        if is_ours:
            self._is_opening = False
        if opened.cancelled() or opened.exception() is not None:
            # Whoever asks next is told why by the thread that tries.
            return
        if is_ours:
            line = TalkingLine(opened.result(), loop, self._take_back)
            self._open.add(line)
            self._take_back(line)
            if self._waiting:
                self._open_one_more()
        else:
            opened.result().close()

    def _take_back(self, line: TalkingLine) -> None:
        if line.is_lost:
            self._open.discard(line)
            if line in self._free:
                self._free.remove(line)
            if not self._open:
                self._send_away()
            return
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(line)
                return
        self._free.append(line)

    def _send_away(self) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
