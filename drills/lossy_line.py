"""A proxy that loses data: a request on its way to the server, an answer on its way back, or half of an answer."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random
from urllib.parse import urlsplit

Fate = str
# Out of a hundred connections.
FATES: dict[Fate, int] = {"carried": 60, "request lost": 10, "answer lost": 20, "answer cut": 10}


class LossyLine:
    def __init__(self, servers: list[str], seed: int) -> None:
        self._servers = [(parts.hostname, parts.port) for parts in map(urlsplit, servers)]
        self._random = Random(seed)  # noqa: S311 - a drill is reproducible
        self.url = ""
        self.fates: Counter[Fate] = Counter()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        (fate,) = self._random.choices(list(FATES), list(FATES.values()))
        self.fates[fate] += 1
        with suppress(OSError, asyncio.IncompleteReadError):
            request = await _read_message(reader)
            if fate != "request lost":
                answer = await self._ask(request)
                if fate == "carried":
                    writer.write(answer)
                elif fate == "answer cut":
                    writer.write(answer[: self._random.randrange(1, len(answer))])
                await writer.drain()
        writer.close()

    async def _ask(self, request: bytes) -> bytes:
        # A random server: a retry may well reach another server than the request did.
        host, port = self._random.choice(self._servers)
        reader, writer = await asyncio.open_connection(host, port)
        try:
            writer.write(request)
            return await _read_message(reader)
        finally:
            writer.close()


async def _read_message(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return head + await reader.readexactly(int(line.removeprefix(b"content-length:")))
    return head


@asynccontextmanager
async def lossy_line(servers: list[str], seed: int) -> AsyncIterator[LossyLine]:
    line = LossyLine(servers, seed)
    listener = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    line.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    try:
        yield line
    finally:
        listener.close()
