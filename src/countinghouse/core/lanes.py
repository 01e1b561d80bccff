"""Lanes limit concurrency: each kind of slow work has its own slots and a bounded queue, so it cannot starve fast work.

Callers take turns (round robin): a caller that sends thirty searches delays only its own searches, not other callers.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from threading import Lock

from countinghouse.core.errors import Busy

# The caller of the current request, used for taking turns: a hash of its valid token, or its network.
current_caller: ContextVar[Hashable] = ContextVar("current_caller", default=None)


class _Turn:
    """One caller waiting in one event loop."""

    __slots__ = ("caller", "future", "is_granted")

    def __init__(self, caller: Hashable) -> None:
        self.caller = caller
        self.future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_granted = False

    def wake(self) -> None:
        if not self.future.done():
            self.future.set_result(None)


class _Place:
    """A class, because a generator as context manager costs several times as much, and each read needs one."""

    __slots__ = ("caller", "lane")

    def __init__(self, lane: "Lane") -> None:
        self.lane = lane

    async def __aenter__(self) -> None:
        self.caller = await self.lane.enter()

    async def __aexit__(self, *_error: object) -> None:
        self.lane.leave(self.caller)


@asynccontextmanager
async def halting_turn(lane: "Lane") -> AsyncIterator[None]:
    """For work of the event loop itself, which halts everything else. As long again, nobody gets the next turn: the
    others, and the threads of the database, need the time."""
    async with lane.turn():
        began_at = time.monotonic()
        try:
            yield
        finally:
            await asyncio.sleep(time.monotonic() - began_at)


class Lane:
    """`places` is the number of slots. A caller waits at most `wait_seconds` for one before `Busy` is raised."""

    def __init__(
        self,
        places: int,
        *,
        places_per_caller: int | None = None,
        most_waiting: int = 64,
        most_waiting_per_caller: int = 16,
        wait_seconds: float = 4.0,
    ) -> None:
        self.places = places
        # Since the start, for the metrics. Counted only when somebody has to wait.
        self.waits = 0
        self.waited_seconds = 0.0
        self.refusals = 0
        self._free = places
        self._places_per_caller = places_per_caller or places
        self._most_waiting = most_waiting
        self._most_waiting_per_caller = most_waiting_per_caller
        self._wait_seconds = wait_seconds
        # How many places each caller has. No entry means none.
        self._held: dict[Hashable, int] = {}
        # Ordered by turn: the next caller comes first.
        self._waiting: OrderedDict[Hashable, deque[_Turn]] = OrderedDict()
        self._waiting_count = 0
        # Several event loops may share a lane: a place freed in one can go to a caller in another.
        self._lock = Lock()

    def turn(self) -> "_Place":
        """Holds a place for the length of an `async with` block, or raises `Busy`."""
        return _Place(self)

    async def enter(self) -> Hashable:
        """For work that outlives a `with` block: pass the returned value to `leave`, exactly once."""
        caller = current_caller.get()
        with self._lock:
            if not self._waiting and self._may_take(caller):
                self._take(caller)
                return caller
            turn = self._queue(caller)
        began_at = time.monotonic()
        try:
            async with asyncio.timeout(self._wait_seconds):
                await turn.future
        except (TimeoutError, asyncio.CancelledError) as error:
            self._give_up(turn)
            if isinstance(error, TimeoutError):
                self.refusals += 1
                raise Busy() from error
            raise
        finally:
            self.waits += 1
            self.waited_seconds += time.monotonic() - began_at
        return caller

    @property
    def in_use(self) -> int:
        return self.places - self._free

    @property
    def waiting(self) -> int:
        return self._waiting_count

    def leave(self, caller: Hashable) -> None:
        with self._lock:
            self._release(caller)
            if self._waiting:
                self._grant_next()

    def _may_take(self, caller: Hashable) -> bool:
        return self._free > 0 and self._held.get(caller, 0) < self._places_per_caller

    def _take(self, caller: Hashable) -> None:
        self._free -= 1
        self._held[caller] = self._held.get(caller, 0) + 1

    def _release(self, caller: Hashable) -> None:
        self._free += 1
        self._held[caller] -= 1
        if self._held[caller] == 0:
            del self._held[caller]

    def _queue(self, caller: Hashable) -> _Turn:
        turns = self._waiting.get(caller, ())
        if self._waiting_count >= self._most_waiting or len(turns) >= self._most_waiting_per_caller:
            self.refusals += 1
            raise Busy()
        turn = _Turn(caller)
        self._waiting.setdefault(caller, deque()).append(turn)
        self._waiting_count += 1
        # There may be a free place: the other callers may be waiting only because of their own limit.
        self._grant_next()
        return turn

    def _grant_next(self) -> None:
        for caller in list(self._waiting):
            if self._free <= 0:
                return
            turns = self._waiting[caller]
            while turns and self._may_take(caller):
                turn = turns.popleft()
                self._waiting_count -= 1
                turn.is_granted = True
                self._take(caller)
                try:
                    turn.future.get_loop().call_soon_threadsafe(turn.wake)
                except RuntimeError:
                    # Its event loop has ended, so nobody is waiting there any more.
                    self._release(caller)
                    continue
                break
            if turns:
                self._waiting.move_to_end(caller)
            else:
                del self._waiting[caller]

    def _give_up(self, turn: _Turn) -> None:
        with self._lock:
            if not turn.is_granted:
                turns = self._waiting[turn.caller]
                turns.remove(turn)
                self._waiting_count -= 1
                if not turns:
                    del self._waiting[turn.caller]
                return
        # The place was granted at the same moment: pass it on to the next caller.
        self.leave(turn.caller)
