"""One task and all its contenders: started side by side, checked against the database, measured in turns."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.contenders.contender import Contender, Surroundings
from bench.contenders.ours import Ours
from bench.cpu import CpuMeter
from bench.desks import Desk
from bench.gates import CALLS, scans_by_our_server
from bench.installing import NotInstalled
from bench.lanes import HttpLane, Lane, Sample, take_turns
from bench.plan import LARGEST_DIFFERENCE_OF_EQUALS, Plan
from bench.spread import Spread, ratios_of
from bench.tasks import Move, Push, Task
from bench.wire import Call, ask_once
from bench.words import say

OURS, OURS_AGAIN = "Countinghouse", "Countinghouse again"


@dataclass(frozen=True)
class Work:
    """`tasks` yields one task after another, without end."""

    title: str
    desk: Desk
    tasks: Iterator[Task]
    expected_ids: Callable[[Task], list[str]] | None = None


@dataclass
class Comparison:
    title: str
    engine: str
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)

    def costs(self, lane: str) -> list[float]:
        return [sample.cost_ms for sample in self.samples[lane]]

    def ratios(self, lane: str) -> list[float]:
        return ratios_of(self.costs(lane), self.costs(OURS))

    def times_ours(self, lane: str) -> Spread:
        return Spread.of(self.ratios(lane))

    @property
    def difference_of_equals(self) -> float | None:
        if OURS_AGAIN not in self.samples:
            return None
        first, second = (Spread.of(self.costs(name)).middle for name in (OURS, OURS_AGAIN))
        return abs(first - second) / min(first, second)

    @property
    def is_void(self) -> bool:
        difference = self.difference_of_equals
        return difference is not None and difference > LARGEST_DIFFERENCE_OF_EQUALS


def compare(
    work: Work, contenders: Sequence[Contender], bare: Sequence[Lane], plan: Plan, token: str, folder: Path
) -> Comparison:
    result = Comparison(work.title, work.desk.engine)
    surroundings = Surroundings(work.desk, token, folder)
    if work.desk.postgres is not None and work.expected_ids is not None:
        scans = scans_by_our_server(surroundings, work.tasks)
        result.findings.append(f"In {CALLS} calls our server read a long table from end to end {scans} times.")
    with ExitStack() as stack:
        lanes: list[Lane] = list(bare)
        for contender in (Ours(OURS), Ours(OURS_AGAIN), *contenders):
            try:
                server = stack.enter_context(contender.serve(surroundings))
            except NotInstalled as reason:
                result.left_out[contender.name] = str(reason)
                continue
            _check_answer(work, contender, server.port)
            meter = CpuMeter(server.process, work.desk.postmasters)
            lanes.append(HttpLane(contender.name, meter, server.port, _caller(contender, work.tasks)))
        result.samples = take_turns(lanes, plan, lambda number: say(f"  round {number + 1} of {plan.rounds}"))
    return result


def _caller(contender: Contender, tasks: Iterator[Task]) -> Callable[[], Call]:
    calls_by_task: dict[Task, Call] = {}

    def next_call() -> Call:
        task = next(tasks)
        if task not in calls_by_task:
            call = contender.call_for(task)
            if call is None:
                raise ValueError(f"{contender.name} has no such work to offer: {task}")
            if isinstance(task, Move | Push):
                return call
            calls_by_task[task] = call
        return calls_by_task[task]

    return next_call


def _check_answer(work: Work, contender: Contender, port: int) -> None:
    """A contender with a wrong answer cannot take part."""
    if work.expected_ids is None:
        return
    task = next(work.tasks)
    call = contender.call_for(task)
    if call is None:
        raise ValueError(f"{contender.name} has no such work to offer: {task}")
    answered = contender.ids_in(ask_once(port, call).body)
    expected = work.expected_ids(task)
    if answered != expected:
        raise RuntimeError(f"{contender.name} answered other claims than the database holds: {answered[:3]}…")
