"""A light HTTP/1.1 client with keep-alive connections. Its own cost is never counted."""

import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock, Thread
from types import TracebackType
from typing import Self

HOST = "127.0.0.1"
CHUNK = 1 << 16
# The slowest single answer: a peer's search or count over a million rows on a busy machine.
PATIENCE_SECONDS = 300.0


@dataclass(frozen=True)
class Call:
    target: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def written(self) -> bytes:
        lines = [f"{self.method} {self.target} HTTP/1.1", f"Host: {HOST}"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.body:
            lines.append(f"Content-Length: {len(self.body)}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + self.body


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


class RefusedCall(Exception):
    pass


class Connection:
    def __init__(self, port: int, receive_buffer: int | None = None) -> None:
        self._socket = socket.socket()
        if receive_buffer is not None:
            # Before connecting, because the window is negotiated then.
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.settimeout(PATIENCE_SECONDS)
        self._socket.connect((HOST, port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._left_over = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def ask(self, call: Call) -> Answer:
        """Returns the whole answer. Any failure status is an error, because a refusal is cheap and would look fast."""
        self.send(call)
        status, headers = self.read_head()
        body = b"".join(self.read_body(headers))
        if not 200 <= status < 300:
            raise RefusedCall(f"{call.method} {call.target}: {status} {body[:300]!r}")
        return Answer(status, headers, body)

    def send(self, call: Call) -> None:
        self._socket.sendall(call.written())

    def read_head(self) -> tuple[int, dict[str, str]]:
        lines = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines[1:])
        return int(lines[0].split(" ", 2)[1]), {name.lower(): value.strip() for name, _, value in pairs}

    def read_body(self, headers: dict[str, str]) -> Iterator[bytes]:
        if headers.get("transfer-encoding", "").lower() != "chunked":
            yield from self._exactly(int(headers.get("content-length", "0")))
            return
        while size := int(self._until(b"\r\n").partition(b";")[0], 16):
            yield from self._exactly(size)
            self._until(b"\r\n")
        self._until(b"\r\n")

    def _receive(self) -> bytes:
        received = self._socket.recv(CHUNK)
        if not received:
            raise ConnectionError("The server closed the connection in the middle of an answer.")
        return received

    def _until(self, mark: bytes) -> bytes:
        while (end := self._left_over.find(mark)) < 0:
            self._left_over += self._receive()
        found, self._left_over = self._left_over[:end], self._left_over[end + len(mark) :]
        return found

    def _exactly(self, size: int) -> Iterator[bytes]:
        while size > 0:
            piece = self._left_over or self._receive()
            yield piece[:size]
            self._left_over = piece[size:]
            size -= len(piece[:size])


def ask_once(port: int, call: Call) -> Answer:
    with Connection(port) as connection:
        return connection.ask(call)


def ask_many(connections: list[Connection], calls: list[Call]) -> list[int]:
    """Each connection sends the next call as soon as it has its answer. Returns latencies in nanoseconds."""
    waiting = iter(calls)
    taking = Lock()
    latencies: list[int] = []
    errors: list[Exception] = []

    def work(connection: Connection) -> None:
        while not errors:
            with taking:
                call = next(waiting, None)
            if call is None:
                return
            began = time.perf_counter_ns()
            try:
                connection.ask(call)
            except Exception as error:
                errors.append(error)
                return
            latencies.append(time.perf_counter_ns() - began)

    threads = [Thread(target=work, args=(connection,)) for connection in connections]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return latencies
