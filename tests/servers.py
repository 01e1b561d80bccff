"""A real server for a test: the command in a process of its own, on a free port, gone when the test ends."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.warm import WarmProcess

COMMAND = str(Path(sys.executable).with_name("countinghouse"))
# A new Python with the installed command, for what hangs on how it starts; the others have a fork, ready at once.
INSTALLED = (COMMAND, "serve", "--port")
START_SECONDS = 60.0
STOP_SECONDS = 20.0


@dataclass(frozen=True)
class Server:
    url: str
    port: int
    process: subprocess.Popen[bytes] | WarmProcess
    log: Path

    def said(self) -> str:
        """All that the server has written so far, to either stream."""
        return self.log.read_text(errors="replace")


def peak_megabytes(server: Server) -> int:
    """The most memory that the process has held so far."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) // 1024


def server_environment(database_url: str, **settings: str) -> dict[str, str]:
    """This process's environment without its own desk settings, so that a developer's shell changes no test."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("COUNTINGHOUSE_")}
    return clean | {"COUNTINGHOUSE_DATABASE_URL": database_url} | settings


@contextmanager
def started_server(
    database_url: str, *options: str, program: tuple[str, ...] | None = None, **settings: str
) -> Iterator[Server]:
    """`settings` are environment variables by their whole names; `options` go to the program, after the port."""
    # A folder of its own as the working directory: a .env file of the checkout must not be read.
    with tempfile.TemporaryDirectory(prefix="countinghouse-server-") as folder:
        port = free_port()
        log = Path(folder) / "server.log"
        log.touch()
        process = _start(
            program, [str(port), *options], Path(folder), log, server_environment(database_url, **settings)
        )
        server = Server(f"http://127.0.0.1:{port}", port, process, log)
        try:
            _wait_until_ready(server)
            yield server
        finally:
            _stop(process)


def _start(
    program: tuple[str, ...] | None, words: list[str], folder: Path, log: Path, env: dict[str, str]
) -> subprocess.Popen[bytes] | WarmProcess:
    if program is None:
        return WarmProcess(["serve", "--port", *words], env=env, cwd=folder, given=None, out=log, err=log)
    with log.open("wb") as output:
        return subprocess.Popen(
            [*program, *words], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )


@contextmanager
def running_server(database_url: str, program: tuple[str, ...] | None = None, **settings: str) -> Iterator[str]:
    with started_server(database_url, program=program, **settings) as server:
        yield server.url


def free_port() -> int:
    """Of several workers each has its own share: the port stays free until the server listens, some seconds later."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    mine = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % workers
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        # Halved, because Linux gives out odd ports alone as long as it has them.
        if port // 2 % workers == mine:
            return port


def _wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            raise RuntimeError(f"The server ended with {server.process.returncode}:\n{server.said()}")
        try:
            with urlopen(f"{server.url}/readyz", timeout=5) as answer:  # noqa: S310 - our own address
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"The server was not ready within {START_SECONDS:g} seconds:\n{server.said()}")


def _stop(process: subprocess.Popen[bytes] | WarmProcess) -> None:
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(STOP_SECONDS)
