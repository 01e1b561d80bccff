"""Database work on threads, in one lane per cost class: a search never takes the thread that a page needs."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from typing import TypeVar

from countinghouse.core.lanes import Lane
from countinghouse.core.quick.reader import Change, Reader

T = TypeVar("T")


class Cost(Enum):
    """The maximum cost of a piece of work, known before it runs. Each class has its own lane."""

    # A few rows by their keys: sessions, pages in an order that has an index.
    SHORT = auto()
    # A few thousand index entries: queues, the end of the audit log.
    MEDIUM = auto()
    # A search or a filter that may have to read every row.
    LONG = auto()
    # A short transaction; it may wait for a row lock.
    CHANGE = auto()


class Quick(ABC):
    """Each lane has as many threads as places, so work queues only in the lane, which can refuse it."""

    def __init__(self, threads: Mapping[Cost, int]) -> None:
        self._sizes = threads
        self._lanes = {
            Cost.SHORT: Lane(threads[Cost.SHORT], most_waiting=500, most_waiting_per_caller=250),
            Cost.MEDIUM: Lane(threads[Cost.MEDIUM], most_waiting=200, most_waiting_per_caller=50),
            Cost.LONG: Lane(threads[Cost.LONG], most_waiting=100, most_waiting_per_caller=20),
            Cost.CHANGE: Lane(threads[Cost.CHANGE], most_waiting=500, most_waiting_per_caller=250, wait_seconds=3.0),
        }
        self._threads: dict[Cost, ThreadPoolExecutor] = {}

    async def read(self, work: Callable[[Reader], T], cost: Cost = Cost.SHORT) -> T:
        """`work` may run twice, if the first connection turns out to be dead."""
        return await self._on_thread(cost, lambda: self._read(work, cost))

    async def read_if(
        self, allowed: Callable[[Reader], bool], work: Callable[[Reader], T], cost: Cost = Cost.SHORT
    ) -> T | None:
        """The result of `work`, or None if `allowed` returns False. Only allowed work enters a slow lane."""
        if cost is Cost.SHORT:
            return await self.read(lambda reader: work(reader) if allowed(reader) else None)
        return await self.read(work, cost) if await self.read(allowed) else None

    async def change(self, work: Callable[[Change], T]) -> T:
        """Each `guarded` call of `work` is atomic, and `work` is never retried."""
        return await self._on_thread(Cost.CHANGE, lambda: self._change(work))

    def close(self) -> None:
        for pool in self._threads.values():
            pool.shutdown(wait=True, cancel_futures=True)
        self._threads.clear()

    async def _on_thread(self, cost: Cost, work: Callable[[], T]) -> T:
        lane = self._lanes[cost]
        caller = await lane.enter()
        try:
            running = asyncio.get_running_loop().run_in_executor(self._pool(cost), work)
        except BaseException:
            lane.leave(caller)
            raise

        def leave(done: "asyncio.Future[T]") -> None:
            lane.leave(caller)
            if not done.cancelled():
                # Marks the exception as retrieved: the caller may have gone.
                done.exception()

        running.add_done_callback(leave)
        # A thread cannot be cancelled: its place is freed when the thread ends, not when the caller leaves.
        return await asyncio.shield(running)

    def _pool(self, cost: Cost) -> ThreadPoolExecutor:
        pool = self._threads.get(cost)
        if pool is None:
            pool = ThreadPoolExecutor(self._sizes[cost], f"database-{cost.name.lower()}")
            pool = self._threads.setdefault(cost, pool)
        return pool

    @abstractmethod
    def _read(self, work: Callable[[Reader], T], cost: Cost) -> T: ...

    @abstractmethod
    def _change(self, work: Callable[[Change], T]) -> T: ...
