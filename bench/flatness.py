"""Our own pages on a large database against a small one: a page must not cost more because there are more rows."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import cycle

from bench.contenders.contender import Surroundings
from bench.contenders.ours import Ours
from bench.cpu import CpuMeter
from bench.desks import Desk
from bench.lanes import HttpLane, Sample, take_turns
from bench.run import ENGINES, Run
from bench.spread import Spread, ratios_of
from bench.tasks import NewestPage, SearchedPage, StatusPage, Task
from bench.works import last_page, some_mobiles

LARGE, SMALL = "large", "small"
PAGES: dict[str, Callable[[Desk], list[Task]]] = {
    "first page": lambda _: [NewestPage()],
    "last page": lambda desk: [last_page(desk)],
    "page of one status": lambda _: [StatusPage("Pending")],
    "search with few hits": lambda desk: [SearchedPage(mobile) for mobile in some_mobiles(desk)],
}


@dataclass
class Flatness:
    large: int
    small: int
    samples: dict[tuple[str, str], dict[str, list[Sample]]] = field(default_factory=dict)

    def ratio(self, page: tuple[str, str]) -> Spread:
        large, small = ([sample.cost_ms for sample in self.samples[page][name]] for name in (LARGE, SMALL))
        return Spread.of(ratios_of(large, small))


def measure_flatness(run: Run) -> Flatness:
    result = Flatness(run.plan.large.claims, run.plan.small.claims)
    for engine in ENGINES:
        desks = {LARGE: run.desk(engine, run.plan.large), SMALL: run.desk(engine, run.plan.small)}
        with ExitStack() as stack:
            ours = {name: Ours(name) for name in desks}
            meters, ports = {}, {}
            for name, desk in desks.items():
                server = stack.enter_context(ours[name].serve(Surroundings(desk, run.token(desk), run.folder)))
                meters[name] = CpuMeter(server.process, desk.postmasters)
                ports[name] = server.port
            for page, tasks_on in PAGES.items():
                lanes = []
                for name, desk in desks.items():
                    calls = cycle([ours[name].call_for(task) for task in tasks_on(desk)])
                    lanes.append(HttpLane(name, meters[name], ports[name], calls.__next__))
                plan = replace(run.plan, rounds=max(3, run.plan.rounds // 2 + 1))
                result.samples[engine, page] = take_turns(lanes, plan, lambda _: None)
    return result
