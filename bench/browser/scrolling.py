"""Scrolls down a list of 100,000 claims with the wheel at an even pace, and drops the scrollbar far away."""

import time
from dataclasses import dataclass

from playwright.sync_api import Browser

from bench.browser.chromium import DESKTOP, ColdPage, cold_page
from bench.browser.lanes import Lane


@dataclass(frozen=True)
class Pace:
    """The wheel is turned `steps` times by `pixels`, with `pause_ms` between two turns."""

    name: str
    steps: int
    pixels: int
    pause_ms: int


READING = Pace("reading", steps=200, pixels=300, pause_ms=50)
FLYING = Pace("flying", steps=120, pixels=6_000, pause_ms=50)
REST_SECONDS = 10.0


@dataclass(frozen=True)
class Scroll:
    seconds: float
    frames: int
    pixels: float
    last_row: int
    most_rows: int
    frames_without_row: int
    longest_without_row_ms: float
    longest_with_nothing_ms: float
    longest_frame_ms: float
    long_tasks: int
    longest_task_ms: float
    cpu_ms: float
    cpu_ms_a_frame: float


@dataclass(frozen=True)
class Jump:
    to: str
    has_rows: bool
    rows_after_ms: float
    most_rows: int


def scroll(browser: Browser, lane: Lane, token: str, pace: Pace) -> Scroll:
    with cold_page(browser, DESKTOP, token) as cold:
        _open_endless(cold, lane)
        cold.page.mouse.move(DESKTOP.width / 2, DESKTOP.height * 0.6)
        tasks_before = len(cold.probe("longTasks"))
        top_before = cold.probe("position()")["top"]
        work_before = cold.work_seconds()["TaskDuration"]
        began = time.monotonic()
        cold.probe("watchFrames()")
        for _ in range(pace.steps):
            cold.page.mouse.wheel(0, pace.pixels)
            cold.page.wait_for_timeout(pace.pause_ms)
        _wait_for_row_in_view(cold)
        cold.probe("stopFrames()")
        seconds = time.monotonic() - began
        cpu_ms = (cold.work_seconds()["TaskDuration"] - work_before) * 1000
        frames = cold.probe("frames")
        position = cold.probe("position()")
        durations = [duration for _, duration in cold.probe("longTasks")[tasks_before:]]
        return Scroll(
            seconds=seconds,
            frames=frames["count"],
            pixels=position["top"] - top_before,
            last_row=position["lastRow"],
            most_rows=frames["mostRows"],
            frames_without_row=frames["withoutRow"]["frames"],
            longest_without_row_ms=frames["withoutRow"]["longestMs"],
            longest_with_nothing_ms=frames["withNothing"]["longestMs"],
            longest_frame_ms=frames["longestFrameMs"],
            long_tasks=len(durations),
            longest_task_ms=max(durations, default=0.0),
            cpu_ms=cpu_ms,
            cpu_ms_a_frame=cpu_ms / max(1, frames["count"]),
        )


def jump_far(browser: Browser, lane: Lane, token: str) -> list[Jump]:
    """Only for a list whose scrollbar represents all rows: an infinite list cannot jump."""
    jumps = []
    with cold_page(browser, DESKTOP, token) as cold:
        _open_endless(cold, lane)
        for to, part in (("the middle", 0.5), ("the end", 1.0), ("the start", 0.0)):
            cold.probe("watchFrames()")
            landed = cold.probe(f"jump({part})")
            cold.page.wait_for_timeout(500)
            cold.probe("stopFrames()")
            jumps.append(Jump(to, landed["hasRows"], landed["ms"], cold.probe("frames.mostRows")))
    return jumps


def _open_endless(cold: ColdPage, lane: Lane) -> None:
    cold.page.goto(lane.origin + lane.endless, wait_until="commit")
    cold.wait_for_rows()
    # Work that the first screen still does after its rows is not part of scrolling.
    cold.page.wait_for_timeout(1_000)


def _wait_for_row_in_view(cold: ColdPage) -> None:
    """Rows that come late still count as late; rows that never come show up as the longest gap."""
    deadline = time.monotonic() + REST_SECONDS
    cold.page.wait_for_timeout(500)
    while not cold.probe("hasRowInView()") and time.monotonic() < deadline:
        cold.page.wait_for_timeout(100)
