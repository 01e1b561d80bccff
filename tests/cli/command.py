"""Runs the command as an operator would."""

import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.servers import server_environment
from tests.warm import WarmProcess

SECONDS = 60


def countinghouse(database_url: str, *words: str, given: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    """`given` is its standard input."""
    return run_command(words, server_environment(database_url, **settings), given)


def run_command(
    words: Sequence[str], env: Mapping[str, str], given: str, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    """`before` runs in its process before it begins."""
    with tempfile.TemporaryDirectory() as folder:
        stdin, out, err = (Path(folder, name) for name in ("stdin", "out", "err"))
        stdin.write_text(given, encoding="utf-8", errors="surrogateescape")
        for file in (out, err):
            file.touch()
        process = WarmProcess(words, env=env, cwd=Path(folder), given=stdin, out=out, err=err, before=before)
        try:
            code = process.wait(SECONDS)
        finally:
            process.kill()
        output, errors = (file.read_text(encoding="utf-8", errors="surrogateescape") for file in (out, err))
        return subprocess.CompletedProcess(words, code, output, errors)
