"""`make drill`: the long forms, on both databases. Ends with 1 when anything was found that must not be."""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from drills.batches_killed import kill_in_the_middle
from drills.lost_replies import lose_replies
from drills.pairs import NAIVE, two_servers
from drills.picture_flood import flood
from drills.races import race
from tests.databases import Place, Template, desk_template, migrated_template
from tests.postgres_server import running_postgres
from tests.servers import started_server

RACES = 2_000
RACES_OF_THE_CONTROL = 100
MOVES = 10_000
MOVES_OF_THE_CONTROL = 600
BATCH_ROWS = 10_000

# What it found, in a sentence, and what of that must not be.
Found = tuple[str, list[str]]
Drill = Callable[[str, Template], Found]


def races(url: str, _template: Template) -> Found:
    with two_servers(url) as servers:
        result = race(url, servers, races=RACES)
    return f"{result.races} races of 32 admins: {len(result.faults)} without exactly one winner", [*result.faults]


def races_of_the_control(url: str, _template: Template) -> Found:
    with two_servers(url, NAIVE) as servers:
        result = race(url, servers, races=RACES_OF_THE_CONTROL)
    caught = [fault for fault in result.faults if "winners" in fault]
    missed = [] if caught else ["The naive move was not caught."]
    return f"{result.races} races on the naive move: {len(caught)} caught", missed


def lost_replies(url: str, _template: Template) -> Found:
    with two_servers(url) as servers:
        result = lose_replies(url, servers, moves=MOVES)
    found = f"{result.moves} moves in {result.tries} tries, {dict(result.fates)}: {len(result.misled)} admins misled"
    return f"{found}, {len(result.faults)} moves not made exactly once", [*result.misled, *result.faults]


def lost_replies_without_keys(url: str, _template: Template) -> Found:
    with two_servers(url) as servers:
        result = lose_replies(url, servers, moves=MOVES_OF_THE_CONTROL, with_keys=False)
    missed = [] if result.misled else ["Nobody was misled without keys: the line loses too little to show anything."]
    return f"{result.moves} moves without keys: {len(result.misled)} admins misled", [*missed, *result.faults]


def batch_killed(url: str, template: Template) -> Found:
    killed = kill_in_the_middle(url, template.tokens["asha"], rows=BATCH_ROWS, kills=3)
    return f"a batch of {killed.rows}, killed after {killed.done_at_kills} rows: whole in the end, nothing twice", []


def picture_flood(url: str, _template: Template) -> Found:
    with started_server(url) as server:
        result = flood(url, server.url, server.process.pid, pictures=50, seconds=60)
    found = f"50 senders of pictures for a minute, {dict(result.answers)}: other calls within "
    return f"{found}{result.slowest_seconds:.1f} s, {result.growth_megabytes:.0f} MB more", [*result.faults]


DRILLS: tuple[Drill, ...] = (
    races,
    races_of_the_control,
    lost_replies,
    lost_replies_without_keys,
    batch_killed,
    picture_flood,
)


@contextmanager
def sqlite(folder: Path) -> Iterator[Place]:
    yield Place(folder, None)


@contextmanager
def postgresql(folder: Path) -> Iterator[Place]:
    with running_postgres() as server:
        yield Place(folder, server)


def main() -> int:
    everything_wrong = []
    for engine, made_in in (("SQLite", sqlite), ("PostgreSQL", postgresql)):
        with tempfile.TemporaryDirectory(prefix="countinghouse-drill-") as folder, made_in(Path(folder)) as place:
            template = desk_template(place, migrated_template(place))
            for drill in DRILLS:
                began = time.monotonic()
                url = place.copied(template)
                found, wrong = drill(url, template)
                place.remove(url)
                print(f"{engine}: {found} ({time.monotonic() - began:.0f} s)", *wrong[:20], sep="\n  ", flush=True)
                everything_wrong += wrong
    print(f"{len(everything_wrong)} things are wrong." if everything_wrong else "Nothing is wrong.")
    return 1 if everything_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
