"""While the server runs, seals what is new in the audit log, within a second. Each server process has one sealer."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from countinghouse.audit.checkpoints import Checkpoint, Checkpoints
from countinghouse.audit.sealing import SEALED_TOGETHER, has_work, read_head, seal_some
from countinghouse.core.db import Database
from countinghouse.core.poller import Poller

log = structlog.get_logger()

POLL_SECONDS = 0.5
CHECKPOINT_SECONDS = 60.0
# When the server stops: for the last seals and a checkpoint.
STOPPING_SECONDS = 1.0


async def _tell_nobody(_checkpoint: Checkpoint) -> None: ...


class Sealer:
    """`announce` is called with each checkpoint after it was written."""

    def __init__(
        self,
        database: Database,
        checkpoints: Checkpoints,
        announce: Callable[[Checkpoint], Awaitable[None]] = _tell_nobody,
    ) -> None:
        self._database = database
        self._checkpoints = checkpoints
        self._announce = announce
        self._poller = Poller("audit_sealer", self._seal_and_checkpoint, every_seconds=POLL_SECONDS)
        # The first checkpoint is made with the first seals of this process.
        self._checkpoint_due_at = time.monotonic()
        self._has_new = False

    def start(self) -> None:
        self._poller.start()

    async def stop(self) -> None:
        """Returns within seconds, whatever the database does. The next server seals what is left."""
        if self._poller.work is None:
            return
        with suppress(Exception):
            async with asyncio.timeout(STOPPING_SECONDS):
                await self._poller.stop()
                await self.step()
                await self.checkpoint()

    async def _seal_and_checkpoint(self) -> bool:
        is_behind = await self.step()
        if self._has_new and time.monotonic() >= self._checkpoint_due_at:
            await self.checkpoint()
        return is_behind

    async def step(self) -> bool:
        """Seals some rows. Returns whether more are waiting."""
        if not await self._database.read(has_work):
            return False
        sealed = await self._database.write(seal_some)
        self._has_new = self._has_new or sealed > 0
        return sealed >= SEALED_TOGETHER

    async def checkpoint(self) -> None:
        """Of what this process has sealed; nothing if that was nothing."""
        if not self._has_new:
            return
        head = await self._database.read(read_head)
        # Before the file is written: if that fails, it is tried again in a minute and not twice a second.
        self._checkpoint_due_at = time.monotonic() + CHECKPOINT_SECONDS
        written = await asyncio.to_thread(self._checkpoints.write, head)
        # The log is the second place that a checkpoint is in; it often leaves the machine.
        log.info("audit_checkpoint", **written.as_json)
        # If this fails, another checkpoint is made in a minute.
        await self._announce(written)
        self._has_new = False
