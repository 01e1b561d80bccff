"""What the project promised before it was measured, and whether one run meets it."""

from collections.abc import Iterator
from dataclasses import dataclass

from bench.bare import BARE
from bench.comparison import OURS, Comparison
from bench.intake import IntakeComparison
from bench.million import MillionRows
from bench.results import Results
from bench.spread import Spread
from bench.whole_list import ListComparison
from bench.workers import MANY

MET, NOT_MET, VOID, NOT_MEASURED = "met", "NOT MET", "void", "not measured"

MOST_TIMES_BARE = 2.0
MOST_TIMES_SMALL = 1.5
MOST_TIMES_ONE_PROCESS = 1.1
MOST_SHARE_OF_MEMORY = 0.1
MOST_EXTRA_MEGABYTES = 50.0
MOST_FIRST_BYTE_MS = 100.0
# Rows a second through the intake, by engine.
FEWEST_ROWS = {"postgresql": 2_000, "sqlite": 1_000}
# By task and peer: the minimum CPU time of the peer, as a multiple of our own server's.
TIMES_OURS = {
    "page": {
        "Django REST framework": 7.0,
        "Express + pg": 1.5,
        "Fastify + pg": 1.2,
        "Django admin": 40.0,
        "starlette-admin": 100.0,
        "Directus": 9.0,
    },
    "page-sqlite": {"Django REST framework": 11.0, "Django admin": 60.0},
    "list": {"Django REST framework": 9.0, "Express + pg": 1.6},
    "change": {"Django REST framework": 3.0, "Express + pg": 1.2},
    "intake": {"Django REST framework": 3.0, "Express + pg": 1.2},
}


@dataclass(frozen=True)
class Judgement:
    work: str
    against: str
    target: str
    measured: str
    verdict: str


def judge(results: Results) -> list[Judgement]:
    judgements: list[Judgement] = []
    for key, comparison in results.comparisons.items():
        judgements += _judge_comparison(key, comparison)
        if isinstance(comparison, IntakeComparison):
            judgements += _judge_rates(comparison)
    if results.whole_list is not None:
        judgements += _judge_memory(results.whole_list)
    if results.flatness is not None:
        flat = results.flatness
        for page in flat.samples:
            ratio = flat.ratio(page)
            target = f"at most {MOST_TIMES_SMALL} times"
            verdict = MET if ratio.middle <= MOST_TIMES_SMALL else NOT_MET
            work = f"{page[1]}, {flat.large:,} rows, {page[0]}"
            judgements.append(Judgement(work, f"{flat.small:,} rows", target, _written(ratio), verdict))
    for one in results.parts.measured if results.parts is not None else ():
        verdict = MET if one.ratio.middle < one.part.below else NOT_MET
        work, target = f"{one.request} with {one.part.name}, {one.engine}", f"under {one.part.below} times"
        judgements.append(Judgement(work, f"without {one.part.name}", target, _written(one.ratio), verdict))
    if results.workers is not None:
        for setup in MANY:
            ratio = results.workers.ratio(setup)
            verdict = MET if ratio.middle <= MOST_TIMES_ONE_PROCESS else NOT_MET
            target = f"at most {MOST_TIMES_ONE_PROCESS} times"
            judgements.append(Judgement(f"page with {setup}", "one process", target, _written(ratio), verdict))
    for rows in results.million:
        judgements += _judge_million(rows)
    return judgements


def _judge_comparison(key: str, comparison: Comparison) -> Iterator[Judgement]:
    title = f"{comparison.title}, {comparison.engine}"
    if key == "page" and BARE in comparison.samples:
        ratio = Spread.of([1 / value for value in comparison.ratios(BARE)])
        verdict = _verdict(comparison, ratio.middle <= MOST_TIMES_BARE)
        yield Judgement(title, BARE, f"at most {MOST_TIMES_BARE} times its cost", _written(ratio), verdict)
    for peer, at_least in TIMES_OURS.get(key, {}).items():
        target = f"{at_least:g} times cheaper"
        if peer not in comparison.samples:
            yield Judgement(title, peer, target, comparison.left_out.get(peer, "-"), NOT_MEASURED)
            continue
        ratio = comparison.times_ours(peer)
        yield Judgement(title, peer, target, _written(ratio), _verdict(comparison, ratio.middle >= at_least))


def _judge_rates(comparison: IntakeComparison) -> Iterator[Judgement]:
    for rate in comparison.rates:
        fewest = FEWEST_ROWS[rate.engine]
        work = f"{rate.noun} in batches, {rate.pushers} pushing, {rate.engine}"
        measured = f"{rate.by_clock:,.0f} ({rate.by_cpu:,.0f} by CPU time)"
        verdict = MET if rate.by_clock >= fewest else NOT_MET
        yield Judgement(work, "the clock", f"{fewest:,} rows a second", measured, verdict)


def _judge_memory(comparison: ListComparison) -> Iterator[Judgement]:
    for peer in TIMES_OURS["list"]:
        if peer in comparison.memory:
            share = comparison.memory[OURS] / comparison.memory[peer]
            measured = f"{comparison.memory[OURS]:.1f} of {comparison.memory[peer]:.0f} MB ({share:.3f})"
            verdict = MET if share <= MOST_SHARE_OF_MEMORY else NOT_MET
            yield Judgement(f"{comparison.title}, extra memory", peer, "a tenth", measured, verdict)


def _judge_million(rows: MillionRows) -> Iterator[Judgement]:
    work = f"Whole list of {rows.claims:,} claims, {rows.engine}"
    memory = MET if rows.extra_memory < MOST_EXTRA_MEGABYTES else NOT_MET
    yield Judgement(
        work, "peak extra memory", f"under {MOST_EXTRA_MEGABYTES:g} MB", f"{rows.extra_memory:.1f} MB", memory
    )
    first = MET if rows.first_byte_ms < MOST_FIRST_BYTE_MS else NOT_MET
    yield Judgement(work, "first byte", f"under {MOST_FIRST_BYTE_MS:g} ms", f"{rows.first_byte_ms:.1f} ms", first)
    pages = rows.meanwhile
    measured = f"{pages.calls} pages, p50 {pages.p50_ms:.1f} ms, worst {pages.worst_ms:.0f} ms"
    answers = MET if pages.worst_ms < rows.seconds * 1e3 else NOT_MET
    yield Judgement(work, "other requests meanwhile", "keep answering", measured, answers)


def _verdict(comparison: Comparison, is_met: bool) -> str:
    if comparison.is_void:
        return VOID
    return MET if is_met else NOT_MET


def _written(ratio: Spread) -> str:
    return f"{ratio.middle:.2f} ({ratio.low:.2f}-{ratio.high:.2f})"
