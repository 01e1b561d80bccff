"""A lane is one contender at one task. Lanes take turns, so that other load on the machine affects all alike."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Protocol

from bench.cpu import CpuMeter, CpuReading
from bench.plan import CONNECTIONS, WARM_UP_ROUNDS, Plan
from bench.wire import Call, Connection, ask_many

# Work after the answer (returning a connection, closing a transaction) belongs to the request.
SETTLING_SECONDS = 0.02
# The sealer has ended its work before the first question, so that all lanes wait equally long.
BETWEEN_QUESTIONS_SECONDS = 1.2
LATEST_SECONDS = 60.0


@dataclass(frozen=True)
class Sample:
    calls: int
    cpu: CpuReading
    latencies_ns: Sequence[int]

    @property
    def cost_ms(self) -> float:
        return self.cpu.total_ns / self.calls / 1e6


class Lane(Protocol):
    name: str
    # With fewer calls the measurement is too coarse.
    fewest_calls: int

    def run(self, calls: int) -> Sample: ...


class HttpLane:
    fewest_calls = 1

    def __init__(
        self,
        name: str,
        meter: CpuMeter,
        port: int,
        next_call: Callable[[], Call],
        is_over: Callable[[], bool] | None = None,
    ) -> None:
        """`is_over`: whether the work that the server does after its answers is done as well."""
        self.name = name
        self._is_over = is_over
        self._meter = meter
        self._port = port
        self._next_call = next_call

    def run(self, calls: int) -> Sample:
        written = [self._next_call() for _ in range(calls)]
        with ExitStack() as stack:
            # New connections in each round: during the other lanes' turns the server has closed the idle ones.
            connections = [stack.enter_context(Connection(self._port)) for _ in range(min(calls, CONNECTIONS))]
            before = self._meter.read()
            latencies = ask_many(connections, written)
            time.sleep(SETTLING_SECONDS)
            self._wait_for_the_rest()
            return Sample(calls, self._meter.read() - before, latencies)

    def _wait_for_the_rest(self) -> None:
        deadline = time.monotonic() + LATEST_SECONDS
        while self._is_over is not None:
            # Asked rarely: on PostgreSQL the question counts as work of the server.
            time.sleep(BETWEEN_QUESTIONS_SECONDS)
            if self._is_over():
                return
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.name} does not end its work.")


def take_turns(lanes: Sequence[Lane], plan: Plan, on_round: Callable[[int], None]) -> dict[str, list[Sample]]:
    calls = {lane.name: _warm_up(lane, plan) for lane in lanes}
    samples: dict[str, list[Sample]] = {lane.name: [] for lane in lanes}
    for number in range(plan.rounds):
        on_round(number)
        # Each round starts with another lane, so that no lane always runs after the most expensive one.
        first = number % len(lanes)
        for lane in (*lanes[first:], *lanes[:first]):
            samples[lane.name].append(lane.run(calls[lane.name]))
    return samples


def _warm_up(lane: Lane, plan: Plan) -> int:
    """Fills caches, triggers JIT compilation, and finds how many calls make a round."""
    fewest = min(lane.fewest_calls, plan.most_calls_a_round)
    calls = max(2, fewest)
    for _ in range(WARM_UP_ROUNDS):
        cost_seconds = max(lane.run(calls).cost_ms, 0.01) / 1e3
        calls = max(fewest, min(plan.most_calls_a_round, round(plan.seconds_a_round / cost_seconds)))
    return calls
