"""Runs the checks of everything that is stored for the Health screen: one at a time, and never for long."""

import asyncio
import json
import subprocess
import time

from countinghouse.core.errors import Busy
from countinghouse.core.own_process import start_module
from countinghouse.monitoring.checks import Check

# Shorter than the usual limit of a proxy.
DEADLINE_SECONDS = 50.0
# Who asks again within this time gets the same result.
LASTS_SECONDS = 30.0
MOST_SHOWN = 5

TOO_SLOW = "This takes too long for the browser: run countinghouse doctor on the server."
FAILED = "The check failed: run countinghouse doctor on the server to see why."


class Examiner:
    def __init__(self, database_url: str) -> None:
        self._database_url = database_url
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
        process = start_module(
            "countinghouse.monitoring.examining", database_url=self._database_url, stdout=subprocess.PIPE
        )
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                written = await process.wait()
        except TimeoutError:
            return [{"title": "Stored data", "state": "note", "message": TOO_SLOW}]
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
            self._ended_at = time.monotonic()
        if process.returncode:
            return [{"title": "Stored data", "state": "wrong", "message": FAILED}]
        return [_shown(**json.loads(line)) for line in written.splitlines()]


def _shown(title: str, problems: list[str]) -> Check:
    more = len(problems) - MOST_SHOWN
    shown = [
        *problems[:MOST_SHOWN],
        *([f"And {more:,} more: run countinghouse doctor to see all."] if more > 0 else []),
    ]
    return {"title": title, "state": "wrong" if problems else "fine", "message": " ".join(shown)}
