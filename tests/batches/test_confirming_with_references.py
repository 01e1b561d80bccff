"""A bulk payment is confirmed once, with the bank reference of each claim and without the claims that were removed."""

from typing import Any

import pytest
from sqlalchemy import insert, select

from countinghouse.batches.tables import batch_rows
from countinghouse.claims.tables import payout_references
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from tests.batches.batches import add_claims, claims_of, confirm, plan, read, run, run_to_end, seen, statuses
from tests.core.statements import plan_on_sqlite, watch
from tests.desk import Desk

FIRST, SECOND, THIRD = "N319260012345678", "631902345671", "631902345672"


def planned(desk: Desk, count: int = 2, status: str = "Paid") -> tuple[list[str], dict[str, Any]]:
    ids = add_claims(desk, count, "Accepted" if status == "Paid" else "Pending")
    return ids, plan(desk, status=status, claims=seen(desk, ids))


def recorded(desk: Desk) -> dict[str, str]:
    return {row.claim_id: row.reference for row in desk.rows(select(payout_references))}


def need_references(desk: Desk) -> None:
    answer = desk.call("PUT", "/api/policy", json={"paidNeedsReference": True})
    assert answer.status_code == 200, answer.text


def test_each_claim_is_paid_with_its_own_reference(desk: Desk) -> None:
    (one, two), sheet = planned(desk)
    answer = confirm(desk, sheet, {one: "n319 2600-1234 5678", two: SECOND})
    assert answer.status_code == 200, answer.text
    outcome = {"done": 0, "skipped": 0, "failed": 0, "left": 2}
    assert answer.json() == {"outcome": outcome, "endedAt": None, "canUndo": False}
    assert recorded(desk) == {}
    assert run_to_end(desk, sheet)["outcome"]["done"] == 2
    assert recorded(desk) == {one: FIRST, two: SECOND}
    assert {row.subject_id: row.after["reference"] for row in desk.audit("claim.moved")} == recorded(desk)
    (logged,) = desk.audit("batch.confirmed")
    assert logged.after == {"status": "Paid", "references": 2}


def test_a_claim_with_its_own_number_as_reference_is_not_paid(desk: Desk) -> None:
    (one, two), sheet = planned(desk)
    number = desk.get(f"/api/claims/{one}").json()["number"]
    assert confirm(desk, sheet, {one: number, two: SECOND}).status_code == 200
    ended = run_to_end(desk, sheet)
    assert (ended["outcome"]["done"], ended["outcome"]["skipped"]) == (1, 1)
    assert recorded(desk) == {two: SECOND}
    assert statuses(desk)[one] == "Accepted"
    (why,) = desk.rows(select(batch_rows.c.why).where(batch_rows.c.claim_id == one))
    assert why[0].startswith(f"{number} is the number of this claim.")


def test_a_confirmation_that_is_sent_again_changes_nothing(desk: Desk) -> None:
    (one, two, three), sheet = planned(desk, 3)
    sent = ({one: FIRST, two: SECOND}, [three])
    for _ in range(2):
        assert confirm(desk, sheet, *sent).json()["outcome"] == {"done": 0, "skipped": 0, "failed": 0, "left": 2}
    run_to_end(desk, sheet)
    again = confirm(desk, sheet, *sent)
    assert (again.status_code, again.json()["outcome"]["done"]) == (200, 2)
    assert again.json()["endedAt"]
    assert len(desk.audit("batch.confirmed")) == 1
    assert recorded(desk) == {one: FIRST, two: SECOND}
    assert statuses(desk)[three] == "Accepted"


def test_a_second_confirmation_that_says_something_else_is_refused(desk: Desk) -> None:
    (one, two), sheet = planned(desk)
    confirm(desk, sheet, {one: FIRST, two: SECOND})
    for references, without in (({one: SECOND, two: FIRST}, []), ({one: FIRST}, [two]), ({}, [])):
        answer = confirm(desk, sheet, references, without)
        assert (answer.status_code, answer.json()["code"]) == (409, "batch_confirmed")
    run_to_end(desk, sheet)
    assert recorded(desk) == {one: FIRST, two: SECOND}


def test_a_batch_that_runs_without_confirmation_cannot_get_references_later(desk: Desk) -> None:
    (one, _), sheet = planned(desk)
    run(desk, sheet)
    assert confirm(desk, sheet, {one: FIRST}).status_code == 409
    assert recorded(desk) == {}


def test_removed_claims_stay_as_they_are_and_count_as_never_chosen(desk: Desk) -> None:
    (one, two, three), sheet = planned(desk, 3, "Accepted")
    assert confirm(desk, sheet, without=[two]).status_code == 200
    assert {claim["_id"] for claim in claims_of(desk, sheet)} == {one, three}
    end = run_to_end(desk, sheet)
    assert (end["count"], end["outcome"]) == (2, {"done": 2, "skipped": 0, "failed": 0, "left": 0})
    assert end["problems"]["count"] == 0
    assert statuses(desk) == {one: "Accepted", two: "Pending", three: "Accepted"}
    assert desk.audit("batch.confirmed")[0].after == {"status": "Accepted", "removed": 1}


def test_a_refused_reference_stops_only_its_own_claim(desk: Desk) -> None:
    earlier = desk.add_claim_moved_to("Accepted", by="ravi")
    desk.move(earlier, "Paid", by="ravi", reference=THIRD)
    (good, malformed, taken, twin, other_twin), sheet = planned(desk, 5)
    given = {
        good: FIRST,
        malformed: "6.31902E+11",
        taken: THIRD,
        twin: SECOND,
        other_twin: f"{SECOND[:6]} {SECOND[6:]}",
    }
    assert confirm(desk, sheet, given).json()["outcome"] == {"done": 0, "skipped": 3, "failed": 0, "left": 2}
    end = run_to_end(desk, sheet)
    assert end["outcome"] == {"done": 1, "skipped": 4, "failed": 0, "left": 0}
    why = {row["_id"]: row["why"] for row in end["problems"]["items"]}
    assert why[malformed].startswith("The bank reference must have 6 to 40 letters and digits")
    assert why[twin] == why[other_twin] == f"{SECOND} was entered for 2 claims of this batch."
    assert why[taken].startswith(f"{THIRD} is already recorded for the claim of ")
    assert recorded(desk) == {earlier: THIRD, good: FIRST}
    again = plan(desk, retryOf=sheet["_id"])
    assert again["willMove"]["count"] == 4
    assert desk.audit("batch.confirmed")[0].after == {"status": "Paid", "references": 2, "refused": 3}


def test_a_line_of_a_statement_counts_as_the_reference_in_it(desk: Desk) -> None:
    earlier = desk.add_claim_moved_to("Accepted", by="ravi")
    desk.move(earlier, "Paid", by="ravi")
    before = {"id": new_id(), "claim_id": earlier, "number": 2, "reference": f"IMPS{THIRD}", "recorded_at": now()}
    desk.change(insert(payout_references).values(before))
    (one, two, twin, former), sheet = planned(desk, 4)
    given = {one: "UPI/DR/631902345679/RAHUL", two: SECOND, twin: f"IMPS/P2A/{SECOND}/RAHUL", former: f"IMPS {THIRD}"}
    assert confirm(desk, sheet, given).status_code == 200
    end = run_to_end(desk, sheet)
    why = {row["_id"]: row["why"] for row in end["problems"]["items"]}
    assert why[two] == why[twin] == f"{SECOND} was entered for 2 claims of this batch."
    assert why[former] == f"IMPS{THIRD} is already recorded for another claim. Check the reference with the bank."
    assert recorded(desk) == {earlier: f"IMPS{THIRD}", one: "631902345679"}


def test_where_the_policy_needs_references_the_sheet_says_so_and_claims_without_one_are_skipped(desk: Desk) -> None:
    need_references(desk)
    (one, two), sheet = planned(desk)
    assert (sheet["needsReference"], sheet["blocked"]["count"]) == (True, 0)
    confirm(desk, sheet, {one: FIRST})
    end = run_to_end(desk, sheet)
    assert end["outcome"]["done"] == 1
    (left,) = end["problems"]["items"]
    assert (left["_id"], left["why"]) == (two, "A claim cannot be marked Paid without its bank reference.")


def test_bad_confirmations_are_refused_and_leave_the_plan_as_it_was(desk: Desk) -> None:
    (one, two), sheet = planned(desk)
    stranger = desk.add_claim()
    accepting = plan(desk, status="Accepted", claims=seen(desk, [stranger]))
    for answer, field in (
        (confirm(desk, sheet, {stranger: FIRST}), "references"),
        (confirm(desk, sheet, without=[stranger]), "without"),
        (confirm(desk, sheet, without=[one, two]), "without"),
        (confirm(desk, accepting, {stranger: FIRST}), "references"),
        (confirm(desk, sheet, {one: "9" * 101}), f"references.{one}"),
        (confirm(desk, sheet, {one: ""}), f"references.{one}"),
    ):
        assert answer.status_code == 422, answer.text
        assert field in answer.json()["fields"]
    assert confirm(desk, sheet, by="ravi").status_code == 404
    assert read(desk, sheet) == sheet
    assert desk.audit("batch.confirmed") == []


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_references_are_read_once_and_not_for_each_claim(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = watch(monkeypatch)
    (one, two, three), sheet = planned(desk, 3)
    watched.clear()
    assert confirm(desk, sheet, {one: FIRST, two: "?"}, without=[three]).status_code == 200
    changes = [sql for sql in watched.on_sqlite if "UPDATE batch_rows" in sql and "json_each" in sql]
    assert len(changes) == 3
    for sql in changes:
        assert "MATERIALIZE named" in plan_on_sqlite(desk.database.file, sql), sql
