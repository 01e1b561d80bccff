"""Lanes: each kind of slow work has its own places and a bounded queue, so that it never takes what quick work needs.

Callers take turns: one who sends thirty searches waits behind their own, and not everybody else behind them.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from contextvars import ContextVar

from countinghouse.core.errors import Busy

# Who sent the request being handled, as far as turns are concerned: a token's hash, or the peer's address.
current_caller: ContextVar[Hashable] = ContextVar("current_caller", default=None)


class Lane:
    """Belongs to one event loop. `wait_seconds` is how long a caller waits for a place before it is refused."""

    def __init__(
        self, places: int, *, most_waiting: int = 64, most_waiting_per_caller: int = 16, wait_seconds: float = 4.0
    ) -> None:
        self._free = places
        self._most_waiting = most_waiting
        self._most_waiting_per_caller = most_waiting_per_caller
        self._wait_seconds = wait_seconds
        # The caller whose turn is next comes first.
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()
        self._waiting_count = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Holds a place for the length of the block, or raises `Busy`."""
        await self.enter()
        try:
            yield
        finally:
            self.leave()

    async def enter(self) -> None:
        """For work that outlives a block; every `enter` that returns needs one `leave`."""
        if self._free > 0 and not self._waiting:
            self._free -= 1
            return
        await self._wait(current_caller.get())

    def leave(self) -> None:
        while self._waiting:
            caller, turns = next(iter(self._waiting.items()))
            turn = turns.popleft()
            self._waiting_count -= 1
            if turns:
                self._waiting.move_to_end(caller)
            else:
                del self._waiting[caller]
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    async def _wait(self, caller: Hashable) -> None:
        turns = self._waiting.get(caller)
        if self._waiting_count >= self._most_waiting or (turns and len(turns) >= self._most_waiting_per_caller):
            raise Busy()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(turn)
        self._waiting_count += 1
        try:
            async with asyncio.timeout(self._wait_seconds):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            self._give_up(caller, turn)
            if isinstance(error, TimeoutError):
                raise Busy() from error
            raise

    def _give_up(self, caller: Hashable, turn: "asyncio.Future[None]") -> None:
        if turn.done() and not turn.cancelled():
            # The place was given in the same moment: it goes to the next one.
            self.leave()
            return
        turns = self._waiting.get(caller)
        if turns is not None and turn in turns:
            turns.remove(turn)
            self._waiting_count -= 1
            if not turns:
                del self._waiting[caller]
