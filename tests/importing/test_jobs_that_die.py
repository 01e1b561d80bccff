"""A job that takes too much memory or is killed ends as failed, with a sentence; the server goes on."""

import os
import signal
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from countinghouse.core.ids import new_id
from countinghouse.core.own_process import environment_with
from countinghouse.core.times import now
from countinghouse.importing import job as job_module
from countinghouse.importing import uploads
from countinghouse.importing.tables import imports
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing import conftest
from tests.importing.test_importing_on_the_screen import CSV, start, upload
from tests.warm import forks

pytestmark = on_one_engine


def _take_memory(_paths: Any) -> Any:
    return bytearray(job_module.MEMORY_BYTES)


def _be_killed(_paths: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def _abort(_paths: Any) -> Any:
    os.abort()


def _fail(_paths: Any) -> Any:
    raise RuntimeError


def _be_stopped(_paths: Any) -> Any:
    os.kill(os.getpid(), signal.SIGTERM)


def _work_with(fault: Callable[..., Any], environment: dict[str, str], words: tuple[str, ...]) -> None:
    vars(job_module)["find_sources"] = fault
    conftest._work(environment, words)


def jobs_end_by(fault: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The next jobs do this instead of reading their files."""

    def begin(_module: str, *words: str, database_url: str) -> conftest.ForkedJob:
        process = forks.Process(target=_work_with, args=(fault, environment_with(database_url), words))
        process.start()
        return conftest.ForkedJob(process)

    monkeypatch.setattr("countinghouse.importing.jobs.start_module", begin)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (_take_memory, "This import needs more memory than an import may take."),
        (_be_killed, "The system ended the import (signal 9), probably because it needed too much memory."),
        (_abort, "The system ended the import (signal 6), probably because it needed too much memory."),
        (_fail, "The import ended with an error, which is in the log of the server."),
    ],
)
def test_a_job_that_dies_says_why_and_can_be_started_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, fault: Callable[..., Any], sentence: str
) -> None:
    import_id = upload(desk, "users.csv", CSV.encode())
    with monkeypatch.context() as patch:
        jobs_end_by(fault, patch)
        failed = start(desk, import_id, "plan")
    assert failed["state"] == "failed"
    assert failed["failure"].startswith(sentence)
    assert start(desk, import_id, "plan")["state"] == "planned"
    with monkeypatch.context() as patch:
        jobs_end_by(fault, patch)
        assert start(desk, import_id, "run")["failure"].startswith(sentence)
    assert start(desk, import_id, "run")["state"] == "done"


def test_a_job_that_is_stopped_with_its_server_has_not_failed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    import_id = upload(desk, "users.csv", CSV.encode())
    jobs_end_by(_be_stopped, monkeypatch)
    monkeypatch.setattr(uploads, "SILENCE", timedelta(seconds=3))
    assert start(desk, import_id, "plan")["state"] == "interrupted"
    assert [row.failure for row in desk.rows(select(imports))] == [None]


@pytest.mark.parametrize("ahead", [timedelta(minutes=20), timedelta(hours=20)])
def test_a_heartbeat_of_a_clock_that_was_ahead_blocks_no_import(desk: Desk, ahead: timedelta) -> None:
    left = upload(desk, "users.csv", CSV.encode())
    desk.change(update(imports).values(state="running", job=new_id(), heard_at=now() + ahead))
    assert desk.get(f"/api/imports/{left}").json()["state"] == "interrupted"
    assert start(desk, upload(desk, "more.csv", CSV.encode()), "plan")["state"] == "planned"
