"""A batch does exactly what its sheet says, once, no matter how often it is run."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from countinghouse.batches.tables import batch_rows, batches
from countinghouse.core.times import now
from tests.batches.batches import add_claims, ask, logged_moves, moves, plan, read, run, run_to_end, seen, statuses
from tests.desk import Desk


def test_every_row_moves_once_with_its_history_and_its_audit_row(desk: Desk) -> None:
    ids = add_claims(desk, 120)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    ended = run_to_end(desk, sheet)
    assert ended["outcome"] == {"done": 120, "skipped": 0, "failed": 0, "left": 0}
    assert ended["confirmedAt"] <= ended["endedAt"]
    assert ended["willMove"] == sheet["willMove"]
    assert moves(desk) == [(claim, "Accepted", "asha") for claim in ids]
    assert logged_moves(desk, sheet) == ids


def test_planning_confirming_and_ending_are_each_logged_once(desk: Desk) -> None:
    ids = add_claims(desk, 3, amount_paise=1_000)
    sheet = plan(desk, status="On hold", reason="The bank asks.", claims=seen(desk, ids))
    run_to_end(desk, sheet)
    run(desk, sheet)
    logged = [(row.verb, row.actor, row.subject_id, row.after) for row in desk.audit() if row.verb.startswith("batch.")]
    asked = {"status": "On hold", "reason": "The bank asks.", "claims": 3, "paise": 3_000}
    outcome = {"done": 3, "skipped": 0, "failed": 0, "left": 0}
    assert logged == [
        ("batch.planned", "asha", sheet["_id"], asked),
        ("batch.confirmed", "asha", sheet["_id"], {"status": "On hold"}),
        ("batch.ended", "asha", sheet["_id"], outcome),
    ]


def test_running_an_ended_batch_again_moves_nothing_and_returns_the_same_response(desk: Desk) -> None:
    add_claims(desk, 5)
    sheet = plan(desk, status="Accepted", query={})
    ended = run_to_end(desk, sheet)
    for claim in moves(desk)[:2]:
        desk.move(claim[0], "Pending")
    before = moves(desk), len(desk.audit()), statuses(desk)
    again = run(desk, sheet).json()
    assert again == {"outcome": ended["outcome"], "endedAt": ended["endedAt"], "canUndo": True}
    assert (moves(desk), len(desk.audit()), statuses(desk)) == before


def test_rows_that_start_to_match_after_planning_are_not_moved(desk: Desk) -> None:
    ids = add_claims(desk, 3)
    sheet = plan(desk, status="Accepted", query={"status": "Pending"})
    later = add_claims(desk, 3)
    ended = run_to_end(desk, sheet)
    assert ended["count"] == ended["outcome"]["done"] == 3
    now_is = statuses(desk)
    assert {now_is[claim] for claim in ids} == {"Accepted"}
    assert {now_is[claim] for claim in later} == {"Pending"}


def test_rows_moved_by_others_meanwhile_are_skipped_with_who_and_when(desk: Desk) -> None:
    ids = add_claims(desk, 4)
    sheet = plan(desk, status="Accepted", query={})
    desk.move(ids[0], "Accepted", by="ravi")
    desk.move(ids[1], "Accepted", by="ravi")
    desk.move(ids[1], "Pending", by="ravi")
    ended = run_to_end(desk, sheet)
    assert ended["outcome"] == {"done": 2, "skipped": 2, "failed": 0, "left": 0}
    problems = {row["_id"]: (row["outcome"], row["why"]) for row in ended["problems"]["items"]}
    assert set(problems) == set(ids[:2])
    assert {outcome for outcome, _ in problems.values()} == {"skipped"}
    assert problems[ids[0]][1].startswith("ravi moved this claim to Accepted at 20")
    assert problems[ids[1]][1].startswith("ravi moved this claim to Pending at 20")
    assert logged_moves(desk, sheet) == ids[2:]


def test_rows_the_same_admin_moved_meanwhile_do_not_count_as_done_by_the_batch(desk: Desk) -> None:
    ids = add_claims(desk, 2)
    sheet = plan(desk, status="Accepted", query={})
    desk.move(ids[0], "Accepted")
    ended = run_to_end(desk, sheet)
    assert ended["outcome"] == {"done": 1, "skipped": 1, "failed": 0, "left": 0}
    (problem,) = ended["problems"]["items"]
    sentence = "You moved this claim to Accepted yourself, after this batch was planned."
    assert (problem["_id"], problem["why"]) == (ids[0], sentence)
    assert logged_moves(desk, sheet) == [ids[1]]


def test_rows_changed_or_blocked_at_planning_are_not_moved(desk: Desk) -> None:
    ids, paid = add_claims(desk, 3), add_claims(desk, 1, "Paid")
    loaded = seen(desk, [*ids, *paid])
    desk.move(ids[0], "Accepted", by="ravi")
    sheet = plan(desk, status="Accepted", claims=loaded)
    desk.move(ids[0], "Pending", by="ravi")
    ended = run_to_end(desk, sheet)
    assert ended["outcome"] == {"done": 2, "skipped": 2, "failed": 0, "left": 0}
    assert {row["_id"] for row in ended["problems"]["items"]} == {ids[0], *paid}
    assert logged_moves(desk, sheet) == ids[1:]


def test_two_batches_over_the_same_claims_move_each_once(desk: Desk) -> None:
    ids = add_claims(desk, 60)
    first, second = (plan(desk, status="Accepted", query={}, by=admin) for admin in ("asha", "ravi"))
    run_to_end(desk, first)
    ended = run_to_end(desk, second, by="ravi")
    assert ended["outcome"] == {"done": 0, "skipped": 60, "failed": 0, "left": 0}
    assert [claim for claim, _, _ in moves(desk)] == ids


def test_a_plan_cannot_be_confirmed_after_fifteen_minutes(desk: Desk) -> None:
    add_claims(desk, 1)
    sheet = plan(desk, status="Accepted", query={})
    desk.change(update(batches).values(created_at=now() - timedelta(minutes=15, seconds=1)))
    answer = run(desk, sheet)
    assert (answer.status_code, answer.json()["code"]) == (409, "batch_expired")
    assert set(statuses(desk).values()) == {"Pending"}
    assert read(desk, sheet)["confirmedAt"] is None
    assert desk.audit("batch.confirmed") == []


def test_a_batch_confirmed_in_time_may_run_past_the_fifteen_minutes(desk: Desk) -> None:
    add_claims(desk, 1)
    sheet = plan(desk, status="Accepted", query={})
    long_ago = now() - timedelta(days=3)
    desk.change(update(batches).values(created_at=long_ago, confirmed_at=long_ago))
    assert desk.get("/api/batches").json() == [
        {
            "_id": sheet["_id"],
            "status": "Accepted",
            "count": 1,
            "outcome": {"done": 0, "skipped": 0, "failed": 0, "left": 1},
        }
    ]
    assert desk.get("/api/batches", by="ravi").json() == []
    assert run_to_end(desk, sheet)["outcome"]["done"] == 1
    assert desk.get("/api/batches").json() == []


def test_unconfirmed_plans_are_deleted_after_a_day(desk: Desk) -> None:
    add_claims(desk, 2)
    old, kept = (plan(desk, status="Accepted", query={}) for _ in range(2))
    day_ago = now() - timedelta(days=1, seconds=1)
    desk.change(update(batches).where(batches.c.id == old["_id"]).values(created_at=day_ago))
    others = plan(desk, status="Accepted", query={}, by="ravi")
    assert desk.get(f"/api/batches/{old['_id']}").status_code == 200
    newest = plan(desk, status="Accepted", query={})
    assert {row.id for row in desk.rows(select(batches.c.id))} == {kept["_id"], others["_id"], newest["_id"]}
    assert len(desk.rows(select(batch_rows))) == 6


POLICY: dict[str, tuple[dict[str, Any], str]] = {
    "two persons": ({"twoPersons": True}, "You accepted this claim, so somebody else must mark it Paid."),
    "second look": ({"secondLookAbove": 1000.00}, "You accepted this claim, and above "),
}


@pytest.mark.parametrize("rule", POLICY)
def test_policy_is_checked_when_planning_and_when_running(desk: Desk, rule: str) -> None:
    setting, sentence = POLICY[rule]
    ids = add_claims(desk, 3)
    for claim in ids[:2]:
        desk.move(claim, "Accepted", by="asha")
    desk.move(ids[2], "Accepted", by="ravi")
    planned_before = plan(desk, status="Paid", query={})
    assert planned_before["blocked"]["count"] == 0
    assert desk.call("PUT", "/api/policy", json=setting).status_code == 200

    sheet = plan(desk, status="Paid", query={})
    blocked = {"two persons": ids[:2], "second look": ids[1:2]}[rule]
    assert [row["_id"] for row in sheet["blocked"]["items"]] == blocked
    assert all(row["why"].startswith(sentence) for row in sheet["blocked"]["items"])

    ended = run_to_end(desk, planned_before)
    assert [row["_id"] for row in ended["problems"]["items"]] == blocked
    assert ended["outcome"]["skipped"] == len(blocked)
    assert [claim for claim, target, _ in moves(desk) if target == "Paid"] == [
        claim for claim in ids if claim not in blocked
    ]


def test_a_retry_needs_an_ended_batch_and_keeps_its_target_status(desk: Desk) -> None:
    add_claims(desk, 1)
    sheet = plan(desk, status="Accepted", query={})
    answer = ask(desk, retryOf=sheet["_id"])
    assert (answer.status_code, answer.json()["code"]) == (409, "batch_not_ended")
    run_to_end(desk, sheet)
    answer = ask(desk, retryOf=sheet["_id"])
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["retryOf"])
    answer = ask(desk, status="Paid", retryOf=sheet["_id"])
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["status"])
