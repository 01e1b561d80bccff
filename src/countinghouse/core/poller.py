"""Work that a server process repeats for as long as it runs, such as sealing what is new in the audit log."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from countinghouse.core.lanes import current_caller

log = structlog.get_logger()

# Many rows may be waiting, after an import or an upgrade; requests have priority.
PAUSE_SECONDS = 0.05


class Poller:
    """Calls `step` every few seconds, and sooner while it returns that more is waiting or after `wake`."""

    def __init__(
        self,
        name: str,
        step: Callable[[], Awaitable[bool]],
        *,
        every_seconds: float,
        pause_seconds: float = PAUSE_SECONDS,
    ) -> None:
        self._name = name
        self._step = step
        self._every_seconds = every_seconds
        self._pause_seconds = pause_seconds
        self._is_ending = False
        self._wake = asyncio.Event()
        self.work: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.work = asyncio.create_task(self._run())

    def wake(self) -> None:
        self._wake.set()

    def end(self) -> None:
        """No step begins after this one."""
        self._is_ending = True
        self._wake.set()

    async def stop(self) -> None:
        """Returns when the last step has ended; only then may the database be closed."""
        self.end()
        if self.work is not None:
            await self.work

    async def _run(self) -> None:
        # For taking turns: the places for changes are shared with the admins.
        current_caller.set(self._name)
        is_troubled = False
        while not self._is_ending:
            self._wake.clear()
            try:
                is_behind = await self._step()
                if is_troubled:
                    log.info(f"{self._name}_recovered")
                is_troubled = False
            except Exception as error:
                # Whatever the error is, the server continues and this tries again. It is logged once.
                if not is_troubled:
                    log.warning(f"{self._name}_troubled", error=str(error))
                is_troubled, is_behind = True, False
            if self._is_ending:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self._pause_seconds if is_behind else self._every_seconds)
