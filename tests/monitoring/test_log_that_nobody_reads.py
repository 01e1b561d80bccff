"""Whoever reads the log may stall or go away: nobody waits for it, and what was not written is counted."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn
from urllib.request import urlopen

import pytest
import structlog
from structlog.typing import EventDict

from countinghouse.core.log_writer import MOST_LINES, LogWriter
from tests.servers import INSTALLED, free_port, server_environment
from tests.waiting import eventually

# Many times what a pipe holds.
REQUESTS = 1_200
SECONDS = 10.0


@contextmanager
def logging_into(output: int, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    port = free_port()
    settings = {"COUNTINGHOUSE_LOG_FORMAT": "json", "PYTHONUNBUFFERED": "1"}
    environment = server_environment(f"sqlite:///{folder}/desk.db", **settings)
    with subprocess.Popen([*INSTALLED, str(port)], cwd=folder, env=environment, stdout=output) as process:
        os.close(output)
        url = f"http://127.0.0.1:{port}/healthz"
        try:
            eventually(lambda: answers(url), SECONDS * 6)
            yield process, url
        finally:
            process.kill()


def answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=SECONDS) as answer:  # noqa: S310 - our own server
            return bool(answer.status == 200)
    except ConnectionError:
        return False
    except OSError as error:
        if isinstance(getattr(error, "reason", None), ConnectionError):
            return False
        raise


class Received:
    """What has come out of a pipe."""

    def __init__(self, reader: int) -> None:
        self._reader = reader
        self._text = bytearray()

    def so_far(self) -> bytearray:
        with suppress(BlockingIOError):
            self._text += os.read(self._reader, 1 << 20)
        return self._text


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    yield reader, writer
    os.close(reader)


def test_requests_go_on_while_nobody_reads_the_log_and_it_is_complete_afterwards(
    tmp_path: Path, pipe: tuple[int, int]
) -> None:
    reader, writer = pipe
    with logging_into(writer, tmp_path) as (process, url):
        for _ in range(REQUESTS):
            assert answers(url)
        written = Received(reader)
        eventually(lambda: written.so_far().count(b'"route":"/healthz"') >= REQUESTS)
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS * 2)
    assert "log_lines_lost" not in {json.loads(line)["event"] for line in written.so_far().splitlines()}


def test_a_server_stops_though_nobody_reads_its_log(tmp_path: Path, pipe: tuple[int, int]) -> None:
    _reader, writer = pipe
    with logging_into(writer, tmp_path) as (process, url):
        for _ in range(REQUESTS // 2):
            assert answers(url)
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS * 2) != -signal.SIGKILL


def test_requests_go_on_after_the_reader_of_the_log_is_gone(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    with logging_into(writer, tmp_path) as (_process, url):
        os.close(reader)
        for _ in range(20):
            assert answers(url)


def write(event: EventDict) -> bytes:
    return str(event["event"]).encode()


@pytest.fixture(autouse=True)
def logs_stay_as_they_were() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def test_lines_beyond_the_bound_are_counted(pipe: tuple[int, int]) -> None:
    reader, descriptor = pipe
    writer = LogWriter(descriptor, write)
    lost: list[int] = []

    def note(_logger: object, _level: str, event: EventDict) -> NoReturn:
        lost.append(event["lines"])
        raise structlog.DropEvent

    structlog.configure(processors=[note])
    line = "x" * 99
    for _ in range(3 * MOST_LINES):
        writer.put({"event": line})
    received = Received(reader)
    eventually(lambda: len(received.so_far()) // 100 + sum(lost) == 3 * MOST_LINES)
    assert sum(lost) >= MOST_LINES
    os.close(descriptor)


def test_what_waits_is_written_before_a_process_ends(pipe: tuple[int, int]) -> None:
    reader, descriptor = pipe
    writer = LogWriter(descriptor, write)
    writer.put({"event": "one"})
    writer.put({"event": "two"})
    writer.finish(SECONDS)
    assert os.read(reader, 100) == b"one\ntwo\n"
    os.close(descriptor)


def test_a_line_that_was_cut_spoils_no_other(pipe: tuple[int, int]) -> None:
    """As on a full disk: a part of the line is written, and the rest is refused."""
    reader, descriptor = pipe
    os.set_blocking(descriptor, False)
    writer = LogWriter(descriptor, write)
    writer.put({"event": "x" * 200_000})
    writer.finish(SECONDS)
    cut = os.read(reader, 200_000)
    assert 0 < len(cut) < 200_000
    received = Received(reader)
    for line in ("one", "two"):
        writer.put({"event": line})
        writer.finish(SECONDS)
    eventually(lambda: received.so_far().endswith(b"two\n"))
    assert received.so_far() == b"\none\ntwo\n"
    os.close(descriptor)


def test_lines_of_several_processes_are_not_mixed(pipe: tuple[int, int]) -> None:
    reader, descriptor = pipe
    writers = {letter: LogWriter(descriptor, write) for letter in "abc"}
    for letter, writer in writers.items():
        for _ in range(4_000):
            writer.put({"event": letter * 99})
    received = Received(reader)
    eventually(lambda: len(received.so_far()) == 3 * 4_000 * 100)
    assert {bytes(line) for line in received.so_far().splitlines()} == {letter.encode() * 99 for letter in writers}
    os.close(descriptor)
