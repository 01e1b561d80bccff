"""While the server runs, checks purchases that were inserted directly into the database, within seconds."""

import asyncio
from contextlib import suppress

import structlog

from countinghouse.core.db import Database
from countinghouse.purchases.actions import check_unchecked, has_unchecked

log = structlog.get_logger()

POLL_SECONDS = 2.0
# Many may be waiting after an upgrade; requests for pages have priority.
PAUSE_SECONDS = 0.05


class Watch:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._ending = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._work = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Returns when the last check has ended; only then may the database be closed."""
        self._ending.set()
        if self._work is not None:
            await self._work

    async def _run(self) -> None:
        is_troubled = False
        while not self._ending.is_set():
            try:
                is_behind = await self._database.read(has_unchecked) and bool(await check_unchecked(self._database))
                if is_troubled:
                    log.info("purchase_watch_recovered")
                is_troubled = False
            except Exception as error:
                # Whatever the error is, the server continues and this tries again. It is logged once.
                if not is_troubled:
                    log.warning("purchase_watch_troubled", error=str(error))
                is_troubled, is_behind = True, False
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), PAUSE_SECONDS if is_behind else POLL_SECONDS)
