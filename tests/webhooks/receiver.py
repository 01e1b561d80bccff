"""A receiver over loopback that checks every message with the `standardwebhooks` package."""

import json
import ssl
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from standardwebhooks import Webhook, WebhookVerificationError


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.body)
        return message

    @property
    def type(self) -> str:
        return str(self.message["type"])

    @property
    def subject(self) -> str:
        return str(self.message["data"]["_id"])


@dataclass(frozen=True)
class Answer:
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    # Written after the body until the sender closes the connection or this returns None.
    more: Callable[[], bytes | None] = lambda: None


def accept(_received: Received) -> Answer:
    return Answer()


class HalfFailing:
    """Fails half of the time, but each message only a few times: the sender gives up after ten attempts."""

    MOST_FAILURES = 5

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - repeatable
        self._failures: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, received: Received) -> Answer:
        with self._lock:
            if self._random.random() < 0.5 or self._failures[received.id] >= self.MOST_FAILURES:
                return Answer()
            self._failures[received.id] += 1
            return Answer(503)


class Receiver:
    """`answer` decides what each request gets. With `secrets`, a message that none of them signed gets 401."""

    def __init__(self, answer: Callable[[Received], Answer] = accept) -> None:
        self.answer = answer
        self.secrets: list[str] = []
        self.received: list[Received] = []
        # Answered with success.
        self.taken: list[Received] = []
        # Messages of which a second copy arrived before the first was answered.
        self.overlapping: list[str] = []
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/hooks?from=desk"

    @property
    def port(self) -> int:
        return self._server.server_port

    def use_tls(self, certificate: Path) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        # The handshake belongs to the thread of a request.
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)

    def types(self) -> list[str]:
        return [received.type for received in self.received]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self, received: Received) -> Answer:
        with self._lock:
            self.received.append(received)
            self._open[received.id] += 1
            if self._open[received.id] > 1:
                self.overlapping.append(received.id)
        try:
            answer = self.answer(received) if self._is_genuine(received) else Answer(401, body=b"who are you?")
            if 200 <= answer.status < 300:
                with self._lock:
                    self.taken.append(received)
            return answer
        finally:
            with self._lock:
                self._open[received.id] -= 1

    def _is_genuine(self, received: Received) -> bool:
        return not self.secrets or any(is_genuine(secret, received) for secret in self.secrets)


def is_genuine(secret: str, received: Received) -> bool:
    try:
        Webhook(secret).verify(received.body, received.headers)
    except WebhookVerificationError:
        return False
    return True


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, receiver: Receiver) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.receiver = receiver

    def handle_error(self, _request: object, _address: object) -> None:
        """A sender that closes the connection is no error."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.server.receiver.take(Received(self.path, headers, body))
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        is_endless = (more := answer.more()) is not None
        if not is_endless:
            self.send_header("Content-Length", str(len(answer.body)))
        else:
            self.close_connection = True
        self.end_headers()
        self.wfile.write(answer.body)
        while more is not None:
            self.wfile.write(more)
            self.wfile.flush()
            more = answer.more()

    def log_message(self, *_words: Any) -> None: ...
