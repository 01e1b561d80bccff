"""Runs the checks of everything that is stored for the Health screen: one at a time, and never for long."""

import asyncio
import json
import os
import sys
import time

from countinghouse.core.errors import Busy
from countinghouse.monitoring.checks import Check

# Shorter than the usual limit of a proxy.
DEADLINE_SECONDS = 50.0
# Who asks again within this time gets the same result.
LASTS_SECONDS = 30.0
MOST_TOLD = 5

TOO_SLOW = "This takes too long for the browser: run countinghouse doctor on the server."
FAILED = "The check failed: run countinghouse doctor on the server to see why."


class Examiner:
    def __init__(self, database_url: str) -> None:
        # As the setting spells it; SQLAlchemy's spelling names the driver too.
        self._database_url = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._work: asyncio.Task[list[Check]] | None = None
        self._ended_at = 0.0

    async def examine(self) -> list[Check]:
        is_old = self._work is not None and self._work.done() and time.monotonic() > self._ended_at + LASTS_SECONDS
        if self._work is None or is_old:
            self._work = asyncio.create_task(self._run())
        try:
            # Somebody else may be waiting for the same result.
            return await asyncio.shield(self._work)
        except asyncio.CancelledError:
            if self._work.cancelled():
                raise Busy() from None
            raise

    async def close(self) -> None:
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _run(self) -> list[Check]:
        # -P: never import a module from the folder in which the server was started.
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "countinghouse.monitoring.examining"),
            env=os.environ | {"COUNTINGHOUSE_DATABASE_URL": self._database_url},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                written, _ = await process.communicate()
        except TimeoutError:
            return [{"title": "Stored data", "state": "note", "told": TOO_SLOW}]
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
            self._ended_at = time.monotonic()
        if process.returncode:
            return [{"title": "Stored data", "state": "wrong", "told": FAILED}]
        return [_shown(**json.loads(line)) for line in written.splitlines()]


def _shown(title: str, problems: list[str]) -> Check:
    more = len(problems) - MOST_TOLD
    told = [*problems[:MOST_TOLD], *([f"And {more:,} more: run countinghouse doctor to see all."] if more > 0 else [])]
    return {"title": title, "state": "wrong" if problems else "fine", "told": " ".join(told)}
