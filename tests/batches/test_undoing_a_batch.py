"""A bulk Accept can be undone as a whole: only the claims that nobody has moved since."""

from typing import Any

import pytest

from tests.batches.batches import add_claims, ask, logged_moves, plan, run, run_to_end, seen, statuses
from tests.desk import Desk


def test_undo_moves_back_only_what_the_batch_accepted_and_nobody_moved_since(desk: Desk) -> None:
    ids, already = add_claims(desk, 60), add_claims(desk, 1, "Accepted")
    sheet = plan(desk, status="Accepted", claims=seen(desk, [*ids, *already]))
    run_to_end(desk, sheet)
    desk.move(ids[0], "On hold", by="ravi", reason="The bank asks.")
    # Undone and accepted again: it has the same status as after the batch, and is still left alone.
    desk.move(ids[1], "Pending")
    desk.move(ids[1], "Accepted")

    undo = plan(desk, undoOf=sheet["_id"])
    assert (undo["status"], undo["willMove"]["count"]) == ("Pending", 58)
    ended = run_to_end(desk, undo)
    assert ended["outcome"] == {"done": 58, "skipped": 2, "failed": 0, "left": 0}
    now_is = statuses(desk)
    assert {now_is[claim] for claim in ids[2:]} == {"Pending"}
    assert (now_is[ids[0]], now_is[ids[1]], now_is[already[0]]) == ("On hold", "Accepted", "Accepted")
    assert logged_moves(desk, undo) == ids[2:]
    (planned,) = (row for row in desk.audit("batch.planned") if row.subject_id == undo["_id"])
    assert planned.after["undoOf"] == sheet["_id"]


def test_undoing_twice_moves_nothing_the_second_time(desk: Desk) -> None:
    ids = add_claims(desk, 3)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    run_to_end(desk, sheet)
    first, second = (plan(desk, undoOf=sheet["_id"]) for _ in range(2))
    assert run_to_end(desk, first)["outcome"]["done"] == 3
    assert run_to_end(desk, second)["outcome"] == {"done": 0, "skipped": 3, "failed": 0, "left": 0}
    assert set(statuses(desk).values()) == {"Pending"}


def test_a_batch_can_be_undone_while_one_of_its_claims_is_as_the_batch_left_it(desk: Desk) -> None:
    ids = add_claims(desk, 4)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    run_to_end(desk, sheet)
    desk.move(ids[0], "Paid", by="ravi")
    # Accepted again, but not by the batch.
    desk.move(ids[1], "Pending")
    desk.move(ids[1], "Accepted")
    desk.move(ids[2], "On hold", by="ravi", reason="The bank asks.")
    assert run(desk, sheet).json()["canUndo"] is True
    undo = plan(desk, undoOf=sheet["_id"])
    assert run(desk, sheet).json()["canUndo"] is True
    assert run_to_end(desk, undo)["outcome"]["done"] == 1
    assert run(desk, sheet).json()["canUndo"] is False
    assert run(desk, undo).json()["canUndo"] is False


def test_a_batch_of_another_admin_or_one_still_running_cannot_be_undone(desk: Desk) -> None:
    sheet = plan(desk, status="Accepted", claims=seen(desk, add_claims(desk, 2)))
    answer = ask(desk, undoOf=sheet["_id"])
    assert (answer.status_code, answer.json()["code"]) == (409, "batch_not_ended")
    run_to_end(desk, sheet)
    answer = ask(desk, undoOf=sheet["_id"], by="ravi")
    assert (answer.status_code, answer.json()["code"]) == (404, "batch_not_found")


@pytest.mark.parametrize("status", ["Rejected", "On hold"])
def test_only_accepts_can_be_undone(desk: Desk, status: str) -> None:
    sheet = plan(desk, status=status, reason="Asked for twice.", claims=seen(desk, add_claims(desk, 2)))
    run_to_end(desk, sheet)
    answer = ask(desk, undoOf=sheet["_id"])
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["undoOf"])
    assert run(desk, sheet).json()["canUndo"] is False


def test_a_batch_that_accepted_nothing_leaves_nothing_to_undo(desk: Desk) -> None:
    ids = add_claims(desk, 2)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    for claim in ids:
        desk.move(claim, "On hold", by="ravi", reason="The bank asks.")
    assert run(desk, sheet).json() == {
        "outcome": {"done": 0, "skipped": 2, "failed": 0, "left": 0},
        "endedAt": run_to_end(desk, sheet)["endedAt"],
        "canUndo": False,
    }


def test_a_paid_claim_is_never_moved_back(desk: Desk) -> None:
    ids = add_claims(desk, 2)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    run_to_end(desk, sheet)
    undo = plan(desk, undoOf=sheet["_id"])
    desk.move(ids[0], "Paid")
    run_to_end(desk, undo)
    assert statuses(desk) == {ids[0]: "Paid", ids[1]: "Pending"}


@pytest.mark.parametrize("more", [{"status": "Accepted"}, {"reason": "A mistake."}, {"query": {}}])
def test_an_undo_takes_nothing_else(desk: Desk, more: dict[str, Any]) -> None:
    sheet = plan(desk, status="Accepted", claims=seen(desk, add_claims(desk, 1)))
    run_to_end(desk, sheet)
    assert ask(desk, undoOf=sheet["_id"], **more).status_code == 422
    assert run(desk, sheet).status_code == 200
    assert set(statuses(desk).values()) == {"Accepted"}
