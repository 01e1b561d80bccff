"""A real TCP proxy between a browser and the server, which can lose requests or answers as a bad line does."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

# `request`: the server never hears of it. `answer`: the server does the work, and nobody hears of that.
Loss = Literal["request", "answer"]


@dataclass
class BadLine:
    url: str
    _lost: dict[bytes, Loss] = field(default_factory=dict)

    def lose(self, what: Loss, request: str) -> None:
        """`request` is how the request begins, such as `PUT /api/claims`."""
        self._lost[request.encode()] = what

    def mend(self) -> None:
        self._lost.clear()

    def fate_of(self, sent: bytes) -> Loss | None:
        return next((loss for beginning, loss in self._lost.items() if sent.startswith(beginning)), None)


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
                threading.Thread(target=_carry, args=(line, browser, target), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield line
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def _carry(line: BadLine, browser: socket.socket, target: tuple[str, int]) -> None:
    with browser, suppress(OSError), socket.create_connection(target) as server:
        losing = threading.Event()
        threading.Thread(target=_carry_back, args=(server, browser, losing), daemon=True).start()
        while sent := browser.recv(65536):
            fate = line.fate_of(sent)
            if fate == "request":
                return
            if fate == "answer":
                losing.set()
            server.sendall(sent)


def _carry_back(server: socket.socket, browser: socket.socket, losing: threading.Event) -> None:
    with suppress(OSError):
        while answered := server.recv(65536):
            if losing.is_set():
                browser.shutdown(socket.SHUT_RDWR)
                return
            browser.sendall(answered)
