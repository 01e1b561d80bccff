"""pg_dump and pg_restore, which come with PostgreSQL: found, started, watched and stopped."""

import os
import re
import shutil
import subprocess
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import IO

from sqlalchemy import URL

from countinghouse.core.db.connecting import libpq_address
from countinghouse.core.errors import InvalidInput
from countinghouse.settings import Settings

# Where packages put them, if they are not on the PATH.
_FOLDERS = (
    "usr/lib/postgresql/*/bin",
    "usr/pgsql-*/bin",
    "opt/homebrew/opt/postgresql*/bin",
    "usr/local/opt/postgresql*/bin",
)
_MOST_LINES = 5
# A migration holds locks that a dump waits for.
LOCK_WAIT = "60s"
# Indexes are built several times faster than with the default of 64 MB.
_OPTIONS = "-c maintenance_work_mem=256MB"
# How PostgreSQL names their connections.
APPLICATION = "countinghouse backups"
# Verbose lines that are no trouble.
_CHATTER = re.compile(r"^pg_(dump|restore): (?!error|warning|detail|hint)")


class ToolFailed(Exception):
    """pg_dump or pg_restore is missing or failed; the message is a sentence."""


def refuse_pooler(settings: Settings) -> None:
    """pg_dump and pg_restore change settings of their session, which a pooler would pass on to other clients."""
    if settings.transaction_pooling and settings.database.startswith("postgresql"):
        raise InvalidInput(
            {
                "database": "Backups do not go through a pooler. For this command, set COUNTINGHOUSE_DATABASE_URL to "
                "the address of PostgreSQL itself and COUNTINGHOUSE_TRANSACTION_POOLING to off."
            }
        )


def get_program(name: str, server_major: int) -> str:
    """The oldest that is at least as new as the server: a newer one may write what this server does not understand."""
    places = [shutil.which(name), *(str(file) for folder in _FOLDERS for file in Path("/").glob(f"{folder}/{name}"))]
    versions = {place: _major(place) for place in places if place and os.access(place, os.X_OK)}
    fitting = {place: major for place, major in versions.items() if major >= server_major}
    if not fitting:
        found = f"found only version {max(versions.values())}" if any(versions.values()) else "found none"
        raise ToolFailed(
            f"This needs {name} of PostgreSQL {server_major} or newer, and {found}. "
            f"On Debian or Ubuntu: apt install postgresql-client-{server_major}"
        )
    return min(fitting, key=lambda place: fitting[place])


def _major(program: str) -> int:
    ended = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)  # noqa: S603 - found above
    version = re.search(r"\) (\d+)", ended.stdout)
    return int(version[1]) if version else 0


@contextmanager
def dumping(url: URL, server_major: int, snapshot: str, on_line: Callable[[str], None]) -> Iterator[IO[bytes]]:
    """The custom format of pg_dump, of exactly what the exported snapshot shows."""
    program = get_program("pg_dump", server_major)
    words = ["--format=custom", "--compress=1", f"--snapshot={snapshot}", f"--lock-wait-timeout={LOCK_WAIT}"]
    with _running(program, words, url, on_line, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        yield process.stdout


@contextmanager
def restoring(url: URL, server_major: int, on_line: Callable[[str], None]) -> Iterator[IO[bytes]]:
    """Takes what pg_dump wrote, in one transaction. Owners and rights stay those of the target's role."""
    program = get_program("pg_restore", server_major)
    words = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-comments"]
    with _running(program, words, url, on_line, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        yield process.stdin


@contextmanager
def _running(
    program: str,
    words: list[str],
    url: URL,
    on_line: Callable[[str], None],
    *,
    stdout: int,
    stdin: int = subprocess.DEVNULL,
) -> Iterator["subprocess.Popen[bytes]"]:
    # The password is not among the words: those are visible to other users of the machine.
    target = libpq_address(url.set(password=None))
    env = os.environ | {"LC_ALL": "C", "PGOPTIONS": _OPTIONS, "PGAPPNAME": APPLICATION}
    if url.password is not None:
        env["PGPASSWORD"] = str(url.password)
    command = [program, *words, "--verbose", "--no-password", f"--dbname={target}"]
    process = subprocess.Popen(command, env=env, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE)  # noqa: S603
    last_lines: deque[str] = deque(maxlen=_MOST_LINES)
    listener = Thread(target=_listen, args=(process.stderr, last_lines, on_line), daemon=True)
    listener.start()
    try:
        yield process
        if process.stdin is not None:
            process.stdin.close()
        code = process.wait()
    except BrokenPipeError:
        # It ended early, and says why.
        code = process.wait() or 1
    finally:
        process.kill()
        process.wait()
        listener.join()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None and not pipe.closed:
                _close(pipe)
    if code:
        reason = " ".join(last_lines) or f"it ended with {code}"
        raise ToolFailed(f"{Path(program).name} failed: {reason}")


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except BrokenPipeError:
        # What was still in the buffer is of no use to a program that has ended.
        return


def _listen(stderr: IO[bytes], last_lines: "deque[str]", on_line: Callable[[str], None]) -> None:
    for written in stderr:
        line = written.decode(errors="replace").strip()
        if _CHATTER.match(line):
            on_line(line)
        elif line:
            last_lines.append(line)
