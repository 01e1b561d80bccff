"""Connections on which a receiver can send only so much for each request."""

import ssl
from collections.abc import Iterable
from typing import Any

from httpcore2 import SOCKET_OPTION, AsyncNetworkBackend, AsyncNetworkStream, RemoteProtocolError

# For the response that is read, its headers included.
MOST_BYTES = 64 * 1024


class BoundedNetwork(AsyncNetworkBackend):
    def __init__(self, network: AsyncNetworkBackend) -> None:
        self._network = network

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> AsyncNetworkStream:
        return BoundedStream(await self._network.connect_tcp(host, port, timeout, local_address, socket_options))

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


class BoundedStream(AsyncNetworkStream):
    """The HTTP library reads any number of informational responses before the final one, all on the event loop."""

    def __init__(self, stream: AsyncNetworkStream) -> None:
        self._stream = stream
        self._left = MOST_BYTES

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._left == 0:
            raise RemoteProtocolError(f"{MOST_BYTES // 1024} KB came, and it was not complete")
        received = await self._stream.read(min(max_bytes, self._left), timeout)
        self._left -= len(received)
        return received

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._left = MOST_BYTES
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> AsyncNetworkStream:
        return BoundedStream(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
