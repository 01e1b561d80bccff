"""`countinghouse migrate` and its plan."""

from pathlib import Path

import pytest

from countinghouse.core.migrate import list_steps, newest_revision, read_revision
from tests.cli.command import countinghouse
from tests.contract.rows import fill
from tests.core.earlier_desks import desk_at
from tests.event_loop import run


def test_the_plan_names_each_step_and_its_time_and_changes_nothing(
    blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk_at("0013", blank_url, tmp_path, monkeypatch) as desk:
        fill(desk, 40, statuses=("Pending",))
        steps = list_steps("0013")
        planned = countinghouse(blank_url, "migrate", "--plan")
        assert (planned.returncode, planned.stderr) == (0, "")
        lines = planned.stdout.splitlines()
        assert lines[0] == f"From 0013 to {newest_revision()}: {len(steps)} to apply."
        for step in steps:
            (line,) = [line for line in lines if line.startswith(f"  {step.revision} ")]
            assert line.endswith(step.title)
        assert any(line.startswith("In all ") for line in lines)
        assert run(desk.database.read(read_revision)) == "0013"
        done = countinghouse(blank_url, "migrate")
        assert (done.returncode, done.stderr) == (0, "")
        # Then what the audit log did not tell of its records.
        applied = [*(step.revision for step in steps), "claim", "admin"]
        assert [line.split()[0] for line in done.stdout.splitlines()[1:-1]] == applied
        assert run(desk.database.read(read_revision)) == newest_revision()
    again = countinghouse(blank_url, "migrate", "--plan")
    assert again.stdout == f"The database is at the newest migration, {newest_revision()}.\n"


def test_the_plan_of_an_empty_place_creates_nothing(blank_url: str) -> None:
    planned = countinghouse(blank_url, "migrate", "--plan")
    assert planned.returncode == 0, planned.stderr
    assert planned.stdout.startswith("From an empty database to ")
    if blank_url.startswith("sqlite"):
        assert not Path(blank_url.removeprefix("sqlite:///")).exists()
    assert countinghouse(blank_url, "migrate").returncode == 0
    assert countinghouse(blank_url, "doctor").returncode == 0


def test_every_migration_that_rewrites_rows_has_a_measured_cost() -> None:
    dear = {step.revision for step in list_steps(None) if step.tables}
    assert {"0002", "0008", "0015", "0017"} <= dear
    for step in list_steps(None):
        if step.tables:
            assert step.seconds_per_million is not None
            assert max(step.seconds_per_million.values()) > 0, step.revision
