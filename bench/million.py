"""Our own whole list at full size: memory, time to the first byte, and whether others are still served meanwhile."""

import time
from dataclasses import dataclass
from statistics import median
from threading import Thread

from bench.contenders.contender import Surroundings
from bench.contenders.ours import Ours
from bench.downloads import Download, download
from bench.memory import PeakMemory
from bench.processes import Running
from bench.run import ENGINES, Run
from bench.spread import percentile
from bench.tasks import NewestPage, WholeList
from bench.wire import Call, Connection

FIRST_BYTES = 5
# As often as a few people at work would send requests.
PAUSE_SECONDS = 0.02


@dataclass(frozen=True)
class Latency:
    calls: int
    p50_ms: float
    p99_ms: float
    worst_ms: float


@dataclass(frozen=True)
class MillionRows:
    engine: str
    claims: int
    megabytes: float
    seconds: float
    extra_memory: float
    first_byte_ms: float
    alone: Latency
    meanwhile: Latency


def measure_million(run: Run) -> list[MillionRows]:
    return [_measure(run, engine) for engine in ENGINES]


def _measure(run: Run, engine: str) -> MillionRows:
    desk = run.desk(engine, run.plan.large)
    ours = Ours()
    with ours.serve(Surroundings(desk, run.token(desk), run.folder)) as server:
        page, whole = ours.call_for(NewestPage()), ours.call_for(WholeList())
        alone = _latency_until(server, page, Thread(target=time.sleep, args=(2.0,)))
        peak = PeakMemory(server.process)
        loaded: list[Download] = []
        reading = Thread(target=lambda: loaded.append(download(server.port, whole)))
        meanwhile = _latency_until(server, page, reading)
        extra_memory = peak.extra_megabytes()
        first_byte = median(_first_byte(server.port, whole) for _ in range(FIRST_BYTES))
    if not loaded:
        raise RuntimeError("The whole list did not arrive.")
    whole_list = loaded[0]
    return MillionRows(
        engine,
        desk.claims,
        whole_list.megabytes,
        whole_list.seconds,
        extra_memory,
        first_byte,
        alone,
        meanwhile,
    )


def _latency_until(server: Running, page: Call, other: Thread) -> Latency:
    """The latency of pages requested one by one while the other thread runs."""
    latencies = []
    other.start()
    with Connection(server.port) as connection:
        while other.is_alive():
            began = time.perf_counter()
            connection.ask(page)
            latencies.append((time.perf_counter() - began) * 1e3)
            time.sleep(PAUSE_SECONDS)
    other.join()
    return Latency(len(latencies), percentile(latencies, 50), percentile(latencies, 99), max(latencies))


def _first_byte(port: int, whole: Call) -> float:
    """Does not read the rest: closing the connection stops the server's work."""
    with Connection(port) as connection:
        began = time.perf_counter()
        connection.send(whole)
        _, headers = connection.read_head()
        next(iter(connection.read_body(headers)))
        first = (time.perf_counter() - began) * 1e3
    time.sleep(PAUSE_SECONDS)
    return first
