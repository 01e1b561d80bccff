"""Starts the process of a plan or a run, and ends it with the server. The next run continues what it has left."""

import asyncio
import signal

import structlog

from countinghouse.core.db import Database
from countinghouse.core.own_process import OwnProcess, start_module
from countinghouse.importing.folders import remove_left_folders
from countinghouse.importing.uploads import SUPERSEDED, Task, fail_job

log = structlog.get_logger()

# How a job ends with its server, which is an interruption and not a failure of the files.
_STOPPED = (-signal.SIGTERM, -signal.SIGINT)


class Jobs:
    """At most one per desk runs at a time; `begin_job` decides that."""

    def __init__(self, database_url: str, database: Database) -> None:
        self._database = database
        self._database_url = database_url
        self._running: set[asyncio.Task[None]] = set()

    async def clean_up(self) -> None:
        """Removes what jobs have left that were killed together with their server."""
        await asyncio.to_thread(remove_left_folders)

    async def start(self, import_id: str, job: str, task: Task) -> None:
        process = start_module("countinghouse.importing.job", import_id, job, task, database_url=self._database_url)
        watching = asyncio.create_task(self._watch(process, import_id, job, task))
        self._running.add(watching)
        watching.add_done_callback(self._running.discard)

    async def _watch(self, process: OwnProcess, import_id: str, job: str, task: Task) -> None:
        await _wait(process)
        code = process.returncode
        if not code or code in (*_STOPPED, SUPERSEDED):
            return
        log.error("import_job_died", import_id=import_id, exit_code=code)
        try:
            await self._database.write(lambda transaction: fail_job(transaction, import_id, job, _why(code, task)))
        except Exception:
            # The screen will show it as interrupted.
            log.exception("import_failure_not_stored", import_id=import_id)

    async def close(self) -> None:
        for watching in list(self._running):
            watching.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


async def _wait(process: OwnProcess) -> None:
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        # A job that was killed could not remove its own.
        await asyncio.to_thread(remove_left_folders)


def _why(code: int, task: Task) -> str:
    left = "Nothing was imported." if task == "plan" else "Rows already imported stay."
    if code < 0:
        cause = f"The system ended the import (signal {-code}), probably because it needed too much memory."
        advice = "Upload fewer or smaller files, or save spreadsheets as CSV."
    else:
        cause = "The import ended with an error, which is in the log of the server."
        advice = "Try again. If it fails again, show the log to your operator."
    return f"{cause} {left} {advice}"
