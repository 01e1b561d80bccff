"""Apps on a real socket, and clients that send raw HTTP, valid or malformed."""

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from countinghouse.core.http.protocol import DeadlineProtocol
from tests.waiting import eventually

# For tests that need nothing else from `tests.waiting`.
wait_until = eventually

WAIT_SECONDS = 30.0
STOP_SECONDS = 60.0


@contextmanager
def served(app: Any, http: type[DeadlineProtocol] = DeadlineProtocol) -> Iterator[int]:
    """Runs the app in a thread of this process, as `countinghouse serve` would; yields its port."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, http=http, ws="none", loop="uvloop", lifespan="off", log_level="critical")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        eventually(lambda: server.started)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(STOP_SECONDS)
        listener.close()
        assert not thread.is_alive(), f"still at work after {STOP_SECONDS:g} seconds"


@contextmanager
def connected(port: int, *, receive_bytes: int | None = None) -> Iterator[socket.socket]:
    client = socket.socket()
    client.settimeout(WAIT_SECONDS)
    if receive_bytes is not None:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    client.connect(("127.0.0.1", port))
    with client:
        yield client


def read_answer(client: socket.socket) -> bytes:
    """Reads one answer with its body; raises if the connection closes before the answer is complete."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += _receive_some(client)
    head, _, body = received.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    while length and len(body) < int(length[1]):
        body += _receive_some(client)
    return head + b"\r\n\r\n" + body


def read_to_the_end(client: socket.socket) -> bytes:
    received = b""
    try:
        while piece := client.recv(65536):
            received += piece
    except ConnectionResetError:
        pass
    return received


def seconds_until_closed(client: socket.socket) -> float:
    """Fails with a timeout if the server never closes the connection."""
    started_at = time.monotonic()
    read_to_the_end(client)
    return time.monotonic() - started_at


def _receive_some(client: socket.socket) -> bytes:
    piece = client.recv(65536)
    if not piece:
        raise ConnectionError("closed before the answer was whole")
    return piece
