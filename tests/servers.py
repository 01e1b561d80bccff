"""A real server for a test: the command in its own process, on a free port, stopped when the test ends."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from urllib.error import URLError
from urllib.request import urlopen

from countinghouse.core.log_writer import GATHER_SECONDS
from tests.warm import WarmProcess

COMMAND = str(Path(sys.executable).with_name("countinghouse"))
# A new Python process with the installed command, for tests that depend on how it starts. The other tests use a fork,
# which is ready at once.
INSTALLED = (COMMAND, "serve", "--port")
# The words of a command, or what a fork does before it serves.
Program = tuple[str, ...] | Callable[[], None] | None
START_SECONDS = 60.0
START_ATTEMPTS = 5
STOP_SECONDS = 20.0
FIRST_PORT, LAST_PORT = 20_000, 32_000


@dataclass(frozen=True)
class Server:
    url: str
    port: int
    process: subprocess.Popen[bytes] | WarmProcess
    log: Path

    def said(self) -> str:
        """Everything the server has written so far, to stdout and stderr."""
        # It gathers its lines for a moment.
        time.sleep(4 * GATHER_SECONDS)
        return self.log.read_text(errors="replace")


def peak_megabytes(server: Server) -> int:
    """The peak memory of the process so far."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) // 1024


def server_environment(database_url: str, **settings: str) -> dict[str, str]:
    """This process's environment without its own desk settings, so that a developer's shell affects no test."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("COUNTINGHOUSE_")}
    return clean | {"COUNTINGHOUSE_DATABASE_URL": database_url} | settings


@contextmanager
def started_server(
    database_url: str,
    *options: str,
    program: Program = None,
    **settings: str,
) -> Iterator[Server]:
    """`settings` are environment variables by their full names; `options` are passed to the program after the port."""
    # A temporary working directory: the .env file of the checkout must not be read.
    with tempfile.TemporaryDirectory(prefix="countinghouse-server-") as folder:
        environment = server_environment(database_url, **settings)
        server = _ready_server(program, options, Path(folder), environment)
        try:
            yield server
        finally:
            _stop(server.process)


def _ready_server(
    program: Program,
    options: tuple[str, ...],
    folder: Path,
    environment: dict[str, str],
) -> Server:
    """Tries another port if another program takes the first one between our check and the server's start."""
    for attempt in range(1, START_ATTEMPTS + 1):
        port = free_port()
        log = folder / f"server-{attempt}.log"
        log.touch()
        process = _start(program, [str(port), *options], folder, log, environment)
        server = Server(f"http://127.0.0.1:{port}", port, process, log)
        try:
            _wait_until_ready(server)
        except RuntimeError:
            _stop(process)
            if attempt == START_ATTEMPTS or "address already in use" not in server.said().lower():
                raise
        else:
            return server
    raise AssertionError("the last attempt either returned or raised")


def _start(
    program: Program,
    words: list[str],
    folder: Path,
    log: Path,
    env: dict[str, str],
) -> subprocess.Popen[bytes] | WarmProcess:
    if isinstance(program, tuple):
        with log.open("wb") as output:
            return subprocess.Popen(
                [*program, *words],
                cwd=folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
    return WarmProcess(["serve", "--port", *words], env=env, cwd=folder, given=None, out=log, err=log, before=program)


@contextmanager
def running_server(
    database_url: str,
    program: Program = None,
    **settings: str,
) -> Iterator[str]:
    with started_server(database_url, program=program, **settings) as server:
        yield server.url


def free_port() -> int:
    """Each pytest worker has its own share of the ports: the port stays free until the server listens, seconds later.

    The range is below the ephemeral ports of the system: a client of any test could be given one of those meanwhile.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % workers
    while True:
        # Without a seed: another run on this machine would try the same ports in the same order.
        port = SystemRandom().randrange(FIRST_PORT, LAST_PORT)
        if port % workers == worker and _is_free(port):
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


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
