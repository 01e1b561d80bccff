"""The transport of one response: sends its head together with the first piece of its body, in one system call."""

import asyncio
from collections.abc import Callable

from countinghouse.core.http.readers import ReaderRate


class HeadWithBody:
    """Holds the head back only until the next iteration of the event loop."""

    __slots__ = ("_close", "_head", "_later", "_loop", "_reader", "_transport", "is_closing")

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        reader: ReaderRate,
        close: Callable[[], None],
    ) -> None:
        self._transport = transport
        self._loop = loop
        self._reader = reader
        self._close = close
        self._head = b""
        self._later: asyncio.Handle | None = None
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        if self.is_closing():
            # The client has gone. If it has sent several requests at once, uvicorn notes that only for the last one.
            return
        self._reader.written += len(data)
        if self._later is not None:
            self._later.cancel()
            self._later = None
            self._transport.write(self._head + data)
        elif not self._head:
            self._head = data
            self._later = self._loop.call_soon(self._send_head)
        else:
            self._transport.write(data)

    def close(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._send_head()
        self._close()

    def _send_head(self) -> None:
        self._later = None
        if not self.is_closing():
            self._transport.write(self._head)
