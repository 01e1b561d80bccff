"""Everything that a client can make the server buffer has a limit, and a refusal has the common error shape."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from threading import Event
from typing import Any, ClassVar

import pytest

from countinghouse.core.http.bodies import BodyLimit
from countinghouse.core.http.protocol import DeadlineProtocol
from tests.core.sockets import WAIT_SECONDS, connected, read_answer, read_to_the_end, served

GET = b"GET / HTTP/1.1\r\nHost: desk\r\n"
POST = b"POST /read HTTP/1.1\r\nHost: desk\r\nTransfer-Encoding: chunked\r\n"

may_answer = Event()


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the names of the request's headers; at /read only after it has read the body."""
    if scope["path"] == "/read":
        while (message := await receive()).get("more_body"):
            pass
        if message["type"] == "http.disconnect":
            return
    if scope["path"] == "/slow":
        await asyncio.to_thread(may_answer.wait, WAIT_SECONDS)
    body = json.dumps([name.decode() for name, _ in scope["headers"]]).encode()
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(app) as port:
        yield port


def _exchange(port: int, sent: bytes) -> bytes:
    """Returns everything received until the server closes the connection."""
    with connected(port) as client:
        client.sendall(sent)
        return read_to_the_end(client)


def _assert_refused(answer: bytes, status: int, code: str) -> None:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), answer[:200]
    assert b"connection: close" in head.lower()
    assert b"x-content-type-options: nosniff" in head.lower()
    assert json.loads(body)["code"] == code


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"x" * 200_000,
        b"GET http://desk/" + b"x" * 200_000,
        GET + b"X-Long: " + b"x" * 200_000,
        GET + b"x" * 200_000,
        GET + b"X-More: 1\r\n" * 500,
        GET + b"X-More: 1\r\n" * 500 + b"\r\n",
        b"\r\n" * 100_000,
        POST + b"\r\n1;a=" + b"x" * 400_000,
        POST + b"\r\n" + b"0" * 400_000,
        POST + b"\r\n" + (b"0" * 2_000 + b"1\r\nx\r\n") * 200,
        POST + b"\r\n0\r\n" + b"X-More: 1\r\n" * 500,
        POST + b"\r\n0\r\nX-Long: " + b"x" * 400_000,
    ],
    ids=lambda sent: sent[:60].decode().replace("\r\n", " "),
)
def test_a_request_with_too_much_data_outside_its_body_is_refused(port: int, sent: bytes) -> None:
    _assert_refused(_exchange(port, sent), 431, "headers_too_large")


@pytest.mark.parametrize("sent", [b"NONSENSE\r\n\r\n", POST + b"\r\nxyz\r\n", b"GET nowhere HTTP/1.1\r\n\r\n"])
def test_a_request_that_cannot_be_parsed_is_refused_in_the_same_shape(port: int, sent: bytes) -> None:
    _assert_refused(_exchange(port, sent), 400, "bad_request")


def test_typical_requests_of_browsers_and_proxies_are_within_the_limits(port: int) -> None:
    headers = b"".join(b"X-%d: %s\r\n" % (number, b"x" * 250) for number in range(150))
    answer = _exchange(port, GET + headers + b"Connection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")
    # Of a network with short packets, and the few bytes before the first large piece.
    chunks = b"3\r\nabc\r\n" * 200 + b"218\r\n%s\r\n" % (b"x" * 536) * 10_000 + b"0\r\nX-Checksum: 1\r\n\r\n"
    assert _exchange(port, POST + b"Connection: close\r\n\r\n" + chunks).startswith(b"HTTP/1.1 200 ")


def test_a_trailer_is_never_treated_as_a_header(port: int) -> None:
    trailers = b"0\r\nAuthorization: Bearer stolen\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n"
    with connected(port) as client:
        client.sendall(POST + b"\r\n1\r\nx\r\n" + trailers)
        body = read_answer(client).partition(b"\r\n\r\n")[2]
    assert json.loads(body) == ["host", "transfer-encoding"]


def test_a_few_pipelined_requests_are_answered(port: int) -> None:
    may_answer.clear()
    queued = (GET + b"\r\n") * (DeadlineProtocol.queued_requests - 1) + GET + b"Connection: close\r\n\r\n"
    with connected(port) as client:
        client.sendall(b"GET /slow HTTP/1.1\r\nHost: desk\r\n\r\n" + queued)
        may_answer.set()
        answers = read_to_the_end(client)
    assert answers.count(b"HTTP/1.1 200 ") == DeadlineProtocol.queued_requests + 1


def test_thousands_of_pipelined_requests_close_the_connection(port: int) -> None:
    may_answer.clear()
    with connected(port) as client:
        client.sendall(b"GET /slow HTTP/1.1\r\nHost: desk\r\n\r\n" + (GET + b"\r\n") * 5_000)
        assert read_to_the_end(client) == b""
    may_answer.set()


def test_a_refusal_is_never_written_into_another_answer(port: int) -> None:
    may_answer.clear()
    with connected(port) as client:
        client.sendall(b"GET /slow HTTP/1.1\r\nHost: desk\r\n\r\nNONSENSE\r\n\r\n")
        assert read_to_the_end(client) == b""
    may_answer.set()


@pytest.mark.parametrize("upgrade", [b"websocket", b"h2c"])
def test_an_upgrade_request_is_answered_and_the_connection_closed(port: int, upgrade: bytes) -> None:
    """The bytes that follow could be read in two ways: as the other protocol, or as another request."""
    smuggled = b"GET /smuggled HTTP/1.1\r\nHost: desk\r\n\r\n"
    with connected(port) as client:
        client.sendall(GET + b"Connection: Upgrade\r\nUpgrade: " + upgrade + b"\r\n\r\n" + smuggled)
        answer = read_to_the_end(client)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert b"connection: close" in answer


def test_an_http_1_0_client_is_answered_once_and_closed(port: int) -> None:
    answer = _exchange(port, b"GET / HTTP/1.0\r\n\r\n" + b"GET / HTTP/1.0\r\n\r\n")
    assert answer.count(b"HTTP/1.1 200 ") == 1


def test_a_body_that_keeps_coming_after_its_answer_is_cut_off(port: int) -> None:
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    sent = 0
    with connected(port) as client, suppress(ConnectionResetError, BrokenPipeError):
        client.sendall(GET + b"Transfer-Encoding: chunked\r\n\r\n")
        read_answer(client)
        while sent < 20 * DeadlineProtocol.ignored_bytes:
            sent += client.send(chunk)
    assert sent < 2 * DeadlineProtocol.ignored_bytes


def test_more_chunks_than_a_body_of_its_size_needs_are_refused(port: int) -> None:
    """Each chunk costs the server the same, however small it is."""
    tiny = b"1\r\nx\r\n"
    with connected(port) as client:
        client.sendall(POST + b"\r\n" + tiny * (DeadlineProtocol.spare_chunks - 1) + b"0\r\n\r\n")
        assert read_answer(client).startswith(b"HTTP/1.1 200 ")
    _assert_refused(_exchange(port, POST + b"\r\n" + tiny * 1_000), 400, "too_many_chunks")


def test_chunks_are_counted_too_after_the_answer(port: int) -> None:
    with connected(port) as client:
        client.sendall(GET + b"Transfer-Encoding: chunked\r\n\r\n")
        read_answer(client)
        client.sendall(b"1\r\nx\r\n" * 1_000)
        assert read_to_the_end(client) == b""


class Counting(DeadlineProtocol):
    parsed_bytes: ClassVar[int] = 0

    def on_body(self, body: bytes) -> None:
        Counting.parsed_bytes += len(body)
        super().on_body(body)


def test_nothing_is_parsed_after_an_answer_that_closes_the_connection() -> None:
    with served(BodyLimit(app, {}), Counting) as port, connected(port) as client:
        client.sendall(POST.replace(b"Transfer-Encoding: chunked", b"Content-Length: 1000000") + b"\r\n")
        answer = read_answer(client)
        client.sendall(b"x" * 900_000)
        assert read_to_the_end(client) == b""
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert Counting.parsed_bytes == 0
