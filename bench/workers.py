"""Our page with several worker processes against one: more processes must not make a page dearer."""

from contextlib import ExitStack
from dataclasses import dataclass, field

from bench.contenders.ours import serving
from bench.cpu import CpuMeter
from bench.lanes import HttpLane, Sample, take_turns
from bench.run import Run
from bench.spread import Spread, ratios_of
from bench.tasks import PAGE
from bench.wire import Call

COUNTS = (1, 2, 4)


@dataclass
class Workers:
    claims: int
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def ratio(self, count: int) -> Spread:
        many, one = ([sample.cost_ms for sample in self.samples[str(workers)]] for workers in (count, 1))
        return Spread.of(ratios_of(many, one))


def measure_workers(run: Run) -> Workers:
    desk = run.desk("postgresql", run.plan.large)
    call = Call(f"/api/claims/all?limit={PAGE}", headers=(("Authorization", f"Bearer {run.token(desk)}"),))
    postmaster = desk.postgres.postmaster if desk.postgres else None
    with ExitStack() as stack:
        lanes = []
        for count in COUNTS:
            server = stack.enter_context(serving(desk, run.folder, workers=count))
            lanes.append(HttpLane(str(count), CpuMeter(server.process, postmaster), server.port, lambda: call))
        return Workers(desk.claims, take_turns(lanes, run.plan, lambda _: None))
