"""Measures the browser part and writes its chapter, against its own server unless a URL is given."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.browser.measure import SCROLL_ROUNDS, VISIT_ROUNDS, measure
from bench.browser.report import lines_of
from bench.words import say
from countinghouse.core.db import Database
from countinghouse.core.migrate import migrate
from countinghouse.demo.actions import Sizes, fill_demo
from tests.servers import running_server

SIZES = Sizes(users=5_000, purchases=20_000, claims=100_000)


def browser_chapter(folder: Path, *, is_quick: bool = False, server_url: str = "") -> list[str]:
    """Markdown lines, also saved as browser.md in the folder, beside the numbers of every round in browser.json."""
    folder.mkdir(parents=True, exist_ok=True)
    visit_rounds, scroll_rounds = (3, 1) if is_quick else (VISIT_ROUNDS, SCROLL_ROUNDS)
    if server_url:
        result = measure(server_url, folder, visit_rounds, scroll_rounds)
    else:
        with _own_desk(folder) as url:
            result = measure(url, folder, visit_rounds, scroll_rounds)
    (folder / "browser.json").write_text(json.dumps(result.plain(), indent=1))
    lines = lines_of(result)
    (folder / "browser.md").write_text("\n".join(lines) + "\n")
    return lines


@contextmanager
def _own_desk(folder: Path) -> Iterator[str]:
    path = folder / "browser-desk.db"
    if not path.exists():
        say(f"Browser: making up {SIZES.claims:,} claims …")
        unfinished = path.with_suffix(".unfinished")
        unfinished.unlink(missing_ok=True)
        database = Database(f"sqlite:///{unfinished}")
        migrate(database)
        asyncio.run(fill_demo(database, SIZES, 1, lambda *_: None))
        database.close()
        unfinished.rename(path)
    with running_server(f"sqlite:///{path}") as url:
        yield url
