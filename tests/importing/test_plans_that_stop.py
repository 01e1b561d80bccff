"""A plan of almost only bad rows stops with a sentence, and an admin can cancel the check of any files."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from countinghouse.importing import job, running, uploads
from countinghouse.importing.converting import Problem
from countinghouse.importing.report import Report
from countinghouse.importing.sources.discovery import find_sources
from countinghouse.importing.tables import imports
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing.test_importing_on_the_screen import CSV, start, upload
from tests.importing.test_jobs_that_die import jobs_end_by
from tests.waiting import eventually

MOST_BAD, HEADINGS = 2_000, "id,name,phone,date\n"
BAD = "".join(f"b{row},Om Rao,12,2026-01-05\n" for row in range(10_000))
GOOD = "".join(f"g{row},Om Rao,9805756092,2026-01-05\n" for row in range(5_000))


def _stop_sooner(_paths: Any) -> Any:
    """In the process of the job."""
    vars(running)["MOST_BAD_ROWS"] = MOST_BAD
    vars(job)["find_sources"] = find_sources
    return find_sources(_paths)


@pytest.fixture(autouse=True)
def jobs_may_be_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a job may be silent for longer than an import that is interrupted."""
    monkeypatch.setattr(uploads, "SILENCE", timedelta(minutes=10))


@on_one_engine
def test_a_plan_of_bad_rows_stops_shows_the_first_and_cannot_be_run(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs_end_by(_stop_sooner, monkeypatch)
    import_id = upload(desk, "users.csv", (HEADINGS + BAD).encode())
    stopped = start(desk, import_id, "plan")
    assert stopped["state"] == "failed"
    assert stopped["failure"].startswith("The check stopped after 3,000 bad rows, because most rows are bad.")
    assert stopped["progress"]["rows"] <= 3_000
    assert (stopped["good"], stopped["bad"]) == (0, 0)
    assert [row["place"] for row in stopped["report"]["firstBad"][:2]] == ["line 2", "line 3"]
    assert stopped["report"]["collections"][0]["fields"]["mobile"] == "phone"
    assert desk.get(f"/api/imports/{import_id}/errors").text.count("\n") == 3_001
    refused = desk.call("POST", f"/api/imports/{import_id}/run", json={"map": {}})
    assert (refused.status_code, refused.json()["code"]) == (409, "import_not_planned")


@on_one_engine
def test_a_plan_with_more_good_rows_than_bad_ones_is_made_to_the_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs_end_by(_stop_sooner, monkeypatch)
    bad = "".join(BAD.splitlines(keepends=True)[: 2 * MOST_BAD])
    planned = start(desk, upload(desk, "users.csv", (HEADINGS + GOOD + bad).encode()), "plan")
    assert planned["state"] == "planned"
    assert (planned["good"], planned["bad"]) == (5_000, 2 * MOST_BAD)


def _wait_forever(_paths: Any) -> Any:
    import threading

    threading.Event().wait()


@on_one_engine
def test_a_check_is_cancelled_and_another_import_can_begin(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    import_id = upload(desk, "users.csv", CSV.encode())
    with monkeypatch.context() as patch:
        jobs_end_by(_wait_forever, patch)
        assert desk.call("POST", f"/api/imports/{import_id}/plan", json={}).status_code == 202
    cancelled = desk.call("POST", f"/api/imports/{import_id}/cancel", by="ravi")
    assert cancelled.status_code == 200
    assert (cancelled.json()["state"], cancelled.json()["failure"]) == ("failed", "ravi cancelled the check.")
    assert [(row.actor, row.subject_id) for row in desk.audit("import.cancelled")] == [("ravi", import_id)]
    jobs = desk.client.app.state.imports
    eventually(lambda: not jobs._running)
    assert [row.failure for row in desk.rows(select(imports))] == ["ravi cancelled the check."]
    again = desk.call("POST", f"/api/imports/{import_id}/cancel")
    assert (again.status_code, again.json()["code"]) == (409, "import_not_planning")
    assert start(desk, import_id, "plan")["state"] == "planned"


def test_the_file_of_bad_rows_is_bounded_and_says_that_there_are_more(tmp_path: Path) -> None:
    report = Report(tmp_path / "bad.csv", 5_000)
    for row in range(10_000):
        report.add("users", "users.csv", "users", f"line {row}", "invalid", [Problem("mobile", "12", "is too short.")])
    report.close()
    lines = report.path.read_text("utf-8-sig").splitlines()
    assert report.bad_rows == 10_000
    assert sum(map(len, lines)) < 6_000
    assert lines[-1] == ",,,,,,There are more bad rows than this file holds. Correct these first."
