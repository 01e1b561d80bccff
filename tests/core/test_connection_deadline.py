"""A connection that sends no request, or does not read its answer, is closed after a deadline."""

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, ClassVar

import pytest
from starlette.routing import Route

from countinghouse.core.http.protocol import DeadlineProtocol
from tests.core.sockets import connected, read_answer, read_to_the_end, seconds_until_closed, served, wait_until

pytestmark = pytest.mark.deadlines

# An active client must never look idle, even on a busy machine: 0.3 was too short for that.
DEADLINE = 1.0
LARGE = 256 * 65536
REQUEST = b"GET / HTTP/1.1\r\nHost: desk\r\n\r\n"


class Impatient(DeadlineProtocol):
    header_seconds = DEADLINE
    body_seconds = DEADLINE
    reader_seconds = 1.0
    reader_bytes_per_second = 64 * 1024
    open_connections: ClassVar[int] = 0

    def connection_made(self, transport: Any) -> None:
        Impatient.open_connections += 1
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        Impatient.open_connections -= 1
        super().connection_lost(exc)


class AnsweringApp:
    """Reads the body only at /read, and answers at once, slowly, or with more than a socket buffer holds."""

    def __init__(self) -> None:
        self.endless_answers = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/read":
            while (await receive()).get("more_body"):
                pass
        if scope["path"] == "/events":
            return await _send_events(send)
        # As the router of a whole app does it.
        scope["route"] = Route(scope["path"], self)
        length = (b"content-length", b"%d" % _size(scope))
        # Counted before the client can see that the answer has begun.
        self.endless_answers += scope["path"] == "/endless"
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        if scope["path"] == "/slow":
            await asyncio.sleep(DEADLINE * 3)
        if scope["path"] == "/endless":
            try:
                for _ in range(_size(scope) // 65536):
                    await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
            finally:
                self.endless_answers -= 1
            await send({"type": "http.response.body", "body": b""})
        else:
            await send({"type": "http.response.body", "body": b"done".rjust(_size(scope))})
        return None


async def _send_events(send: Any) -> None:
    """Lasts for several of the windows in which a reader's speed is measured."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for event in (b"one", b"two", b"three", b"last"):
        await send({"type": "http.response.body", "body": event, "more_body": True})
        await asyncio.sleep(Impatient.reader_seconds * 0.7)
    await send({"type": "http.response.body", "body": b""})


def _size(scope: Any) -> int:
    return {"/endless": LARGE, "/rest": 128 * 1024}.get(scope["path"], 4)


@pytest.fixture(scope="module")
def app() -> AnsweringApp:
    return AnsweringApp()


@pytest.fixture(scope="module")
def port(app: AnsweringApp) -> Iterator[int]:
    with served(app, Impatient) as port:
        yield port


def test_a_connection_that_sends_nothing_is_closed(port: int) -> None:
    with connected(port) as client:
        assert DEADLINE * 0.5 < seconds_until_closed(client) < DEADLINE * 10


def _drip(client: socket.socket, piece: bytes) -> float:
    """Sends a piece every now and then until the server closes the connection; returns how many seconds that took."""
    started_at = time.monotonic()
    client.settimeout(0.05)
    while time.monotonic() - started_at < DEADLINE * 20:
        with suppress(TimeoutError):
            try:
                client.sendall(piece)
                if not client.recv(65536):
                    break
            except (BrokenPipeError, ConnectionResetError):
                break
    return time.monotonic() - started_at


def test_headers_sent_too_slowly_are_cut_off(port: int) -> None:
    with connected(port) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: desk\r\n")
        assert _drip(client, b"X-More: 1\r\n") < DEADLINE * 10


def test_a_body_sent_too_slowly_is_cut_off(port: int) -> None:
    with connected(port) as client:
        client.sendall(b"POST /read HTTP/1.1\r\nHost: desk\r\nContent-Length: 1000000\r\n\r\n")
        assert _drip(client, b"x") < DEADLINE * 10


def test_empty_lines_after_an_answer_do_not_keep_a_connection_open(port: int) -> None:
    with connected(port) as client:
        client.sendall(REQUEST)
        read_answer(client)
        client.sendall(b"\r\n")
        assert seconds_until_closed(client) < DEADLINE * 10


def test_the_rest_of_a_body_does_not_keep_a_connection_open_after_an_early_answer(port: int) -> None:
    with connected(port) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 4\r\n\r\n")
        read_answer(client)
        client.sendall(b"rest")
        assert seconds_until_closed(client) < DEADLINE * 10


def test_a_keep_alive_connection_serves_several_requests(port: int) -> None:
    with connected(port) as client:
        for _ in range(3):
            client.sendall(REQUEST)
            assert read_answer(client).endswith(b"done")
            # Longer than the deadline for a request, and shorter than the keep-alive timeout.
            time.sleep(DEADLINE * 1.5)


def test_a_slow_answer_is_not_cut_off(port: int) -> None:
    with connected(port) as client:
        client.sendall(b"GET /slow HTTP/1.1\r\nHost: desk\r\n\r\n")
        assert read_answer(client).endswith(b"done")


def _read_at(client: socket.socket, bytes_per_second: int, most: int) -> int:
    """Reads steadily at this rate, up to `most` bytes or the end; returns the number of bytes received."""
    received, started_at = 0, time.monotonic()
    with suppress(ConnectionResetError):
        while received < most and (piece := client.recv(8 * 1024)):
            received += len(piece)
            time.sleep(max(0.0, received / bytes_per_second - (time.monotonic() - started_at)))
    return received


def test_a_large_answer_read_slowly_but_steadily_is_sent_in_full(port: int) -> None:
    slow = 4 * Impatient.reader_bytes_per_second
    with connected(port, receive_bytes=65536) as client:
        client.sendall(b"GET /endless HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n\r\n")
        # Slowly for four windows, and then the rest at once.
        received = _read_at(client, slow, 4 * slow)
        assert received >= 4 * slow
        assert received + len(read_to_the_end(client)) > LARGE


def test_a_client_that_does_not_read_its_answer_is_dropped(port: int, app: AnsweringApp) -> None:
    with connected(port, receive_bytes=4096) as client:
        client.sendall(b"GET /endless HTTP/1.1\r\nHost: desk\r\n\r\n")
        client.recv(100)
        assert app.endless_answers == 1
        wait_until(lambda: app.endless_answers == 0)
        assert len(read_to_the_end(client)) < LARGE


def test_a_client_that_reads_its_answer_too_slowly_is_dropped_and_logged(
    port: int, app: AnsweringApp, capsys: pytest.CaptureFixture[str]
) -> None:
    with connected(port, receive_bytes=4096) as client:
        client.sendall(b"GET /endless HTTP/1.1\r\nHost: desk\r\n\r\n")
        assert _read_at(client, Impatient.reader_bytes_per_second // 8, LARGE) < LARGE
        wait_until(lambda: app.endless_answers == 0)
    logged = capsys.readouterr().out
    assert logged.count("reader_too_slow") == 1
    assert "route=/endless" in logged


def test_a_client_that_does_not_read_the_end_of_its_answer_is_dropped(port: int) -> None:
    """The rest is small enough for the write buffers, so the app has finished: only the closing connection holds it."""
    with connected(port, receive_bytes=4096) as client:
        client.sendall(b"GET /rest HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n\r\n")
        client.recv(100)
        wait_until(lambda: Impatient.open_connections == 0)


def test_a_slow_stream_of_small_events_is_not_dropped(port: int) -> None:
    with connected(port, receive_bytes=4096) as client:
        client.sendall(b"GET /events HTTP/1.1\r\nHost: desk\r\n\r\n")
        answer = read_answer(client)
        while b"last" not in answer:
            answer += client.recv(4096)
