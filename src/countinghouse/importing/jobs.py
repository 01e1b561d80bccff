"""Starts the process of a plan or a run, and ends it with the server. The next run continues what it has left."""

import asyncio
import os
import sys

from countinghouse.importing.uploads import Task

start_process = asyncio.create_subprocess_exec


class Jobs:
    """At most one per desk runs at a time; `begin_job` decides that."""

    def __init__(self, database_url: str) -> None:
        # As the setting spells it; SQLAlchemy's spelling names the driver too.
        self._database_url = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._running: set[asyncio.Task[None]] = set()

    async def start(self, import_id: str, job: str, task: Task) -> None:
        # -P: never import a module from the folder in which the server was started.
        process = await start_process(
            *(sys.executable, "-P", "-m", "countinghouse.importing.job", import_id, job, task),
            env=os.environ | {"COUNTINGHOUSE_DATABASE_URL": self._database_url},
            stdin=asyncio.subprocess.DEVNULL,
        )
        watching = asyncio.create_task(_wait(process))
        self._running.add(watching)
        watching.add_done_callback(self._running.discard)

    async def close(self) -> None:
        for watching in list(self._running):
            watching.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


async def _wait(process: asyncio.subprocess.Process) -> None:
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
