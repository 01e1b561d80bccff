"""A run that fails or is killed leaves a desk that works, and the next run completes it."""

import signal
from collections.abc import Callable

import pytest
from sqlalchemy import text

from countinghouse.core.errors import Conflict
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.partitions import actions, ranges
from countinghouse.partitions.actions import find_trouble
from tests.core.dying import partition_and_die
from tests.databases import Template
from tests.desk import Desk
from tests.event_loop import run
from tests.partitions.history import TABLES, grow_log, partitioned, parts_of, work
from tests.warm import forks

SECONDS = 60
FAR = text("SELECT count(*) FROM pg_constraint WHERE conname = 'partition_bound'")

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("with history", work)


def trouble(desk: Desk) -> list[str]:
    return run(desk.app_database.read(find_trouble))


@pytest.mark.parametrize("step", ["validate", "complete_parts"])
def test_a_run_that_is_killed_is_completed_by_the_next_one(desk: Desk, database_url: str, step: str) -> None:
    killed = forks.Process(target=partition_and_die, args=(database_url, step))
    killed.start()
    killed.join(SECONDS)
    assert killed.exitcode == -signal.SIGKILL
    assert desk.move(desk.add_claim(), "Accepted").status_code == 200
    assert parts_of(desk, "audit_log") == {}
    assert trouble(desk) == [
        "audit_log is being partitioned, or that was interrupted: run countinghouse partition within a month."
    ]
    partitioned(database_url)
    for table in TABLES:
        assert len(parts_of(desk, table)) > 3
    assert trouble(desk) == []
    assert desk.move(desk.add_claim(), "Accepted").status_code == 200


def test_a_run_that_fails_leaves_nothing(desk: Desk, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(actions, "complete_parts", fail)
    with pytest.raises(RuntimeError):
        partitioned(database_url)
    assert desk.rows(FAR) == [(0,)]
    assert parts_of(desk, "audit_log") == {}


def test_rows_for_which_no_partition_was_made_get_one_later(
    desk: Desk, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The timer did not run for a year, or the desk has grown faster than ever."""
    partitioned(database_url)
    grow_log(desk, 300)
    later = ranges._add_months(now(), 13)
    for month in (5, 13):
        at = ranges._add_months(now(), month)
        claim_id = desk.add_claim(id=new_id(int(at.timestamp())))
        assert desk.move(claim_id, "Accepted").status_code == 200
    assert parts_of(desk, "audit_log")["audit_log_rest"] > 0
    assert parts_of(desk, "claim_transitions")["claim_transitions_rest"] == 2
    assert trouble(desk) == [
        "No partition was made for the newest rows, which are in audit_log_rest, claim_transitions_rest: "
        "run countinghouse partition."
    ]
    logged = desk.audit()
    monkeypatch.setattr(ranges, "now", lambda: later)
    partitioned(database_url)
    assert trouble(desk) == []
    assert desk.audit()[: len(logged)] == logged
    for table in TABLES:
        assert parts_of(desk, table)[f"{table}_rest"] == 0
    assert desk.move(claim_id, "Paid").status_code == 200
    work(desk)


def test_ids_that_do_not_begin_with_their_time_are_refused(desk: Desk, database_url: str) -> None:
    assert desk.move(desk.add_claim(id="f" * 24), "Accepted").status_code == 200
    for is_plan in (True, False):
        with pytest.raises(
            Conflict, match=r"_transitions has the claim_id f+, which is not with ids from before .* left"
        ):
            partitioned(database_url, is_plan=is_plan)
        assert bool(parts_of(desk, "audit_log")) is not is_plan
    assert desk.rows(FAR) == [(0,)]
    assert parts_of(desk, "claim_transitions") == {}
    assert desk.move(desk.add_claim(), "Accepted").status_code == 200
