"""A module of this program in a process of its own, with the same settings and database. It ends with its server.

Not asyncio's own: with uvloop its processes inherit every descriptor that is inheritable, also the listening socket of
uvicorn. A job that outlived a killed server would keep the port, and nobody would answer there.
"""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future


def environment_with(database_url: str) -> dict[str, str]:
    # As the setting spells it; SQLAlchemy's spelling names the driver too.
    url = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    return os.environ | {"COUNTINGHOUSE_DATABASE_URL": url}


class OwnProcess:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._output: Future[bytes] = Future()
        # From now on, nobody who stops waiting can cancel it for the others.
        self._output.set_running_or_notify_cancel()
        threading.Thread(target=self._follow, daemon=True).start()

    @property
    def returncode(self) -> int | None:
        return self._process.returncode

    def kill(self) -> None:
        self._process.kill()

    async def wait(self) -> bytes:
        """What it wrote, if its output was asked for."""
        return await asyncio.wrap_future(self._output)

    def _follow(self) -> None:
        with self._process as process:
            output = process.stdout.read() if process.stdout is not None else b""
            process.wait()
        self._output.set_result(output)


def start_module(module: str, *words: str, database_url: str, stdout: int | None = None) -> OwnProcess:
    """The module calls `end_with_parent` at its start."""
    process = subprocess.Popen(  # noqa: S603 - our own module
        # -P: never import a module from the folder in which the server was started.
        (sys.executable, "-P", "-m", module, *words),
        env=environment_with(database_url),
        # Nothing is written to it. The system closes it when this process ends, whatever ended it.
        stdin=subprocess.PIPE,
        stdout=stdout,
    )
    return OwnProcess(process)


def end_with_parent(before: Callable[[], None] = lambda: None) -> None:
    """Ends this process as soon as its standard input is closed. `before` runs first, on a thread."""

    def watch() -> None:
        # Not through sys.stdin, whose lock would be held when Python ends.
        while os.read(0, 1024):
            pass
        try:
            before()
        finally:
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
