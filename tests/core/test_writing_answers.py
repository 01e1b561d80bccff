"""The head of an answer is sent together with its body, or at once if the body comes later."""

import asyncio
from collections.abc import Iterator
from threading import Event
from typing import Any, ClassVar

import pytest

from countinghouse.core.http.head_with_body import HeadWithBody
from countinghouse.core.http.protocol import DeadlineProtocol
from countinghouse.core.http.readers import ReaderRate
from tests.core.sockets import WAIT_SECONDS, connected, read_answer, read_to_the_end, served
from tests.event_loop import run

may_go_on = Event()


class Watched:
    """A transport that forwards everything and records each write."""

    def __init__(self, transport: Any, writes: list[bytes]) -> None:
        self._transport = transport
        self._writes = writes

    def write(self, data: bytes) -> None:
        self._writes.append(bytes(data))
        self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class WatchedProtocol(DeadlineProtocol):
    writes: ClassVar[list[bytes]] = []

    def connection_made(self, transport: Any) -> None:
        super().connection_made(Watched(transport, self.writes))


async def app(scope: Any, receive: Any, send: Any) -> None:
    path, headers = scope["path"], []
    if path == "/read":
        await receive()
    if path in ("/", "/read", "/close", "/slow"):
        headers = [(b"content-length", b"4")]
    if path == "/close":
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": 204 if path == "/204" else 200, "headers": headers})
    if path == "/failing":
        raise ValueError
    if path == "/slow":
        # Longer than the client waits: the test fails if the head is held back until the body comes.
        await asyncio.to_thread(may_go_on.wait, WAIT_SECONDS * 2)
    if path == "/chunks":
        for piece in (b"one", b"two"):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"" if path in ("/204", "/chunks") else b"done"})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(app, WatchedProtocol) as port:
        yield port


@pytest.fixture(autouse=True)
def writes() -> list[bytes]:
    may_go_on.clear()
    WatchedProtocol.writes.clear()
    return WatchedProtocol.writes


def request(path: str, method: str = "GET", *headers: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: desk", *headers, "", ""]).encode()


def test_head_and_body_are_sent_in_one_write(port: int, writes: list[bytes]) -> None:
    with connected(port) as client:
        for count in range(1, 4):
            client.sendall(request("/"))
            assert read_answer(client).endswith(b"\r\n\r\ndone")
            assert len(writes) == count


def test_pipelined_requests_are_answered_in_order(port: int) -> None:
    paths = ("/", "/204", "/chunks", "/", "/slow", "/204", "/close")
    may_go_on.set()
    with connected(port) as client:
        client.sendall(b"".join(map(request, paths)))
        answers = read_to_the_end(client).split(b"HTTP/1.1 ")[1:]
    assert [answer.partition(b"\r\n\r\n")[2] for answer in answers] == [
        b"done", b"", b"3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n", b"done", b"done", b"", b"done"
    ]  # fmt: skip


def test_a_head_is_sent_at_once_when_its_body_comes_later(port: int) -> None:
    with connected(port) as client:
        client.sendall(request("/slow"))
        assert client.recv(65536).endswith(b"\r\n\r\n")
        may_go_on.set()
        assert client.recv(65536) == b"done"


def test_a_head_without_a_body_is_sent(port: int) -> None:
    with connected(port) as client:
        for method, path in (("GET", "/204"), ("HEAD", "/"), ("HEAD", "/chunks"), ("GET", "/204")):
            client.sendall(request(path, method))
            answer = client.recv(65536)
            assert answer.startswith(b"HTTP/1.1 20")
            assert answer.endswith(b"\r\n\r\n")


def test_an_answer_that_fails_after_its_head_ends_there(port: int) -> None:
    with connected(port) as client:
        client.sendall(request("/failing"))
        answer = read_to_the_end(client)
        assert answer.startswith(b"HTTP/1.1 200")
        assert answer.endswith(b"\r\n\r\n")


def test_a_client_that_expects_100_continue_receives_it(port: int) -> None:
    with connected(port) as client:
        client.sendall(request("/read", "POST", "Content-Length: 2", "Expect: 100-continue"))
        assert client.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"ok")
        assert read_answer(client).endswith(b"\r\n\r\ndone")


def test_an_answer_to_a_client_that_has_gone_is_dropped_without_an_error() -> None:
    """uvicorn notes that a client has gone only for the last of the requests that it has sent at once."""

    async def answer_late() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(asyncio.Protocol, "127.0.0.1", 0)
        transport, _ = await loop.create_connection(asyncio.Protocol, *server.sockets[0].getsockname())
        response = HeadWithBody(transport, loop, ReaderRate(transport, loop, transport.abort), transport.close)
        response.write(b"head of the first")
        transport.abort()
        await asyncio.sleep(0.1)
        response.write(b"head")
        response.write(b"body")
        server.close()

    run(answer_late())
