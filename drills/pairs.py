"""Two servers on one database, as an operator runs them; or two of the control."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import running_server

ROOT = Path(__file__).parent.parent
# For servers that are modules of `drills`. With `src`, so that they run this checkout and not an installed package.
IMPORTS_FROM = f"{ROOT / 'src'}{os.pathsep}{ROOT}"
NAIVE = (sys.executable, "-m", "drills.naive_server")


@contextmanager
def two_servers(database_url: str, program: tuple[str, ...] | None = None) -> Iterator[list[str]]:
    # A drill sends a hundred thousand requests: one log line for each would help nobody.
    settings = {"COUNTINGHOUSE_LOG_LEVEL": "warning", "PYTHONPATH": IMPORTS_FROM}
    with (
        running_server(database_url, program, **settings) as first,
        running_server(database_url, program, **settings) as second,
    ):
        yield [first, second]
