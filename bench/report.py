"""The results as a page to read: facts in tables, and the promised values beside the measured ones."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.comparison import Comparison
from bench.flatness import LARGE, SMALL, Flatness
from bench.intake import IntakeComparison
from bench.lanes import Sample
from bench.million import MillionRows
from bench.parts import WITH, WITHOUT, Parts
from bench.plan import LARGEST_DIFFERENCE_OF_EQUALS
from bench.results import Results
from bench.spread import Spread, percentile
from bench.targets import judge
from bench.whole_list import ListComparison
from bench.workers import Workers

NOTES = Path(__file__).parent / "NOTES.md"


def written(results: Results, machine: dict[str, str]) -> str:
    parts = ["# What `make bench` found", _machine(machine), _targets(results)]
    parts += [_comparison(comparison) for comparison in results.comparisons.values()]
    if results.flatness is not None:
        parts.append(_flatness(results.flatness))
    if results.parts is not None:
        parts.append(_parts(results.parts))
    if results.workers is not None:
        title = f"## Worker processes, and lists on a replica: a page of {results.workers.claims:,} claims, postgresql"
        parts.append(f"{title}\n\n{workers_table(results.workers)}")
    if results.million:
        parts.append(_million(results.million))
    parts += ["\n".join(chapter.lines).strip() for chapter in results.chapters]
    parts += [f"**{key}** could not be measured: {reason}." for key, reason in results.failures.items()]
    parts.append(NOTES.read_text().strip())
    return "\n\n".join(parts) + "\n"


def targets_table(results: Results) -> str:
    rows = [(one.work, one.against, one.target, one.measured, one.verdict) for one in judge(results)]
    return table(("work", "against", "target", "measured (quartiles)", "verdict"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(' '.join(cell.split()) for cell in line)} |" for line in lines)


def _machine(machine: dict[str, str]) -> str:
    return "\n".join(f"- **{name}:** {value}" for name, value in machine.items())


def _targets(results: Results) -> str:
    return f"## Promised and found\n\n{targets_table(results)}"


def comparison_table(comparison: Comparison) -> str:
    return table(
        (
            "",
            "CPU a request, ms",
            "server + database",
            "times Countinghouse (quartiles)",
            "p50 / p99, ms",
            "calls a round",
        ),
        [_lane(comparison, name, samples) for name, samples in comparison.samples.items()],
    )


def _lane(comparison: Comparison, name: str, samples: Sequence[Sample]) -> tuple[str, ...]:
    cost = Spread.of([sample.cost_ms for sample in samples])
    server = Spread.of([sample.cpu.server_ns / sample.calls / 1e6 for sample in samples])
    database = Spread.of([sample.cpu.database_ns / sample.calls / 1e6 for sample in samples])
    times = comparison.times_ours(name)
    latencies = [latency / 1e6 for sample in samples for latency in sample.latencies_ns]
    return (
        name,
        f"{cost.middle:.2f} ({cost.low:.2f}-{cost.high:.2f})",
        f"{server.middle:.2f} + {database.middle:.2f}",
        f"{times.middle:.2f} ({times.low:.2f}-{times.high:.2f})",
        f"{percentile(latencies, 50):.1f} / {percentile(latencies, 99):.1f}",
        str(samples[0].calls),
    )


def _comparison(comparison: Comparison) -> str:
    lines = [f"## {comparison.title}, {comparison.engine}", equals(comparison), comparison_table(comparison)]
    if isinstance(comparison, ListComparison):
        lines.append(memory_table(comparison))
    if isinstance(comparison, IntakeComparison):
        lines.append(f"Our own rates, in rows a second:\n\n{rates_table(comparison)}")
    if comparison.findings:
        lines.append("\n".join(f"- {finding}" for finding in comparison.findings))
    lines += [f"{name} took no part: {reason}." for name, reason in comparison.left_out.items()]
    return "\n\n".join(lines)


def equals(comparison: Comparison) -> str:
    difference = comparison.difference_of_equals
    if difference is None:
        return "Our server ran once only."
    sentence = f"Our own server, measured twice, differs by {difference:.1%}"
    if comparison.is_void:
        return (
            f"**VOID:** {sentence.lower()}, more than {LARGEST_DIFFERENCE_OF_EQUALS:.0%}: the machine was too restless."
        )
    return f"{sentence}."


def memory_table(comparison: ListComparison) -> str:
    rows = [
        (name, f"{megabytes:.1f}", f"{comparison.memory_of_slow_reader[name]:.1f}")
        for name, megabytes in comparison.memory.items()
    ]
    caption = f"Peak memory above the idle, freshly started server, for {comparison.megabytes:.0f} MB of JSON:"
    return f"{caption}\n\n{table(('', 'reader that keeps up, MB', 'slow reader, MB'), rows)}"


def rates_table(comparison: IntakeComparison) -> str:
    rows = [
        (rate.engine, rate.noun, str(rate.pushers), f"{rate.by_clock:,.0f}", f"{rate.by_cpu:,.0f}")
        for rate in comparison.rates
    ]
    return table(("engine", "rows", "pushers", "by the clock", "by CPU time"), rows)


def flatness_table(flat: Flatness) -> str:
    rows = []
    for page, samples in flat.samples.items():
        large, small = (Spread.of([sample.cost_ms for sample in samples[name]]).middle for name in (LARGE, SMALL))
        ratio = flat.ratio(page)
        rows.append((*page, f"{large:.2f}", f"{small:.2f}", f"{ratio.middle:.2f} ({ratio.low:.2f}-{ratio.high:.2f})"))
    return table(("engine", "page", f"{flat.large:,} rows, ms", f"{flat.small:,} rows, ms", "ratio (quartiles)"), rows)


def _flatness(flat: Flatness) -> str:
    return f"## Our pages as the desk grows\n\nCPU a request, server and database.\n\n{flatness_table(flat)}"


def workers_table(workers: Workers) -> str:
    rows = []
    for setup, samples in workers.samples.items():
        cost, ratio = Spread.of([sample.cost_ms for sample in samples]), workers.ratio(setup)
        rows.append((setup, f"{cost.middle:.3f}", f"{ratio.middle:.3f} ({ratio.low:.3f}-{ratio.high:.3f})"))
    return table(("set-up", "CPU a page, ms, server and databases", "times one process (quartiles)"), rows)


def parts_table(parts: Parts) -> str:
    rows = []
    for one in parts.measured:
        costs = (Spread.of([sample.cost_ms for sample in one.samples[name]]).middle for name in (WITH, WITHOUT))
        ratio = one.ratio
        spread = f"{ratio.middle:.3f} ({ratio.low:.3f}-{ratio.high:.3f})"
        rows.append((one.engine, one.part.name, one.request, *(f"{cost:.3f}" for cost in costs), spread))
    return table(("engine", "part", "request", "with it, ms", "without, ms", "ratio (quartiles)"), rows)


def _parts(parts: Parts) -> str:
    intro = (
        "Each against the same server without that part. CPU a request. Marks: findings of purchases, banks of claims."
    )
    return f"## What parts of our server cost\n\n{intro}\n\n{parts_table(parts)}"


def million_table(found: list[MillionRows]) -> str:
    head = (
        "engine",
        "answer",
        "peak extra memory",
        "first byte",
        "pages alone, p50 / p99",
        "pages meanwhile, p50 / p99 / worst",
    )
    rows = [
        (
            rows.engine,
            f"{rows.megabytes:.0f} MB in {rows.seconds:.1f} s",
            f"{rows.extra_memory:.1f} MB",
            f"{rows.first_byte_ms:.1f} ms",
            f"{rows.alone.p50_ms:.1f} / {rows.alone.p99_ms:.1f} ms",
            f"{rows.meanwhile.p50_ms:.1f} / {rows.meanwhile.p99_ms:.1f} / {rows.meanwhile.worst_ms:.0f} ms",
        )
        for rows in found
    ]
    return table(head, rows)


def _million(found: list[MillionRows]) -> str:
    return f"## Our whole list of {found[0].claims:,} claims\n\n{million_table(found)}"
