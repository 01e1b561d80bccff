"""What a server process counts for Prometheus: its requests and lanes. Nothing is counted unless metrics are served.

With several workers, each writes its numbers to files of its own, which whoever answers a scrape adds up; that is
`prometheus_client`'s way. The library decides at its import whether to do so, hence the imports within functions.
"""

import asyncio
import fcntl
import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING

from countinghouse import __version__
from countinghouse.core.lanes import Lane

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics import MetricWrapperBase
    from prometheus_client.metrics_core import Metric

# The folder of the workers' files. The name is the library's.
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
SAMPLE_SECONDS = 1.0
MOST_OBSERVED = 1_000
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
# Anybody can send any method, and each would become a series of its own.
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))

_slots: list[IO[bytes]] = []


def take_slot(folder: str) -> int:
    """The lowest number that no living worker has. A worker that replaces a dead one continues its files, so that
    there are never more of them than workers."""
    number = 0
    while True:
        lock = Path(folder, f"slot-{number}").open("ab")  # noqa: SIM115 - held for the life of the process
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _slots.append(lock)
            return number
        lock.close()
        number += 1


class ProcessMetrics:
    def __init__(self) -> None:
        folder = os.environ.get(FOLDER_VARIABLE)
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, values

        # A series for each counter, with the time of its first use, that nothing needs.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        if folder:
            slot = take_slot(folder)
            values.ValueClass = values.MultiProcessValue(lambda: slot)  # type: ignore[no-untyped-call]
        self._own = CollectorRegistry()

        def gauge(name: str, text: str, *labels: str) -> Gauge:
            return Gauge(f"countinghouse_{name}", text, labels, registry=self._own, multiprocess_mode="sum")

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"countinghouse_{name}", text, labels, registry=self._own)

        self._requests = counter("requests", "Requests answered.", "method", "route", "status")
        self._errors = counter("errors", "Error responses, by the code in them.", "route", "code")
        self._seconds = Histogram(
            "countinghouse_request_seconds",
            "How long requests took.",
            ["route"],
            buckets=BUCKETS,
            registry=self._own,
        )
        self._observed: deque[tuple[str, str, int, float, str | None]] = deque()
        self._children: dict[tuple[object, ...], MetricWrapperBase] = {}
        self.build = gauge("workers", "Server processes, by version.", "version").labels(__version__)
        self.streams = gauge("live_streams", "Open screens that hear of changes.")
        self.places = gauge("lane_places", "How many pieces of work of this kind may run at once.", "lane")
        self.in_use = gauge("lane_in_use", "How many run now.", "lane")
        self.waiting = gauge("lane_waiting", "How many wait for a place now.", "lane")
        self.waits = counter("lane_waits", "How many had to wait for a place.", "lane")
        self.waited = counter("lane_wait_seconds", "How long they waited, together.", "lane")
        self.refusals = counter("lane_refused", "How many were refused, because too many were waiting.", "lane")

    def observe(self, method: str, route: str, status: int, seconds: float, code: str | None) -> None:
        """Counted later, many at a time: during a request that takes four times as long."""
        self._observed.append((method, route, status, seconds, code))
        if len(self._observed) >= MOST_OBSERVED:
            self.count_observed()

    def count_observed(self) -> None:
        while True:
            try:
                # One by one, because the thread of a scrape may be counting as well.
                observed = self._observed.popleft()
            except IndexError:
                return
            self._count(*observed)

    def _count(self, method: str, route: str, status: int, seconds: float, code: str | None) -> None:
        if method not in METHODS:
            method = "other"
        # The library's own lookup of labels costs several times as much.
        key = (method, route, status)
        counted = self._children.get(key)
        if counted is None:
            counted = self._children[key] = self._requests.labels(method, route, str(status))
        counted.inc()  # type: ignore[attr-defined]
        timed = self._children.get((route,))
        if timed is None:
            timed = self._children[route,] = self._seconds.labels(route)
        timed.observe(seconds)  # type: ignore[attr-defined]
        if code is not None:
            self._errors.labels(route, code).inc()

    def registry(self) -> "CollectorRegistry":
        """Of this process, or of all workers."""
        self.count_observed()
        folder = os.environ.get(FOLDER_VARIABLE)
        return workers_registry(folder) if folder else self._own


def workers_registry(folder: str) -> "CollectorRegistry":
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    class WorkersCollector(MultiProcessCollector):
        def collect(self) -> "Iterable[Metric]":
            # A worker creates its files empty and sizes them a moment later; the library cannot read an empty one.
            files = [str(file) for file in Path(folder).glob("*.db") if file.stat().st_size > 0]
            merged: Iterable[Metric] = self.merge(files)  # type: ignore[no-untyped-call]
            return merged

    registry = CollectorRegistry()
    WorkersCollector(registry, folder)  # type: ignore[no-untyped-call]
    return registry


@cache
def process_metrics() -> ProcessMetrics:
    """One for the process."""
    return ProcessMetrics()


class Sampler:
    """Counts requests, and notes the state of the lanes and the number of streams, once a second."""

    def __init__(self, lanes: Callable[[], Mapping[str, Lane]], streams: Callable[[], int]) -> None:
        self._lanes = lanes
        self._streams = streams
        self._known: dict[str, tuple[int, float, int]] = {}
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._work = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._work is not None:
            self._work.cancel()
            with suppress(asyncio.CancelledError):
                await self._work
            process_metrics().count_observed()
            process_metrics().build.set(0)

    async def _run(self) -> None:
        process_metrics().build.set(1)
        while True:
            self.sample()
            await asyncio.sleep(SAMPLE_SECONDS)

    def sample(self) -> None:
        metrics = process_metrics()
        metrics.count_observed()
        metrics.streams.set(self._streams())
        for name, lane in self._lanes().items():
            metrics.places.labels(name).set(lane.places)
            metrics.in_use.labels(name).set(lane.in_use)
            metrics.waiting.labels(name).set(lane.waiting)
            now = (lane.waits, lane.waited_seconds, lane.refusals)
            before = self._known.get(name, (0, 0.0, 0))
            self._known[name] = now
            for counted, new, old in zip((metrics.waits, metrics.waited, metrics.refusals), now, before, strict=True):
                # A database that was closed has new lanes, which count from zero.
                counted.labels(name).inc(new - old if new >= old else new)
