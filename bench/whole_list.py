"""The whole list in one answer: CPU time, wall time, and the memory it takes on a fresh server."""

import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median

from bench.comparison import OURS, OURS_AGAIN, Comparison
from bench.contenders.contender import Contender, Surroundings
from bench.contenders.ours import Ours
from bench.cpu import CpuMeter
from bench.downloads import download
from bench.installing import NotInstalled
from bench.lanes import SETTLING_SECONDS, Sample
from bench.memory import PeakMemory
from bench.processes import Running
from bench.run import Run
from bench.tasks import NewestPage, WholeList
from bench.wire import Call, Connection, ask_once
from bench.words import say
from bench.works import WITH_CHANGES, peers

WARM_UP_PAGES = 20
IDLE_SECONDS = 0.5


@dataclass
class ListComparison(Comparison):
    """Memory in megabytes above the idle server, for a reader that keeps up and for one that does not."""

    memory: dict[str, float] = field(default_factory=dict)
    memory_of_slow_reader: dict[str, float] = field(default_factory=dict)
    megabytes: float = 0.0


def compare_whole_list(run: Run) -> ListComparison:
    desk = run.desk("postgresql", run.plan.listed)
    result = ListComparison(f"Whole list of {desk.claims:,} claims", desk.engine)
    surroundings = Surroundings(desk, run.token(desk), run.folder)
    contenders: list[Contender] = [Ours(OURS), Ours(OURS_AGAIN), *peers(run, *WITH_CHANGES)]
    for contender in list(contenders):
        try:
            result.memory[contender.name] = _memory(run, contender, surroundings, is_slow=False)
            result.memory_of_slow_reader[contender.name] = _memory(run, contender, surroundings, is_slow=True)
        except NotInstalled as reason:
            result.left_out[contender.name] = str(reason)
            contenders.remove(contender)
    _take_turns(run, contenders, surroundings, result)
    return result


def _memory(run: Run, contender: Contender, surroundings: Surroundings, is_slow: bool) -> float:
    """Each time on a fresh server: one that has answered before reuses its memory and would seem to need none."""
    peaks = []
    for _ in range(run.plan.fresh_starts):
        with contender.serve(surroundings) as server:
            _warm_up(contender, server)
            peak = PeakMemory(server.process)
            download(server.port, _call(contender), is_slow)
            peaks.append(peak.extra_megabytes())
    return median(peaks)


def _warm_up(contender: Contender, server: Running) -> None:
    page = contender.call_for(NewestPage())
    with Connection(server.port) as connection:
        for _ in range(WARM_UP_PAGES if page else 0):
            connection.ask(page or Call("/"))
    time.sleep(IDLE_SECONDS)


def _take_turns(run: Run, contenders: Sequence[Contender], surroundings: Surroundings, result: ListComparison) -> None:
    with ExitStack() as stack:
        servers = {contender.name: stack.enter_context(contender.serve(surroundings)) for contender in contenders}
        for contender in contenders:
            body = ask_once(servers[contender.name].port, _call(contender)).body
            if len(json.loads(body)) != surroundings.desk.claims:
                raise RuntimeError(f"{contender.name} did not answer the whole list.")
            result.megabytes = max(result.megabytes, len(body) / 1e6)
            result.samples[contender.name] = []
        for number in range(run.plan.list_rounds):
            say(f"  round {number + 1} of {run.plan.list_rounds}")
            for contender in contenders:
                server = servers[contender.name]
                meter = CpuMeter(server.process, surroundings.desk.postmasters)
                before = meter.read()
                loaded = download(server.port, _call(contender))
                time.sleep(SETTLING_SECONDS)
                sample = Sample(1, meter.read() - before, [round(loaded.seconds * 1e9)])
                result.samples[contender.name].append(sample)


def _call(contender: Contender) -> Call:
    call = contender.call_for(WholeList())
    if call is None:
        raise ValueError(f"{contender.name} has no whole list to offer")
    return call
