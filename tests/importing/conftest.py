"""Jobs of imports in forks of a process that has imported all modules: a new Python needs a second for that.

The browser's journeys and the command's tests start them as a server does.
"""

import asyncio
import os
from multiprocessing.process import BaseProcess
from typing import cast

import pytest

from countinghouse.core.own_process import environment_with
from countinghouse.importing.folders import job_folder
from countinghouse.importing.job import main
from countinghouse.importing.uploads import Task
from tests.warm import forks


class ForkedJob:
    """The part of asyncio's Process that a server uses."""

    def __init__(self, process: BaseProcess) -> None:
        self._process = process

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    async def wait(self) -> None:
        while self._process.exitcode is None:
            await asyncio.sleep(0.02)

    def kill(self) -> None:
        self._process.kill()


def _work(environment: dict[str, str], words: tuple[str, ...]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    import_id, job, task = words
    with job_folder() as folder:
        main(folder, import_id, job, cast(Task, task))


def _start(_module: str, *words: str, database_url: str) -> ForkedJob:
    process = forks.Process(target=_work, args=(environment_with(database_url), words))
    process.start()
    return ForkedJob(process)


@pytest.fixture(autouse=True)
def jobs_are_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("countinghouse.importing.jobs.start_module", _start)
