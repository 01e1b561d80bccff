"""Locked claims, deadlocks and lost connections: a row that cannot move is retried, left for later, or fails."""

from typing import Any

import pytest
from sqlalchemy import text, update

from countinghouse.claims.tables import claims
from tests.batches.batches import add_claims, logged_moves, moves, plan, read, run, run_to_end, seen
from tests.desk import Desk

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)

DEADLOCK = "RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'"
HANG_UP = "PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5)"


def make_trouble(desk: Desk, claim_id: str, trouble: str, times: int) -> None:
    """Fail the first moves of this claim. Counted by a sequence, because a rollback does not reset one."""
    desk.change(text("CREATE SEQUENCE troubles"))
    desk.change(
        text(
            "CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN IF nextval('troubles') <= {times} THEN {trouble}; END IF; RETURN new; END $$"
        )
    )
    desk.change(
        text(
            f"CREATE TRIGGER trouble BEFORE UPDATE ON claims FOR EACH ROW WHEN (new.id = '{claim_id}') "
            "EXECUTE FUNCTION trouble()"
        )
    )


def run_but_one(desk: Desk, sheet: dict[str, Any]) -> Any:
    """Run until at most one claim is left: on a busy machine, one call may end after its first claim."""
    for _ in range(20):
        answer = run(desk, sheet).json()
        if answer["outcome"]["left"] <= 1:
            break
    return answer


def test_a_claim_locked_by_another_transaction_is_skipped_and_retried_in_a_later_call(desk: Desk) -> None:
    ids = add_claims(desk, 5)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    with desk.database.writing() as holder:
        holder.execute(update(claims).where(claims.c.id == ids[2]).values(address="elsewhere"))
        answer = run_but_one(desk, sheet)
        outcome = {"done": 4, "skipped": 0, "failed": 0, "left": 1}
        assert answer == {"outcome": outcome, "endedAt": None, "canUndo": False}
    assert run_to_end(desk, sheet)["outcome"] == {"done": 5, "skipped": 0, "failed": 0, "left": 0}
    assert logged_moves(desk, sheet) == ids


def test_a_row_is_retried_after_a_deadlock(desk: Desk) -> None:
    ids = add_claims(desk, 5)
    make_trouble(desk, ids[1], DEADLOCK, times=1)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    assert run_to_end(desk, sheet)["outcome"] == {"done": 5, "skipped": 0, "failed": 0, "left": 0}
    assert [claim for claim, _, _ in moves(desk)] == ids


def test_a_row_that_deadlocks_every_time_fails_without_affecting_the_others(desk: Desk) -> None:
    ids = add_claims(desk, 5)
    make_trouble(desk, ids[1], DEADLOCK, times=1_000)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    ended = run_to_end(desk, sheet)
    assert ended["outcome"] == {"done": 4, "skipped": 0, "failed": 1, "left": 0}
    assert [row["_id"] for row in ended["problems"]["items"]] == [ids[1]]


def test_a_lost_connection_rolls_back_its_rows_and_the_next_call_continues(desk: Desk) -> None:
    ids = add_claims(desk, 60)
    make_trouble(desk, ids[3], HANG_UP, times=1)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    answer = run(desk, sheet)
    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
    assert read(desk, sheet)["outcome"] == {"done": 0, "skipped": 0, "failed": 0, "left": 60}
    assert (moves(desk), desk.audit("claim.moved")) == ([], [])
    assert run_to_end(desk, sheet)["outcome"] == {"done": 60, "skipped": 0, "failed": 0, "left": 0}
    assert [claim for claim, _, _ in moves(desk)] == logged_moves(desk, sheet) == ids
