"""The browser chapter of RESULTS.md: ratios with their spread, and whether each target is met."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench.browser.chromium import PHONE
from bench.browser.measure import BrowserResult, Visits
from bench.browser.scrolling import FLYING, READING, Scroll
from bench.browser.visits import Visit, Weight
from bench.spread import Spread, ratios_of

FASTER = {"desktop": 2.0, "phone": 2.2}
MOST_ROWS = 60
# Six frames at sixty frames a second; nobody notices a shorter gap.
FRAME_BATCH_MS = 100.0
# Larger than for CPU time, because this is wall time on a shared machine. Still far below the ratios judged by it.
LARGEST_DIFFERENCE_OF_EQUALS = 0.10

GIVEN = f"""Our web app comes from Countinghouse itself, react-admin's from a small static server that passes API calls
on to the same Countinghouse (HTTP/1.1, files packed by Brotli 11, from memory, on both). The admin is signed in
already; every visit has a browser profile of its own, so nothing is cached. A row counts once it shows an IFSC code
and is painted. Rounds take turns: ours, react-admin, ours again (A/A). react-admin is the production build of its
current version: `<List>` and `<DataTable>` with the same nine columns, 50 rows a page, pages by cursor, no web font,
no telemetry, no bulk actions; on the phone `<SimpleList>`; `<InfiniteList>` for scrolling. The phone is {PHONE.width}
by {PHONE.height} pixels, its processor slowed {PHONE.slowed} times, on a line of {PHONE.bits_a_second / 1e6:g} Mbit/s
with a round trip of {PHONE.round_trip_ms} ms (all emulated by Chromium)."""


@dataclass(frozen=True)
class Measure:
    words: str
    read: Callable[[Visit], float]
    digits: int = 0
    has_ratio: bool = True


FIRST_ROWS = Measure("first rows painted, ms", lambda it: it.first_rows_ms)
BYTES_TO_FIRST_ROWS = Measure("received until the first rows, KB", lambda it: it.bytes_to_first_rows / 1000, 1)
MEASURES = (
    FIRST_ROWS,
    Measure("first paint of anything, ms", lambda it: it.first_paint_ms),
    Measure("processor time of the page until then, ms", lambda it: it.cpu_ms),
    Measure("of it running JavaScript, ms", lambda it: it.script_cpu_ms),
    BYTES_TO_FIRST_ROWS,
    Measure("requests until the first rows", lambda it: it.requests_to_first_rows),
    Measure("tasks over 50 ms until the first rows", lambda it: it.long_tasks, has_ratio=False),
    Measure("the longest of them, ms", lambda it: it.longest_task_ms, has_ratio=False),
)
WEIGHTS: tuple[tuple[str, Callable[[Weight], float], int], ...] = (
    ("received in all, KB", lambda it: it.bytes_all / 1000, 1),
    ("of it JavaScript, KB", lambda it: it.bytes_script / 1000, 1),
    ("requests in all", lambda it: it.requests, 0),
)


@dataclass(frozen=True)
class Target:
    words: str
    wanted: str
    found: str
    is_met: bool


def lines_of(result: BrowserResult) -> list[str]:
    lines = ["## In the browser", "", f"Chromium {result.chromium}. {GIVEN}", ""]
    lines += ["| target | wanted | measured | |", "|---|---|---|---|"]
    for target in targets_of(result):
        lines.append(f"| {target.words} | {target.wanted} | {target.found} | {_verdict(target.is_met)} |")
    for visits in result.visits:
        lines += ["", f"### Opening the claims screen, {visits.profile.name}", "", *_visit_lines(visits)]
    return [*lines, "", "### Scrolling 100,000 claims, desktop", "", *_scroll_lines(result), *_jump_lines(result)]


def targets_of(result: BrowserResult) -> Iterator[Target]:
    for visits in result.visits:
        name = visits.profile.name
        faster = _ratio(_read(visits.theirs, FIRST_ROWS), _read(visits.ours, FIRST_ROWS))
        wanted = FASTER[name]
        words = f"first rows, {name}: times faster than react-admin"
        yield Target(words, f"{wanted:g}", _spread(faster, 2), faster.middle >= wanted)
    gaps = (
        ("longest view without a row while the wheel turns", [it.longest_without_row_ms for it in result.reading_ours]),
        ("longest view with nothing drawn, flying", [it.longest_with_nothing_ms for it in result.flying_ours]),
    )
    for words, gap in gaps:
        is_short = max(gap) <= FRAME_BATCH_MS
        yield Target(f"{words}, ms", f"at most {FRAME_BATCH_MS:g}", f"{max(gap):.0f}", is_short)
    wheeled = [one.most_rows for one in result.reading_ours + result.flying_ours]
    rows = max(wheeled + [jump.most_rows for jump in result.jumps_ours])
    yield Target("most rows in the document", f"about {MOST_ROWS}", f"{rows}", rows <= MOST_ROWS)
    are_there = all(jump.has_rows for jump in result.jumps_ours)
    yield Target("rows appear after every jump of the scrollbar", "yes", "yes" if are_there else "no", are_there)


def _visit_lines(visits: Visits) -> Iterator[str]:
    yield f"Medians of {len(visits.ours)} rounds, with quartiles; a ratio is taken round by round."
    yield ""
    yield "| | Countinghouse | react-admin | react-admin / ours | A/A |"
    yield "|---|---|---|---|---|"
    for measure in MEASURES:
        ours, theirs, again = (_read(lane, measure) for lane in (visits.ours, visits.theirs, visits.ours_again))
        cells = [_spread(Spread.of(lane), measure.digits) for lane in (ours, theirs)]
        if measure.has_ratio and all([*ours, *again]):
            cells += [_spread(_ratio(theirs, ours), 2), _spread(_ratio(again, ours), 2)]
        else:
            cells += ["", ""]
        yield f"| {measure.words} | {' | '.join(cells)} |"
    for words, read, digits in WEIGHTS:
        mine, other = read(visits.ours_weight), read(visits.theirs_weight)
        yield f"| {words} | {mine:,.{digits}f} | {other:,.{digits}f} | {other / mine:.2f} | |"
    difference = abs(_ratio(_read(visits.ours_again, FIRST_ROWS), _read(visits.ours, FIRST_ROWS)).middle - 1)
    if difference > LARGEST_DIFFERENCE_OF_EQUALS:
        yield ""
        yield f"**The machine was restless: the two lanes of ours differ by {difference:.0%}. Run it again.**"


def _scroll_lines(result: BrowserResult) -> Iterator[str]:
    turns = [f"{pace.steps} times by {pace.pixels:,} px" for pace in (READING, FLYING)]
    yield f"The wheel turns {turns[0]}, flying {turns[1]}, {READING.pause_ms} ms between two turns."
    yield "An endless list stops at its end until the next page is there."
    yield ""
    yield "| | Countinghouse | react-admin | Countinghouse, flying |"
    yield "|---|---|---|---|"
    lanes = (result.reading_ours, result.reading_theirs, result.flying_ours)
    measures: tuple[tuple[str, Callable[[Scroll], float], int], ...] = (
        ("last row reached", lambda it: it.last_row, 0),
        ("most rows in the document", lambda it: it.most_rows, 0),
        ("frames", lambda it: it.frames, 0),
        ("frames without a row in view", lambda it: it.frames_without_row, 0),
        ("longest view without a row, ms", lambda it: it.longest_without_row_ms, 0),
        ("longest view without even a placeholder, ms", lambda it: it.longest_with_nothing_ms, 0),
        ("longest time between two frames, ms", lambda it: it.longest_frame_ms, 0),
        ("tasks over 50 ms", lambda it: it.long_tasks, 0),
        ("the longest of them, ms", lambda it: it.longest_task_ms, 0),
        ("processor time a frame, ms", lambda it: it.cpu_ms_a_frame, 1),
        ("processor time for 100 rows passed, ms", lambda it: it.cpu_ms / max(1, it.last_row) * 100, 0),
    )
    for words, read, digits in measures:
        cells = [_spread(Spread.of([read(one) for one in lane]), digits) for lane in lanes]
        yield f"| {words} | {' | '.join(cells)} |"


def _jump_lines(result: BrowserResult) -> Iterator[str]:
    yield ""
    places = dict.fromkeys(jump.to for jump in result.jumps_ours)
    for place in places:
        waits = [jump.rows_after_ms for jump in result.jumps_ours if jump.to == place]
        yield f"- The scrollbar let go at {place}: its rows are painted after {_spread(Spread.of(waits), 0)} ms."


def _read(visits: Sequence[Visit], measure: Measure) -> list[float]:
    return [measure.read(one) for one in visits]


def _spread(spread: Spread, digits: int) -> str:
    low, middle, high = (f"{value:,.{digits}f}" for value in (spread.low, spread.middle, spread.high))
    return middle if low == high else f"{middle} ({low} to {high})"


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "**not met**"


def _ratio(these: Sequence[float], to_those: Sequence[float]) -> Spread:
    return Spread.of(ratios_of(these, to_those))
