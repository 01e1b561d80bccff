"""One open screen, as the tail sees it."""

import asyncio

# A screen that has so much waiting does not read; it is closed, and resumes from its mark when it is back.
MOST_WAITING_BYTES = 1_000_000


class Listener:
    def __init__(self, admin_id: str) -> None:
        self.admin_id = admin_id
        # What it was last told that others have open; before it was greeted it is told nothing.
        self.told_open: list[dict[str, str]] | None = None
        self.closed = asyncio.Event()
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._news = asyncio.Event()

    @property
    def is_waited_for(self) -> bool:
        return bool(self._waiting)

    def tell(self, piece: bytes) -> None:
        if not piece or self.told_open is None or self.closed.is_set():
            return
        self._waiting.append(piece)
        self._waiting_bytes += len(piece)
        self._news.set()
        if self._waiting_bytes > MOST_WAITING_BYTES:
            self.close()

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
