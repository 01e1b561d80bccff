"""Opens the claims screen cold: how soon its first rows are painted, and what that costs."""

from dataclasses import dataclass

from playwright.sync_api import Browser

from bench.browser.chromium import ColdPage, Profile, cold_page
from bench.browser.lanes import Lane

# Our app reads totals and jobs and opens its live connection after the first rows; these bytes count too.
SETTLE_MS = 11_500
SETTLE_AT_MOST_MS = 20_000
NEWS_MS = 500


@dataclass(frozen=True)
class Visit:
    """Everything until the first rows are painted."""

    first_rows_ms: float
    first_paint_ms: float
    bytes_to_first_rows: int
    requests_to_first_rows: int
    cpu_ms: float
    script_cpu_ms: float
    long_tasks: int
    longest_task_ms: float


@dataclass(frozen=True)
class Weight:
    """All bytes that arrive until the page is idle."""

    bytes_all: int
    bytes_script: int
    requests: int


def visit(browser: Browser, lane: Lane, profile: Profile, token: str) -> Visit:
    with cold_page(browser, profile, token) as cold:
        first_rows_ms = _open(cold, lane)
        work = cold.work_seconds()
        # The browser reports a response, and a first paint, a little after it happened.
        cold.page.wait_for_timeout(NEWS_MS)
        early = [one for one in cold.wire.received if one.at * 1000 <= first_rows_ms]
        tasks: list[tuple[float, float]] = cold.probe("longTasks")
        durations = [duration for start, duration in tasks if start <= first_rows_ms]
        return Visit(
            first_rows_ms=first_rows_ms,
            first_paint_ms=float(cold.probe("firstPaintMs") or 0),
            bytes_to_first_rows=sum(one.bytes for one in early),
            requests_to_first_rows=len(early),
            cpu_ms=work["TaskDuration"] * 1000,
            script_cpu_ms=work["ScriptDuration"] * 1000,
            long_tasks=len(durations),
            longest_task_ms=max(durations, default=0.0),
        )


def weigh(browser: Browser, lane: Lane, profile: Profile, token: str) -> Weight:
    with cold_page(browser, profile, token) as cold:
        _open(cold, lane)
        cold.page.wait_for_timeout(SETTLE_MS)
        waited = SETTLE_MS
        while cold.wire.under_way and waited < SETTLE_AT_MOST_MS:
            cold.page.wait_for_timeout(500)
            waited += 500
        received = cold.wire.received
        return Weight(
            bytes_all=sum(one.bytes for one in received),
            bytes_script=sum(one.bytes for one in received if one.kind == "Script"),
            requests=len(received),
        )


def _open(cold: ColdPage, lane: Lane) -> float:
    cold.page.goto(lane.origin + lane.claims, wait_until="commit")
    return cold.wait_for_rows()
