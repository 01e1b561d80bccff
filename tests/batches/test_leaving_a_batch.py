"""An admin stops a half-finished batch for good: nothing is undone, nothing is hidden and nothing more moves."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from countinghouse.batches import running
from countinghouse.batches.running import LEFT_SO
from drills.rows import slow_down_moves
from tests.batches.batches import (
    add_claims,
    ask,
    leave,
    logged_moves,
    moves,
    plan,
    read,
    run,
    run_to_end,
    seen,
    statuses,
)
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.servers import running_server
from tests.waiting import eventually

LEFT_AT_TWO = {"done": 2, "skipped": 3, "failed": 0, "left": 0}


@pytest.fixture
def half_done(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A batch that has moved two of its five claims and is no longer running."""
    sheet = plan(desk, status="Accepted", claims=seen(desk, add_claims(desk, 5)))
    with monkeypatch.context() as hasty:
        # With no time allowed, each call moves one claim.
        hasty.setattr(running, "SECONDS_A_CALL", 0.0)
        for _ in range(2):
            assert run(desk, sheet).status_code == 200
    assert read(desk, sheet)["outcome"] == {"done": 2, "skipped": 0, "failed": 0, "left": 3}
    return sheet


def test_moved_claims_stay_moved_and_the_rest_stay_unchanged(desk: Desk, half_done: dict[str, Any]) -> None:
    before = statuses(desk), moves(desk)
    answer = leave(desk, half_done)
    assert answer.status_code == 200, answer.text
    assert answer.json()["outcome"] == LEFT_AT_TWO
    assert answer.json()["endedAt"] is not None
    assert (statuses(desk), moves(desk)) == before
    assert sorted(statuses(desk).values()) == ["Accepted"] * 2 + ["Pending"] * 3
    assert desk.get("/api/batches").json() == []


def test_running_a_stopped_batch_again_moves_nothing(desk: Desk, half_done: dict[str, Any]) -> None:
    left = leave(desk, half_done).json()
    assert run(desk, half_done).json() == left
    assert len(moves(desk)) == 2


def test_the_sheet_lists_every_claim_and_why_it_did_not_move(desk: Desk, half_done: dict[str, Any]) -> None:
    leave(desk, half_done)
    sheet = read(desk, half_done)
    assert (sheet["count"], sheet["willMove"]) == (5, half_done["willMove"])
    assert sheet["problems"]["count"] == 3
    assert {(row["outcome"], row["why"]) for row in sheet["problems"]["items"]} == {("skipped", LEFT_SO)}


def test_stopping_is_logged_once_together_with_the_end_of_the_batch(desk: Desk, half_done: dict[str, Any]) -> None:
    first = leave(desk, half_done).json()
    assert leave(desk, half_done).json() == first
    logged = [(row.verb, row.actor, row.subject_id, row.after) for row in desk.audit() if row.verb.startswith("batch.")]
    assert logged[2:] == [
        ("batch.left", "asha", half_done["_id"], {"claims": 3}),
        ("batch.ended", "asha", half_done["_id"], LEFT_AT_TWO),
    ]


def test_the_remaining_claims_can_be_planned_again(desk: Desk, half_done: dict[str, Any]) -> None:
    leave(desk, half_done)
    again = plan(desk, retryOf=half_done["_id"])
    assert (again["status"], again["willMove"]["count"]) == ("Accepted", 3)
    run_to_end(desk, again)
    assert set(statuses(desk).values()) == {"Accepted"}
    assert len(moves(desk)) == 5


def test_stopping_an_ended_batch_changes_nothing(desk: Desk) -> None:
    add_claims(desk, 2)
    sheet = plan(desk, status="Accepted", query={})
    ended = run_to_end(desk, sheet)
    assert leave(desk, sheet).json() == {"outcome": ended["outcome"], "endedAt": ended["endedAt"], "canUndo": True}
    assert desk.audit("batch.left") == []


def test_an_unconfirmed_batch_cannot_be_stopped(desk: Desk) -> None:
    add_claims(desk, 1)
    sheet = plan(desk, status="Accepted", query={})
    assert_refused(leave(desk, sheet), 409, "batch_not_confirmed")
    assert run_to_end(desk, sheet)["outcome"]["done"] == 1


# Enough that the batch is still running when it is stopped, even on a busy machine.
MANY = 2_000


def test_stopping_a_batch_while_it_runs_elsewhere_leaves_consistent_counts(desk: Desk, database_url: str) -> None:
    ids = add_claims(desk, MANY)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    slow_down_moves(desk.database, milliseconds=5)

    def run_until_it_ends(server: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {desk.tokens['asha']}"}
        with httpx2.Client(base_url=server, headers=headers, timeout=60) as client:
            while True:
                answer = client.post(f"/api/batches/{sheet['_id']}/run")
                assert answer.status_code == 200, answer.text
                progress: dict[str, Any] = answer.json()
                if progress["endedAt"]:
                    return progress

    with running_server(database_url) as server, ThreadPoolExecutor(2) as threads:
        runners = [threads.submit(run_until_it_ends, server) for _ in range(2)]
        eventually(lambda: read(desk, sheet)["outcome"]["done"] > 0)
        # At the server that runs it: SQLite lets another process wait for the lock as long as it is unlucky.
        headers = {"Authorization": f"Bearer {desk.tokens['asha']}"}
        left = httpx2.post(f"{server}/api/batches/{sheet['_id']}/leave", headers=headers, timeout=60).json()
        assert [runner.result() for runner in runners] == [left, left]
    moved = [claim for claim, _, _ in moves(desk)]
    assert 0 < len(moved) < MANY
    assert left["outcome"] == {"done": len(moved), "skipped": MANY - len(moved), "failed": 0, "left": 0}
    assert sorted(claim for claim, status in statuses(desk).items() if status == "Accepted") == moved
    assert logged_moves(desk, sheet) == moved
    assert [len(desk.audit(verb)) for verb in ("batch.left", "batch.ended")] == [1, 1]
    assert ask(desk, retryOf=sheet["_id"]).json()["count"] == MANY - len(moved)
