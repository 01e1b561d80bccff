"""A real TCP proxy between a browser and the server, which can lose requests or answers, or slow them down."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

# `request`: the server never receives it. `answer`: the server does the work, but its answer is lost.
Loss = Literal["request", "answer"]
Fate = Literal[Loss, "slow"]

SLOW_BYTES, SLOW_SECONDS = 16_384, 0.1


@dataclass
class BadLine:
    url: str
    _fates: dict[bytes, Fate] = field(default_factory=dict)

    def lose(self, what: Loss, request: str) -> None:
        """`request` is the start of the request, such as `PUT /api/claims`."""
        self._fates[request.encode()] = what

    def slow_down(self, request: str) -> None:
        """Its answer is forwarded slowly, so that the server has to wait before it can send the rest."""
        self._fates[request.encode()] = "slow"

    def mend(self) -> None:
        self._fates.clear()

    @property
    def is_mended(self) -> bool:
        return not self._fates

    def fate_of(self, sent: bytes) -> Fate | None:
        return next((fate for beginning, fate in self._fates.items() if sent.startswith(beginning)), None)


@contextmanager
def bad_line_to(server_url: str) -> Iterator[BadLine]:
    server = urlsplit(server_url)
    assert server.hostname is not None
    assert server.port is not None
    target = (server.hostname, server.port)
    listener = socket.create_server(("127.0.0.1", 0))
    line = BadLine(f"http://127.0.0.1:{listener.getsockname()[1]}")

    def accept() -> None:
        with suppress(OSError):
            while True:
                browser, _ = listener.accept()
                threading.Thread(target=_forward_requests, args=(line, browser, target), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield line
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def _forward_requests(line: BadLine, browser: socket.socket, target: tuple[str, int]) -> None:
    with browser, suppress(OSError), socket.create_connection(target) as server:
        losing, slowing = threading.Event(), threading.Event()
        threading.Thread(target=_forward_answers, args=(line, server, browser, losing, slowing), daemon=True).start()
        while sent := browser.recv(65536):
            fate = line.fate_of(sent)
            if fate == "request":
                return
            if fate == "answer":
                losing.set()
            if fate == "slow":
                slowing.set()
            server.sendall(sent)


def _forward_answers(
    line: BadLine, server: socket.socket, browser: socket.socket, losing: threading.Event, slowing: threading.Event
) -> None:
    with suppress(OSError):
        while answered := server.recv(SLOW_BYTES if slowing.is_set() else 65536):
            if losing.is_set():
                break
            browser.sendall(answered)
            if slowing.is_set() and not line.is_mended:
                time.sleep(SLOW_SECONDS)
    # The server has closed its side: the browser must not wait for more data.
    with suppress(OSError):
        browser.shutdown(socket.SHUT_RDWR)
