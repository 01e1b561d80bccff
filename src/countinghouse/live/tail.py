"""Polls the end of the audit log for all open screens of this process (docs/decisions/0010)."""

import asyncio
import time
from contextvars import Context

import structlog

from countinghouse.core.db import DATABASE_UNAVAILABLE, Cost, Database
from countinghouse.core.desk_zone import zone_name
from countinghouse.core.errors import Busy
from countinghouse.live import events
from countinghouse.live.listener import Listener
from countinghouse.live.marks import LogMark
from countinghouse.live.queries import EVERYBODY, MOST_ROWS, News, OpenClaim, Waiting, read_beginning, read_news

log = structlog.get_logger()

POLL_SECONDS = 0.4
# Who has what open is sent at most this often, however often it changes.
OPEN_SECONDS = 1.0

DATABASE_TROUBLE = (*DATABASE_UNAVAILABLE, Busy)


class Tail:
    """Polls only while there are listeners."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._listeners: set[Listener] = set()
        self._work: asyncio.Task[None] | None = None
        self._begun = asyncio.Event()
        self._mark = LogMark(0)
        self._known = News([], [], [], [], [])
        # What the screens know, and when the next change of it may be sent.
        self._sent_open: list[OpenClaim] = []
        self._open_due_at = 0.0

    @property
    def mark(self) -> int:
        return self._mark.low

    @property
    def streams(self) -> int:
        return len(self._listeners)

    async def join(self, listener: Listener) -> None:
        """Returns when the tail knows where the log ends. The listener receives nothing before `greet`."""
        self._listeners.add(listener)
        if self._work is None:
            self._begun = asyncio.Event()
            # The task outlives the request that started it, so its log lines must not carry that request's id.
            self._work = asyncio.create_task(self._follow(self._begun), context=Context())
        await self._begun.wait()

    def greet(self, listener: Listener, after: int | None, waiting: Waiting) -> bytes:
        """From here on, the listener receives every event."""
        listener.sent_open = events.open_for(listener.admin_id, self._known.open)
        mark = self.mark if after is None else after
        said = {
            "after": mark,
            "openClaims": listener.sent_open,
            "timeZone": zone_name(),
            "hasUnfinishedBatch": waiting.has_batch,
            "displayRequests": waiting.display_requests,
        }
        return events.event("hello", said, mark)

    def leave(self, listener: Listener) -> None:
        self._listeners.discard(listener)
        if not self._listeners and self._work is not None:
            self._work.cancel()
            self._work = None

    async def _follow(self, begun: asyncio.Event) -> None:
        try:
            await self._poll_forever(begun)
        except Exception:
            # A bug in this program. The screens reconnect, and the first of them starts a new task.
            log.exception("live_tail_failed")
            self._work = None
            begun.set()
            for listener in self._listeners:
                listener.close()

    async def _poll_forever(self, begun: asyncio.Event) -> None:
        is_troubled = False
        while True:
            try:
                is_behind = await (self._poll() if begun.is_set() else self._begin(begun))
                if is_troubled:
                    log.info("live_tail_recovered")
                is_troubled = False
            except DATABASE_TROUBLE as error:
                if not is_troubled:
                    log.warning("live_tail_troubled", error=str(error))
                is_troubled, is_behind = True, False
            await asyncio.sleep(0 if is_behind else POLL_SECONDS)

    async def _begin(self, begun: asyncio.Event) -> bool:
        low, numbers, known = await self._database.read(read_beginning, Cost.MEDIUM)
        self._mark, self._known, self._sent_open = LogMark(low), known, known.open
        self._mark.reach(numbers)
        begun.set()
        return False

    async def _poll(self) -> bool:
        top, gaps = self._mark.top, self._mark.gaps
        news = await self._database.read(lambda reader: read_news(reader, top, gaps))
        self._publish(news)
        return len(news.rows) == MOST_ROWS

    def _publish(self, news: News) -> None:
        at = time.monotonic()
        before = self.mark
        self._mark.reach(row.seq for row in news.rows)
        self._mark.close(row.seq for row in news.late)
        self._mark.close(news.settled)
        # Late rows have lower numbers than all new rows.
        piece = events.changes([*news.late, *news.rows], before, self.mark)
        if news.counts != self._known.counts:
            piece += events.event("counts", {}, self.mark)
        self._known = news
        is_open_changed = news.open != self._sent_open and at >= self._open_due_at
        if is_open_changed:
            self._sent_open, self._open_due_at = news.open, at + OPEN_SECONDS
        signed_out = {row.signed_out for row in (*news.late, *news.rows)}
        for listener in list(self._listeners):
            listener.tell(piece)
            if signed_out & {listener.admin_id, EVERYBODY}:
                listener.doubt()
            if is_open_changed:
                self._publish_open(listener)

    def _publish_open(self, listener: Listener) -> None:
        others = events.open_for(listener.admin_id, self._known.open)
        if others != listener.sent_open and listener.sent_open is not None:
            listener.sent_open = others
            listener.tell(events.event("open", others, self.mark))
