"""What a part of our server costs: a request to it, against the same request to the same server without that part."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import repeat
from pathlib import Path

from bench.contenders.contender import free_port
from bench.contenders.ours import call_to_accept
from bench.cpu import CpuMeter
from bench.desks import Desk, environment_of_command
from bench.lanes import HttpLane, Sample, take_turns
from bench.plan import Plan
from bench.processes import running
from bench.run import ENGINES, Run
from bench.spread import Spread, ratios_of
from bench.tasks import PAGE
from bench.wire import Call

ROOT = Path(__file__).parent.parent
WITH, WITHOUT = "with", "without"
PAGES = {"page of purchases": f"/api/purchases/all?limit={PAGE}", "page of claims": f"/api/claims/all?limit={PAGE}"}
CHANGE = "status change"
PENDING = "SELECT count(*) FROM claims WHERE status = 'Pending'"
# Zero once the sealer has caught up.
UNSEALED = "SELECT (SELECT max(seq) FROM audit_log) - (SELECT max(seq) FROM audit_seals)"
# A part costs a few hundredths of a request. Many short rounds show that, because both sides of a pair are measured at
# nearly the same time. A round of status changes also waits for the sealer, so there are fewer, longer ones.
ROUNDS_OF_PAGES = 10
ROUNDS_OF_CHANGES = 3
# Two processes of the same program differ by up to 3 %, by how their memory happens to be laid out, so a part is
# measured in several pairs of them.
PAIRS = 3


@dataclass(frozen=True)
class Part:
    name: str
    # The cost of a request may be less than this many times the cost without the part.
    below: float
    requests: tuple[str, ...] = tuple(PAGES)
    settings: dict[str, str] = field(default_factory=dict)


PARTS = (
    Part("marks", 1.05),
    Part("numbers", 1.05),
    Part("permissions", 1.02),
    Part(
        "metrics and logs",
        1.03,
        settings={
            "COUNTINGHOUSE_METRICS_TOKEN": "a-token-of-the-benchmark",
            "COUNTINGHOUSE_LOG_LEVEL": "info",
            "COUNTINGHOUSE_LOG_FORMAT": "json",
        },
    ),
    Part("sealing", 1.05, (CHANGE,)),
)


@dataclass(frozen=True)
class Measured:
    engine: str
    part: Part
    request: str
    samples: dict[str, list[Sample]]

    @property
    def ratio(self) -> Spread:
        costs = ([sample.cost_ms for sample in self.samples[name]] for name in (WITH, WITHOUT))
        return Spread.of(ratios_of(*costs))


@dataclass
class Parts:
    measured: list[Measured] = field(default_factory=list)


def measure_parts(run: Run) -> Parts:
    found = Parts()
    for engine in ENGINES:
        # A page costs as much in a desk of a million claims (see `flat`), which takes longer to copy.
        desk = run.desk(engine, run.plan.listed)
        for part in PARTS:
            for request in part.requests:
                found.measured.append(Measured(engine, part, request, _measure(run, desk, part, request)))
    return found


def _measure(run: Run, desk: Desk, part: Part, request: str) -> dict[str, list[Sample]]:
    samples: dict[str, list[Sample]] = {WITH: [], WITHOUT: []}
    for _ in range(PAIRS):
        with ExitStack() as stack:
            lanes = [stack.enter_context(_lane(run, desk, part, request, name)) for name in samples]
            for name, taken in take_turns(lanes, _plan_for(request, run.plan, desk), lambda _: None).items():
                samples[name] += taken
    return samples


def _plan_for(request: str, plan: Plan, desk: Desk) -> Plan:
    """The rounds of one pair."""
    if request != CHANGE:
        rounds = ROUNDS_OF_PAGES * plan.rounds // PAIRS
        return replace(plan, rounds=rounds, seconds_a_round=plan.seconds_a_round / 7)
    rounds = max(1, ROUNDS_OF_CHANGES * plan.rounds // PAIRS)
    return replace(plan, rounds=rounds).with_at_most(desk.fetch(PENDING)[0][0] // (rounds + 4))


@contextmanager
def _lane(run: Run, desk: Desk, part: Part, request: str, name: str) -> Iterator[HttpLane]:
    bearer = ("Authorization", f"Bearer {run.token(desk)}")
    settings = part.settings if name == WITH else {}
    # The same program on both sides, so that nothing but the part is different.
    program = [sys.executable, "-m", "bench.server_without", "nothing" if name == WITH else part.name]
    with ExitStack() as stack:
        is_over: Callable[[], bool] | None = None
        if request == CHANGE:
            # Each has its own database, or one would seal what the other has written.
            desk = stack.enter_context(run.copy_of(desk, name))
            pending = desk.fetch("SELECT id FROM claims WHERE status = 'Pending' ORDER BY id")
            calls = iter([call_to_accept(claim_id, bearer) for (claim_id,) in pending])
            # Both wait and are asked: an idle server works a little, too, and so does the question.
            is_over = lambda: desk.fetch(UNSEALED)[0][0] == 0 or name == WITHOUT  # noqa: E731
        else:
            calls = repeat(Call(PAGES[request], headers=(bearer,)))
        environment = environment_of_command(desk.url, run.folder) | settings | {"PYTHONPATH": str(ROOT)}
        port = free_port()
        command = [*program, "serve", "--port", str(port)]
        server = stack.enter_context(running(command, environment, run.folder, port, Call("/readyz")))
        meter = CpuMeter(server.process, desk.postmasters)
        yield HttpLane(name, meter, server.port, lambda: next(calls), is_over)
