"""The command in a fork of a process that has imported all its modules: a new Python needs over a second for that.

Hundreds of tests start one. The tests in tests/cli check that the installed command itself starts.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

forks = multiprocessing.get_context("forkserver")
forks.set_forkserver_preload(
    ["countinghouse.cli", "countinghouse.main", "uvicorn.protocols.http.httptools_impl", "uvloop", "tests.preloaded"]
)


class WarmProcess:
    """The part of subprocess.Popen that the tests use."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path,
        given: Path | None,
        out: Path,
        err: Path,
        before: Callable[[], None] | None = None,
    ) -> None:
        """`before` runs in the new process before the command."""
        self._fork = forks.Process(target=_run, args=(list(words), dict(env), cwd, given, out, err, before))
        self._fork.start()
        assert self._fork.pid is not None
        self.pid = self._fork.pid

    @property
    def returncode(self) -> int | None:
        return self._fork.exitcode

    def poll(self) -> int | None:
        return self._fork.exitcode

    def wait(self, seconds: float) -> int:
        self._fork.join(seconds)
        if self._fork.exitcode is None:
            raise subprocess.TimeoutExpired("countinghouse", seconds)
        return self._fork.exitcode

    def send_signal(self, number: int) -> None:
        if self._fork.exitcode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(
    words: list[str],
    env: dict[str, str],
    cwd: Path,
    given: Path | None,
    out: Path,
    err: Path,
    before: Callable[[], None] | None,
) -> None:
    # A test run in the background of a shell ignores Ctrl-C, and so would its forks.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    for number, path, how in (
        (0, given or Path(os.devnull), os.O_RDONLY),
        (1, out, os.O_WRONLY),
        (2, err, os.O_WRONLY),
    ):
        opened = os.open(path, how | os.O_APPEND)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = os.fdopen(0, encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="surrogateescape", buffering=1, closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    sys.argv = ["countinghouse", *words]

    from countinghouse.cli import app

    if before is not None:
        before()
    app(prog_name="countinghouse")
