"""`make bench`: fill, install, measure, report."""

import argparse
import fcntl
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import report, works
from bench.cluster import running_cluster
from bench.comparison import Comparison
from bench.flatness import Flatness, measure_flatness
from bench.intake import IntakeComparison, compare_intake
from bench.machine import describe
from bench.million import measure_million
from bench.parts import Parts, measure_parts
from bench.plan import FULL, QUICK
from bench.results import Chapter, Found, Results
from bench.run import Run
from bench.whole_list import ListComparison, compare_whole_list
from bench.words import say
from bench.workers import Workers, measure_workers

HERE = Path(__file__).parent


def _browser(run: Run) -> Chapter:
    # Imported only here, because the rest needs no browser.
    from bench.browser.chapter import browser_chapter

    return Chapter(browser_chapter(run.folder, is_quick=run.plan.is_quick))


WORKS: dict[str, Callable[[Run], Found]] = {
    "page": works.compare_newest_page,
    "page-sqlite": works.compare_newest_page_on_sqlite,
    "search": works.compare_searched_page,
    "deep": works.compare_deep_page,
    "list": compare_whole_list,
    "change": works.compare_status_change,
    "intake": compare_intake,
    "flat": measure_flatness,
    "parts": measure_parts,
    "workers": measure_workers,
    "million": measure_million,
    "browser": _browser,
}
LANES = {"bare", *works.ALL_PEERS}


def main() -> None:
    options = _options()
    folder: Path = options.folder.resolve()
    chosen, lanes = _names(options.only, set(WORKS)), _names(options.lanes, LANES)
    results = Results()
    with _alone_in(folder), running_cluster(folder) as postgres:
        run = Run(QUICK if options.quick else FULL, folder, postgres, lanes)
        for key, measure in WORKS.items():
            if not chosen or key in chosen:
                say(f"\n== {key}")
                _measure(key, measure, run, results)
        machine = describe(postgres)
    say(f"\n{report.targets_table(results)}")
    is_whole = not (chosen or lanes or options.quick)
    target = (HERE if is_whole else folder) / "RESULTS.md"
    target.write_text(report.written(results, machine))
    say(f"\nWritten to {target.name} in {'bench/' if is_whole else 'the work folder'}.")
    if results.failures:
        sys.exit(f"Not measured: {', '.join(results.failures)}.")


def _measure(key: str, measure: Callable[[Run], Found], run: Run, results: Results) -> None:
    """A failing comparison does not stop the others, because a complete run takes long."""
    try:
        found = measure(run)
    except Exception as error:
        traceback.print_exc()
        results.failures[key] = f"{type(error).__name__}, see the run's own words"
        return
    results.add(key, found)
    _show(found)


def _show(found: Found) -> None:
    match found:
        case Comparison():
            say(f"{report.equals(found)}\n{report.comparison_table(found)}")
            if isinstance(found, ListComparison):
                say(report.memory_table(found))
            if isinstance(found, IntakeComparison):
                say(report.rates_table(found))
            for name, reason in found.left_out.items():
                say(f"{name} took no part: {reason}")
            say("\n".join(found.findings))
        case Chapter():
            say("\n".join(found.lines))
        case Flatness():
            say(report.flatness_table(found))
        case Parts():
            say(report.parts_table(found))
        case Workers():
            say(report.workers_table(found))
        case _:
            say(report.million_table(found))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", default="", help=f"works, by commas: {', '.join(WORKS)}")
    parser.add_argument(
        "--lanes", default="", help=f"what runs beside our server, by commas: {', '.join(sorted(LANES))}"
    )
    parser.add_argument("--quick", action="store_true", help="small databases and few rounds: shows that it runs")
    parser.add_argument("--folder", type=Path, default=HERE / ".work", help="where databases are kept between runs")
    return parser.parse_args()


def _names(given: str, known: set[str]) -> frozenset[str]:
    names = frozenset(part.strip() for part in given.split(",") if part.strip())
    if names - known:
        sys.exit(f"Unknown: {', '.join(sorted(names - known))}. Known: {', '.join(sorted(known))}.")
    return names


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit("Another benchmark is running in this folder.")
        yield


if __name__ == "__main__":
    main()
