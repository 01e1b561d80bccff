"""Servers under measurement: each in its own process, ready when it answers, stopped when its block ends."""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.wire import Call, RefusedCall, ask_once

START_SECONDS = 120.0
STOP_SECONDS = 20.0


@dataclass(frozen=True)
class Running:
    process: int
    port: int


@contextmanager
def running(
    command: list[str], environment: Mapping[str, str], folder: Path, port: int, ready: Call
) -> Iterator[Running]:
    log = folder / f"{Path(command[0]).name}-{port}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        _wait_until_ready(process, port, ready, log)
        yield Running(process.pid, port)
        # Kept if the block fails, because it may show why.
        log.unlink()
    finally:
        _stop(process)


def inherited(**more: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("COUNTINGHOUSE_")} | more


def _wait_until_ready(process: subprocess.Popen[bytes], port: int, ready: Call, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    last: Exception | None = None
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended with {process.returncode}:\n{log.read_text()[-4000:]}")
        try:
            ask_once(port, ready)
        except (OSError, RefusedCall) as error:
            last = error
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"{process.args!r} was not ready: {last}\n{log.read_text()[-4000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
