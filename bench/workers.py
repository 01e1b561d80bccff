"""Our page with several worker processes, and with lists on a replica, against one process and one database."""

from contextlib import ExitStack
from dataclasses import dataclass, field

from bench.cluster import running_replica
from bench.contenders.ours import serving
from bench.cpu import CpuMeter, cpu_of_backends
from bench.lanes import HttpLane, Lane, Sample, take_turns
from bench.run import Run
from bench.spread import Spread, ratios_of
from bench.tasks import PAGE
from bench.wire import Call

ONE = "1 process"
MANY = {"2 processes": 2, "4 processes": 4}
# Dearer for the sum of both databases: the primary is asked how far the replica has to be.
ON_REPLICA = "1 process, lists on a replica"


@dataclass
class Workers:
    claims: int
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def ratio(self, setup: str) -> Spread:
        costs = ([sample.cost_ms for sample in self.samples[name]] for name in (setup, ONE))
        return Spread.of(ratios_of(*costs))


def measure_workers(run: Run) -> Workers:
    desk = run.desk("postgresql", run.plan.large)
    call = Call(f"/api/claims/all?limit={PAGE}", headers=(("Authorization", f"Bearer {run.token(desk)}"),))
    with ExitStack() as stack:
        replica = stack.enter_context(running_replica(run.postgres, run.folder))
        lanes: list[Lane] = []
        for name, count in ({ONE: 1} | MANY).items():
            server = stack.enter_context(serving(desk, run.folder, workers=count))
            lanes.append(HttpLane(name, CpuMeter(server.process, desk.postmasters), server.port, lambda: call))
        reader = stack.enter_context(serving(desk, run.folder, COUNTINGHOUSE_REPLICA_URL=replica.url(desk.name)))
        both = CpuMeter(reader.process, (*desk.postmasters, replica.postmaster))
        lanes.append(HttpLane(ON_REPLICA, both, reader.port, lambda: call))
        before = cpu_of_backends(replica.postmaster)
        found = take_turns(lanes, run.plan, lambda _: None)
        if cpu_of_backends(replica.postmaster) == before:
            raise RuntimeError("The replica has answered nothing, so the primary did.")
        return Workers(desk.claims, found)
