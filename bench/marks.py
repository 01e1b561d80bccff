"""What the marks cost: our page with findings and banks against the same page of the same server without them."""

import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.contenders.contender import free_port
from bench.cpu import CpuMeter
from bench.desks import COMMAND, environment_of_command
from bench.lanes import HttpLane, Sample, take_turns
from bench.processes import running
from bench.run import ENGINES, Run
from bench.spread import Spread, ratios_of
from bench.tasks import PAGE
from bench.wire import Call

MARKED, UNMARKED = "with marks", "without"
PROGRAMS = {MARKED: [COMMAND], UNMARKED: [sys.executable, "-m", "bench.unmarked_server"]}
PAGES = {"purchases": f"/api/purchases/all?limit={PAGE}", "claims": f"/api/claims/all?limit={PAGE}"}
ROOT = Path(__file__).parent.parent


@dataclass
class Marks:
    samples: dict[tuple[str, str], dict[str, list[Sample]]] = field(default_factory=dict)

    def ratio(self, page: tuple[str, str]) -> Spread:
        marked, unmarked = ([sample.cost_ms for sample in self.samples[page][name]] for name in (MARKED, UNMARKED))
        return Spread.of(ratios_of(marked, unmarked))


def measure_marks(run: Run) -> Marks:
    result = Marks()
    for engine in ENGINES:
        desk = run.desk(engine, run.plan.large)
        bearer = ("Authorization", f"Bearer {run.token(desk)}")
        environment = environment_of_command(desk.url, run.folder) | {"PYTHONPATH": str(ROOT)}
        with ExitStack() as stack:
            servers = {}
            for name, program in PROGRAMS.items():
                port = free_port()
                command = [*program, "serve", "--port", str(port)]
                servers[name] = stack.enter_context(running(command, environment, run.folder, port, Call("/readyz")))
            for page, target in PAGES.items():
                call = Call(target, headers=(bearer,))
                lanes = [
                    HttpLane(
                        name,
                        CpuMeter(server.process, desk.postgres.postmaster if desk.postgres else None),
                        server.port,
                        lambda call=call: call,  # type: ignore[misc]
                    )
                    for name, server in servers.items()
                ]
                result.samples[engine, page] = take_turns(lanes, run.plan, lambda _: None)
    return result
