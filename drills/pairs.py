"""Two servers on one database, as an operator runs them; or two of the control."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.servers import Program, running_server

ROOT = Path(__file__).parent.parent
# For servers that are modules of `drills`. With `src`, so that they run this checkout and not an installed package.
IMPORTS_FROM = f"{ROOT / 'src'}{os.pathsep}{ROOT}"


@contextmanager
def two_servers(database_url: str, program: Program = None) -> Iterator[list[str]]:
    """Both run the same program."""
    # A drill sends a hundred thousand requests: one log line for each would help nobody.
    settings: dict[str, Any] = {"COUNTINGHOUSE_LOG_LEVEL": "warning"}
    with (
        running_server(database_url, program=program, **settings) as first,
        running_server(database_url, program=program, **settings) as second,
    ):
        yield [first, second]
