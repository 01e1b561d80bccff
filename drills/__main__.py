"""`make drill`: the long versions, on both databases. Exits with 1 if anything is wrong.

python -m drills [NAME …]        only these, by the names of the functions in long_forms.py and own_forms.py
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from drills.long_forms import DRILLS, Found
from drills.own_forms import OWN_DRILLS
from tests.databases import Place, desk_template, migrated_template
from tests.postgres_server import running_postgres


@contextmanager
def sqlite(folder: Path) -> Iterator[Place]:
    yield Place(folder, None)


@contextmanager
def postgresql(folder: Path) -> Iterator[Place]:
    with running_postgres() as server:
        yield Place(folder, server)


def _report(engine: str, drill: Callable[[], Found]) -> list[str]:
    began = time.monotonic()
    found, wrong = drill()
    print(f"{engine}: {found} ({time.monotonic() - began:.0f} s)", *wrong[:20], sep="\n  ", flush=True)
    return wrong


def main(names: list[str]) -> int:
    known = {drill.__name__ for drill in DRILLS}.union(*OWN_DRILLS.values())
    if unknown := sorted({*names} - known):
        sys.exit(f"There is no drill named {' or '.join(unknown)}.")
    everything_wrong: list[str] = []
    for engine, made_in in (("SQLite", sqlite), ("PostgreSQL", postgresql)):
        with tempfile.TemporaryDirectory(prefix="countinghouse-drill-") as folder, made_in(Path(folder)) as place:
            template = desk_template(place, migrated_template(place))
            for drill in DRILLS:
                if names and drill.__name__ not in names:
                    continue
                url = place.copied(template)
                everything_wrong += _report(engine, partial(drill, url, template))
                place.remove(url)
        for name, own_drill in OWN_DRILLS[engine].items():
            if not names or name in names:
                everything_wrong += _report(engine, own_drill)
    print(f"{len(everything_wrong)} things are wrong." if everything_wrong else "Nothing is wrong.")
    return 1 if everything_wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
