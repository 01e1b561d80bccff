"""The queue of events for one open screen."""

import asyncio

# A screen with this much queued is not reading. Its stream is closed, and it resumes from its mark when it reconnects.
MOST_WAITING_BYTES = 1_000_000


class Listener:
    def __init__(self, admin_id: str) -> None:
        self.admin_id = admin_id
        # The last list of claims that others have open, as sent to this screen. None until the greeting; until then,
        # nothing is sent.
        self.sent_open: list[dict[str, str]] | None = None
        self.closed = asyncio.Event()
        self.is_doubted = False
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._news = asyncio.Event()

    @property
    def is_waited_for(self) -> bool:
        return bool(self._waiting)

    def tell(self, piece: bytes) -> None:
        if not piece or self.sent_open is None or self.closed.is_set():
            return
        self._waiting.append(piece)
        self._waiting_bytes += len(piece)
        self._news.set()
        if self._waiting_bytes > MOST_WAITING_BYTES:
            self.close()

    def doubt(self) -> None:
        """The session may have ended; it is checked before anything else is sent."""
        self.is_doubted = True
        self._news.set()

    def close(self) -> None:
        self.closed.set()
        self._news.set()

    async def wait(self) -> None:
        await self._news.wait()

    def take(self) -> bytes:
        taken = b"".join(self._waiting)
        self._waiting.clear()
        self._waiting_bytes = 0
        if not self.closed.is_set():
            self._news.clear()
        return taken
