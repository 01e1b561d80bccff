"""The installed command, run as an operator would."""

import subprocess
import tempfile

from tests.servers import COMMAND, server_environment


def countinghouse(database_url: str, *words: str, given: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    """`given` is what stands on its standard input."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [COMMAND, *words],
            input=given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
            cwd=folder,
            env=server_environment(database_url, **settings),
            timeout=60,
            check=False,
        )
