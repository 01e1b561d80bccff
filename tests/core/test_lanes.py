"""Slow work waits in its own lane: the queue is bounded, callers take turns, and no wait is long."""

import asyncio
import time
from collections import Counter
from collections.abc import Coroutine
from threading import Thread

import pytest

from countinghouse.core.db import Cost, postgres, sqlite
from countinghouse.core.db.costs import lanes
from countinghouse.core.errors import Busy
from countinghouse.core.lanes import Lane, current_caller, halting_turn


def _run(work: Coroutine[None, None, None]) -> None:
    asyncio.run(work)


async def _hold(lane: Lane, caller: str, order: list[str], until: asyncio.Event) -> None:
    current_caller.set(caller)
    async with lane.turn():
        order.append(caller)
        await until.wait()


def test_callers_take_turns() -> None:
    async def work() -> None:
        lane, until = Lane(1), asyncio.Event()
        order: list[str] = []
        first = asyncio.create_task(_hold(lane, "a", order, until))
        await asyncio.sleep(0)
        tasks = [asyncio.create_task(_hold(lane, caller, order, until)) for caller in "aaabbc"]
        await asyncio.sleep(0)
        until.set()
        await asyncio.gather(first, *tasks)
        assert order == ["a", "a", "b", "c", "a", "b", "a"]

    _run(work())


def test_others_are_served_between_any_two_turns_that_halt_the_event_loop() -> None:
    async def halt(lane: Lane, order: list[str]) -> None:
        async with halting_turn(lane):
            order.append("junk")
            time.sleep(0.05)

    async def serve(order: list[str]) -> None:
        while order.count("junk") < 4:
            await asyncio.sleep(0.005)
            order.append("other")

    async def work() -> None:
        lane, order = Lane(1), list[str]()
        await asyncio.gather(*(halt(lane, order) for _ in range(4)), serve(order))
        between = " ".join(order).split("junk")[1:-1]
        assert [gap.count("other") >= 3 for gap in between] == [True] * 3, order

    _run(work())


def test_a_full_queue_is_refused_at_once() -> None:
    async def work() -> None:
        lane = Lane(1, most_waiting=2)
        until = asyncio.Event()
        tasks = [asyncio.create_task(_hold(lane, caller, [], until)) for caller in "abc"]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await lane.enter()
        until.set()
        await asyncio.gather(*tasks)
        await lane.enter()

    _run(work())


def test_one_caller_cannot_fill_the_queue() -> None:
    async def work() -> None:
        lane = Lane(1, most_waiting_per_caller=2)
        until = asyncio.Event()
        tasks = [asyncio.create_task(_hold(lane, "a", [], until)) for _ in range(3)]
        await asyncio.sleep(0)
        current_caller.set("a")
        with pytest.raises(Busy):
            await lane.enter()
        current_caller.set("b")
        waiting = asyncio.create_task(_hold(lane, "b", [], until))
        await asyncio.sleep(0)
        until.set()
        await asyncio.gather(*tasks, waiting)

    _run(work())


def test_a_wait_times_out_and_no_place_is_lost() -> None:
    async def work() -> None:
        lane = Lane(1, wait_seconds=0.01)
        await lane.enter()
        with pytest.raises(Busy):
            await lane.enter()
        cancelled = asyncio.create_task(lane.enter())
        await asyncio.sleep(0)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        lane.leave(None)
        await lane.enter()
        lane.leave(None)

    _run(work())


def test_a_place_given_to_a_cancelled_caller_goes_to_the_next() -> None:
    async def work() -> None:
        lane = Lane(1)
        await lane.enter()
        leaving, staying = asyncio.create_task(lane.enter()), asyncio.create_task(lane.enter())
        await asyncio.sleep(0)
        lane.leave(None)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        await asyncio.wait_for(staying, 1)

    _run(work())


def test_one_caller_cannot_hold_every_place() -> None:
    async def work() -> None:
        lane = Lane(3, places_per_caller=2)
        order: list[str] = []
        until = asyncio.Event()
        tasks = [asyncio.create_task(_hold(lane, caller, order, until)) for caller in "aaab"]
        await asyncio.sleep(0.01)
        assert order == ["a", "a", "b"]
        until.set()
        await asyncio.gather(*tasks)
        assert order == ["a", "a", "b", "a"]

    _run(work())


@pytest.mark.parametrize("places", [postgres.PLACES, sqlite.PLACES])
def test_changes_of_one_caller_leave_places_for_others(places: dict[Cost, int]) -> None:
    """They may all be waiting for row locks."""

    async def work() -> None:
        count = places[Cost.CHANGE]
        order: list[str] = []
        until = asyncio.Event()
        lane = lanes(places)[Cost.CHANGE]
        tasks = [asyncio.create_task(_hold(lane, caller, order, until)) for caller in [*"a" * count, "b"]]
        await asyncio.sleep(0.01)
        # SQLite has one writer, so it has one place.
        assert order == (["a"] if count == 1 else [*"a" * (count // 2), "b"])
        until.set()
        await asyncio.gather(*tasks)

    _run(work())


def test_a_place_freed_in_one_event_loop_is_given_to_a_caller_in_another() -> None:
    lane = Lane(1, wait_seconds=30)
    order: list[str] = []

    async def work(caller: str) -> None:
        current_caller.set(caller)
        for _ in range(200):
            async with lane.turn():
                order.append(caller)
                await asyncio.sleep(0)

    threads = [Thread(target=_run, args=(work(caller),)) for caller in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert Counter(order) == {"a": 200, "b": 200, "c": 200}
