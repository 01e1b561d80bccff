"""Checks of everything that is stored. They read all of it, so a server runs them in a process of their own.

`python -m countinghouse.monitoring.examining` writes one line of JSON for each check.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import NamedTuple

from countinghouse.banks.directory import find_damaged_codes
from countinghouse.claims.health import CLAIM_CHECKS
from countinghouse.core.db import Cost, Database, Reader
from countinghouse.core.migrate import read_schema_state
from countinghouse.core.own_process import end_with_parent
from countinghouse.monitoring.checks import check_migrations
from countinghouse.qr.health import QR_CHECKS
from countinghouse.settings import Settings


class Examined(NamedTuple):
    title: str
    problems: list[str]


async def examine(database: Database) -> AsyncIterator[Examined]:
    yield Examined("The list of bank codes is intact", list(find_damaged_codes()))
    migrations = check_migrations(await database.read(read_schema_state))
    if migrations["state"] != "note":
        problems = [migrations["message"]] if migrations["state"] == "wrong" else []
        yield Examined("The database is at the newest migration", problems)
        if problems:
            return
    for title, find_problems in (CLAIM_CHECKS | QR_CHECKS).items():
        yield Examined(title, await database.read(partial(_listed, find_problems), Cost.LONG, snapshot=True))


async def _listed(find_problems: Callable[[Reader], AsyncIterator[str]], reader: Reader) -> list[str]:
    return [problem async for problem in find_problems(reader)]


async def _write_all(database: Database) -> None:
    async for examined in examine(database):
        sys.stdout.write(json.dumps(examined._asdict()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    end_with_parent()
    opened = Database.from_settings(Settings())
    try:
        asyncio.run(_write_all(opened))
    finally:
        opened.close()
