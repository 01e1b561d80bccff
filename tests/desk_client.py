"""An httpx client that calls an app in this process.

Starlette's test client starts a thread and an event loop for each call and switches between threads eight times: a
call takes 6 ms, of which the app needs one. Here all calls run on one event loop, as they do in a server.
"""

import asyncio
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

from httpx2 import BaseTransport, ByteStream, Client, Request, Response
from starlette.applications import Starlette

from tests.event_loop import run


class DeskClient(Client):
    def __init__(self, app: Starlette, peer: str) -> None:
        super().__init__(transport=_InProcess(app, peer), base_url="http://desk.test", follow_redirects=True)
        self.app = app


class _InProcess(BaseTransport):
    def __init__(self, app: Starlette, peer: str) -> None:
        self._app = app
        self._peer = peer

    def handle_request(self, request: Request) -> Response:
        exchange = _Exchange(request, self._peer)
        run(exchange.run(self._app))
        return exchange.response()


class _Exchange:
    """One request and the app's answer."""

    def __init__(self, request: Request, peer: str) -> None:
        self._request = request
        self._body: bytes | None = request.read()
        self._is_answered = asyncio.Event()
        self._status: int | None = None
        self._headers: list[tuple[bytes, bytes]] = []
        self._parts: list[bytes] = []
        url = request.url
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": url.scheme,
            "path": unquote(url.path),
            "raw_path": url.raw_path.split(b"?", 1)[0],
            "query_string": url.query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "client": (peer, 50000),
            "server": (url.host, url.port or 80),
            "state": {},
        }

    async def run(self, app: Starlette) -> None:
        # A failing app sends its 500 first and then raises, for the server's log.
        with suppress(Exception):
            await app(self._scope, self._receive, self._send)

    def response(self) -> Response:
        assert self._status is not None, f"{self._request.method} {self._request.url} was not answered"
        body = b"" if self._request.method == "HEAD" else b"".join(self._parts)
        # As a stream, because httpx would add a Content-Length to plain content.
        return Response(self._status, headers=self._headers, stream=ByteStream(body), request=self._request)

    async def _receive(self) -> dict[str, Any]:
        if self._body is None:
            await self._is_answered.wait()
            return {"type": "http.disconnect"}
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self._status, self._headers = message["status"], list(message.get("headers", []))
        elif message["type"] == "http.response.body":
            self._parts.append(bytes(message.get("body", b"")))
            if not message.get("more_body", False):
                self._is_answered.set()
