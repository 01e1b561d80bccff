"""A minimal HTTP client: a drill must control when a request leaves, and know what arrived before a break."""

import asyncio
import json
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Any


class LineBroken(Exception):
    """The connection ended before the answer was complete: nobody knows what the server did."""


class Line:
    """One keep-alive connection to a server."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 0
        self._token = token

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    async def move(self, claim_id: str, status: str, key: str | None = None) -> Answer:
        return await self.send("PUT", f"/api/claims/{claim_id}/status", {"status": status}, key)

    async def send(self, method: str, path: str, sent: Any, key: str | None = None) -> Answer:
        body = json.dumps(sent).encode()
        head = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self._host}:{self._port}",
            f"Authorization: Bearer {self._token}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            *([f"Idempotency-Key: {key}"] if key else []),
        ]
        try:
            self._writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + body)
            await self._writer.drain()
            return await self._read()
        except (OSError, asyncio.IncompleteReadError) as error:
            raise LineBroken from error

    async def _read(self) -> Answer:
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split(" ")[1])
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        body = await self._reader.readexactly(int(headers["content-length"]))
        return Answer(status, json.loads(body))
