"""The sheet: what an admin sees of a planned batch before anything moves."""

import re
from typing import Any

import pytest
from pydantic import TypeAdapter

from countinghouse.batches.sheet import Sheet
from tests.batches.batches import add_claims, ask, confirm, leave, plan, read, run, run_to_end, seen, statuses
from tests.desk import Desk
from tests.engines import on_one_engine

NOTHING: dict[str, Any] = {"count": 0, "items": []}


def test_a_sheet_has_the_count_and_the_sum_in_digits_and_in_words(desk: Desk) -> None:
    ids = [desk.add_claim(amount_paise=paise, account_no=str(paise)) for paise in (100_000_000, 23_450_050)]
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    total = {
        "count": 2,
        "amount": 1_234_500.5,
        "amountInWords": "Twelve lakh thirty-four thousand five hundred rupees and fifty paise",
    }
    assert {name: sheet[name] for name in total} == total
    assert sheet["willMove"] == total
    assert (sheet["status"], sheet["reason"]) == ("Accepted", None)
    assert (sheet["confirmedAt"], sheet["endedAt"]) == (None, None)
    assert (sheet["changed"], sheet["blocked"], sheet["problems"]) == (NOTHING, NOTHING, NOTHING)
    assert sheet["sameAccount"] == NOTHING
    assert sheet["outcome"] == {"done": 0, "skipped": 0, "failed": 0, "left": 2}
    assert read(desk, sheet) == sheet
    TypeAdapter(Sheet).validate_python(sheet, strict=True)
    assert set(statuses(desk).values()) == {"Pending"}


def test_rows_that_changed_since_they_were_loaded_are_listed(desk: Desk) -> None:
    ids = add_claims(desk, 3)
    loaded = seen(desk, ids)
    desk.move(ids[1], "Accepted", by="ravi")
    sheet = plan(desk, status="Accepted", claims=loaded)
    (changed,) = sheet["changed"]["items"]
    moved_at = desk.audit("claim.moved")[-1].at.strftime("%Y-%m-%dT%H:%M")
    assert (changed["_id"], changed["username"], changed["amount"]) == (ids[1], "Ananya Iyer", 1000.01)
    assert (changed["status"], changed["by"]) == ("Accepted", "ravi")
    assert changed["at"].startswith(moved_at)
    assert sheet["changed"]["count"] == 1
    assert (sheet["count"], sheet["willMove"]["count"]) == (3, 2)
    assert sheet["outcome"] == {"done": 0, "skipped": 1, "failed": 0, "left": 2}
    assert sheet["problems"]["items"][0]["why"].startswith("ravi moved it to Accepted at ")


def test_a_claim_that_returned_to_its_earlier_status_counts_as_changed(desk: Desk) -> None:
    ids = add_claims(desk, 1)
    loaded = seen(desk, ids)
    desk.move(ids[0], "Accepted")
    desk.move(ids[0], "Pending")
    assert statuses(desk)[ids[0]] == "Pending"
    assert plan(desk, status="Accepted", claims=loaded)["changed"]["count"] == 1


def test_rows_that_cannot_make_the_move_are_blocked_with_a_reason(desk: Desk) -> None:
    pending, paid = add_claims(desk, 1), add_claims(desk, 1, "Paid")
    moved = desk.add_claim_moved_to("Paid", by="ravi")
    sheet = plan(desk, status="Accepted", claims=seen(desk, [*pending, *paid, moved]))
    assert {row["_id"] for row in sheet["blocked"]["items"]} == {*paid, moved}
    why = {row["_id"]: row["why"] for row in sheet["blocked"]["items"]}
    assert why[paid[0]] == "It is Paid; from there it cannot become Accepted."
    assert why[moved].startswith("ravi moved it to Paid at ")
    assert sheet["willMove"]["count"] == 1


def test_rows_already_in_the_target_status_say_so(desk: Desk) -> None:
    accepted, moved = add_claims(desk, 1, "Accepted"), desk.add_claim_moved_to("Accepted", by="ravi")
    sheet = plan(desk, status="Accepted", claims=seen(desk, [*accepted, moved]))
    why = {row["_id"]: row["why"] for row in sheet["blocked"]["items"]}
    assert why[accepted[0]] == "It is already Accepted."
    assert re.fullmatch(r"ravi moved it to Accepted at \S+; it is already Accepted\.", why[moved])


def test_a_batch_moves_claims_from_every_status_that_allows_the_move(desk: Desk) -> None:
    ids = [claim for status in ("Pending", "Accepted", "On hold", "Returned") for claim in add_claims(desk, 1, status)]
    sheet = plan(desk, status="Rejected", reason="Asked for twice.", claims=seen(desk, ids))
    assert sheet["reason"] == "Asked for twice."
    assert run_to_end(desk, sheet)["outcome"]["done"] == 4
    assert set(statuses(desk).values()) == {"Rejected"}
    assert {row.after["reason"] for row in desk.audit("claim.moved")} == {"Asked for twice."}


def test_an_account_paid_twice_is_listed_with_the_count_and_sum_of_its_claims(desk: Desk) -> None:
    twice = add_claims(desk, 2, account_no="111", amount_paise=1_000)
    thrice = add_claims(desk, 3, account_no="222", amount_paise=2_000)
    other_bank = add_claims(desk, 1, account_no="111", ifsc="ICIC0001234")
    not_moving = add_claims(desk, 2, "Paid", account_no="222") + add_claims(desk, 2, "Paid", account_no="333")
    ids = twice + thrice + other_bank + not_moving
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    assert sheet["sameAccount"] == {
        "count": 2,
        "items": [
            {"accountNo": "222", "ifsc": "HDFC0001234", "claims": 3, "amount": 60},
            {"accountNo": "111", "ifsc": "HDFC0001234", "claims": 2, "amount": 20},
        ],
    }


def test_a_query_selects_all_matching_claims_except_the_excluded_ones(desk: Desk) -> None:
    pending = add_claims(desk, 5)
    add_claims(desk, 2, "Accepted")
    sheet = plan(desk, status="Accepted", query={"status": "Pending", "sort": "-amount"}, but_not=pending[:2])
    assert (sheet["count"], sheet["willMove"]["count"]) == (3, 3)
    run_to_end(desk, sheet)
    assert [claim for claim in pending if statuses(desk)[claim] == "Accepted"] == pending[2:]


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"q": "000000000003"}, 1),
        ({"q": "Ananya"}, 6),
        ({"q": "An"}, 6),
        ({"minAmount": "1000.02", "maxAmount": "1000.03"}, 2),
        ({"status": "Pending", "from": "2026-01-01T00:00:00Z", "q": "HDFC"}, 6),
        ({}, 6),
    ],
)
def test_a_query_selects_the_same_claims_as_in_the_list(desk: Desk, query: dict[str, str], count: int) -> None:
    add_claims(desk, 6)
    listed = {claim["_id"] for claim in desk.get("/api/claims/all", params=query).json()}
    sheet = plan(desk, status="Accepted", query=query)
    assert sheet["count"] == count == len(listed)
    run_to_end(desk, sheet)
    assert {claim for claim, status in statuses(desk).items() if status == "Accepted"} == listed


def test_long_lists_are_truncated_but_fully_counted(desk: Desk) -> None:
    add_claims(desk, 120, "Paid")
    sheet = plan(desk, status="Accepted", query={})
    assert (sheet["blocked"]["count"], len(sheet["blocked"]["items"])) == (120, 100)
    assert (sheet["problems"]["count"], len(sheet["problems"]["items"])) == (120, 120)


def test_the_list_of_accounts_paid_more_than_once_is_truncated_but_fully_counted(desk: Desk) -> None:
    for _ in range(2):
        add_claims(desk, 120)
    same_account = plan(desk, status="Accepted", query={})["sameAccount"]
    assert (same_account["count"], len(same_account["items"])) == (120, 100)


def test_ten_thousand_claims_can_be_planned_and_confirmed_and_one_more_is_refused(desk: Desk) -> None:
    ids = add_claims(desk, 10_000, "Accepted")
    assert plan(desk, status="Paid", query={"status": "Accepted"})["count"] == 10_000
    sheet = plan(desk, status="Paid", claims=[{"_id": claim, "version": 0} for claim in ids])
    assert sheet["count"] == 10_000
    answer = confirm(desk, sheet, {claim_id: f"N3192600{place:032}" for place, claim_id in enumerate(ids)})
    assert answer.status_code == 200, answer.text
    assert answer.json()["outcome"]["left"] == 10_000
    ids += add_claims(desk, 1, "Accepted")
    sentence = "Too many claims. Narrow to 10,000 or fewer."
    answer = ask(desk, status="Paid", query={"status": "Accepted"})
    assert (answer.status_code, answer.json()["fields"]) == (422, {"query": sentence})
    answer = ask(desk, status="Paid", claims=[{"_id": claim, "version": 0} for claim in ids])
    assert (answer.status_code, answer.json()["fields"]) == (422, {"claims": sentence})
    assert plan(desk, status="Paid", query={"status": "Accepted"}, but_not=ids[:1])["count"] == 10_000


ONE = [{"_id": "0" * 24, "version": 0}]


@on_one_engine
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"status": "Pending", "query": {}}, "status"),
        ({"status": "Returned", "query": {}, "reason": "x"}, "status"),
        ({"query": {}}, "status"),
        ({"status": "Rejected", "query": {}}, "reason"),
        ({"status": "On hold", "query": {}}, "reason"),
        ({"status": "Accepted", "query": {}, "reason": ""}, "reason"),
        ({"status": "Accepted", "query": {}, "reason": "x" * 501}, "reason"),
        ({"status": "Accepted"}, "claims"),
        ({"status": "Accepted", "claims": ONE, "query": {}}, "claims"),
        ({"status": "Accepted", "claims": []}, "claims"),
        ({"status": "Accepted", "claims": ONE}, "claims"),
        ({"status": "Accepted", "claims": ONE * 2}, "claims"),
        ({"status": "Accepted", "claims": ONE, "except": ["0" * 24]}, "except"),
        ({"status": "Accepted", "query": {"status": "paid"}}, "status"),
        ({"status": "Accepted", "query": {"limit": "5"}}, "query.limit"),
        ({"status": "Accepted", "query": {"nonsense": "5"}}, "nonsense"),
        ({"status": "Accepted", "query": {"sort": "nonsense"}}, "sort"),
        ({"status": "Accepted", "query": {"q": "nobody"}}, "query"),
        ({"status": "Accepted", "query": {}, "force": True}, "force"),
    ],
)
def test_an_invalid_plan_is_refused_with_a_message(desk: Desk, body: dict[str, Any], field: str) -> None:
    add_claims(desk, 1)
    answer = desk.call("POST", "/api/batches", json=body)
    assert answer.status_code == 422, answer.text
    assert list(answer.json()["fields"]) == [field]
    assert answer.json()["message"].endswith(".")
    assert desk.audit("batch.planned") == []


def test_a_batch_of_another_admin_is_not_found(desk: Desk) -> None:
    add_claims(desk, 1)
    sheet = plan(desk, status="Accepted", query={})
    for answer in (
        desk.get(f"/api/batches/{sheet['_id']}", by="ravi"),
        run(desk, sheet, by="ravi"),
        leave(desk, sheet, by="ravi"),
        ask(desk, by="ravi", retryOf=sheet["_id"]),
        desk.get("/api/batches/nonsense"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "batch_not_found")
    assert set(statuses(desk).values()) == {"Pending"}
