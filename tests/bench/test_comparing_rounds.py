import pytest

from bench.comparison import OURS, OURS_AGAIN, Comparison
from bench.cpu import CpuReading
from bench.lanes import Lane, Sample, take_turns
from bench.plan import QUICK
from bench.results import Results
from bench.spread import Spread, percentile, ratios_of
from bench.targets import MET, NOT_MEASURED, NOT_MET, VOID, judge


def samples(*costs_ms: float) -> list[Sample]:
    return [Sample(10, CpuReading(round(cost * 1e7), 0), [1]) for cost in costs_ms]


def page_comparison(ours: list[Sample], again: list[Sample], **peers: list[Sample]) -> Comparison:
    named = {name.replace("_", " "): values for name, values in peers.items()}
    return Comparison("Page", "postgresql", {OURS: ours, OURS_AGAIN: again, **named})


def verdicts(comparison: Comparison) -> dict[str, str]:
    return {one.against: one.verdict for one in judge(Results({"page": comparison}))}


def test_a_spread_is_the_median_between_its_quartiles() -> None:
    assert Spread.of([5, 1, 4, 2, 3]) == Spread(2, 3, 4)
    assert Spread.of([7]) == Spread(7, 7, 7)


def test_ratios_are_taken_round_by_round() -> None:
    assert ratios_of([2, 20], [1, 10]) == [2, 2]


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile(list(range(1, 101)), 99) == 100
    assert percentile([3.0], 50) == 3.0


def test_a_target_is_met_not_met_or_not_measured() -> None:
    found = page_comparison(samples(1, 1), samples(1, 1), bare_database=samples(0.4, 0.4))
    found.samples["Express + pg"] = samples(1.4, 1.4)
    found.samples["Fastify + pg"] = samples(1.2, 1.2)
    found.left_out["Directus"] = "npm did not finish"
    judged = verdicts(found)
    assert judged["bare database"] == NOT_MET
    assert judged["Express + pg"] == NOT_MET
    assert judged["Fastify + pg"] == MET
    assert judged["Directus"] == NOT_MEASURED


def test_a_comparison_is_void_when_our_server_differs_from_itself() -> None:
    found = page_comparison(samples(1, 1), samples(1.06, 1.06), bare_database=samples(1, 1))
    assert found.is_void
    assert verdicts(found)["bare database"] == VOID
    assert not page_comparison(samples(1, 1), samples(1.04, 1.04)).is_void


class CountingLane:
    fewest_calls = 1

    def __init__(self, name: str, cost_ms: float, turns: list[str]) -> None:
        self.name, self._cost_ms, self._turns = name, cost_ms, turns

    def run(self, calls: int) -> Sample:
        self._turns.append(self.name)
        return Sample(calls, CpuReading(round(calls * self._cost_ms * 1e6), 0), [])


def test_lanes_take_turns_and_each_round_begins_with_another_lane() -> None:
    turns: list[str] = []
    lanes: list[Lane] = [CountingLane("cheap", 0.01, turns), CountingLane("dear", 1e3, turns)]
    found = take_turns(lanes, QUICK, lambda _: None)
    assert turns[4:8] == ["cheap", "dear", "dear", "cheap"]
    assert {len(of_lane) for of_lane in found.values()} == {QUICK.rounds}
    assert found["dear"][0].calls == 1
    assert found["cheap"][0].calls == QUICK.most_calls_a_round
    assert found["dear"][0].cost_ms == pytest.approx(1e3)
