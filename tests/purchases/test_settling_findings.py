"""An admin settles the findings of a purchase. A new kind of finding reopens it, and nothing is lost meanwhile."""

from typing import Any

import pytest
from sqlalchemy import select, update

from countinghouse.admins.tables import admins
from countinghouse.audit.actions import Actor
from countinghouse.purchases.settling import FindingsChecked, settle_findings
from countinghouse.purchases.tables import purchases
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.exports.downloads import download, read_csv
from tests.purchases.purchases import buy, check

ACTOR, SEEN = Actor("asha"), ["repeated"]
LIST = "/api/purchases/all"
NOTE = "Paid in two parts; the statement has both."


def buy_two(desk: Desk) -> tuple[str, str]:
    """With the same transaction ID, so both have a finding."""
    return buy(desk, "631902345678", "Om Rao"), buy(desk, "631902345678")


def settle(desk: Desk, purchase_id: str, *, by: str = "asha", note: str = NOTE, findings: Any = ("repeated",)) -> Any:
    body = {"note": note, "findings": list(findings)}
    return desk.call("PUT", f"/api/purchases/{purchase_id}/checked", by=by, json=body)


def to_review(desk: Desk) -> set[str]:
    listed = {row["_id"] for row in desk.get(f"{LIST}?review=only").json()}
    assert desk.get("/api/purchases/totals?review=only").json()["count"] == len(listed)
    return listed


def test_a_settled_purchase_needs_no_review_and_says_who_checked_it(desk: Desk) -> None:
    first, second = buy_two(desk)
    assert to_review(desk) == {first, second}
    answer = settle(desk, first)
    assert answer.status_code == 200, answer.text
    settled = answer.json()
    assert (settled["isChecked"], settled["checkedBy"], settled["checkedNote"]) == (True, "asha", NOTE)
    assert [found["code"] for found in settled["findings"]] == ["repeated"]
    assert to_review(desk) == {second}
    assert settled in desk.get(LIST).json()
    # The filter for findings still shows both.
    assert len(desk.get(f"{LIST}?findings=only").json()) == 2
    (logged,) = desk.audit("purchase.confirmed")
    assert (logged.actor, logged.subject_id, logged.before) == ("asha", first, {"isChecked": False})
    assert logged.after == {"isChecked": True, "findings": ["repeated"], "note": NOTE}


def test_it_can_be_reopened_and_the_log_keeps_what_was_noted(desk: Desk) -> None:
    first, second = buy_two(desk)
    settle(desk, first)
    path = f"/api/purchases/{first}/checked"
    for _ in range(2):
        reopened = desk.call("DELETE", path, by="ravi")
        assert reopened.status_code == 200
        assert (reopened.json()["isChecked"], reopened.json()["checkedBy"]) == (False, None)
    assert to_review(desk) == {first, second}
    # The second time changed nothing.
    (logged,) = desk.audit("purchase.reopened")
    assert (logged.actor, logged.before) == ("ravi", {"isChecked": True, "checkedBy": "asha", "note": NOTE})
    assert settle(desk, first, by="ravi", note="Looked again.").status_code == 200


def test_the_same_check_again_changes_nothing_and_another_admin_hears_who_was_first(desk: Desk) -> None:
    first, _second = buy_two(desk)
    before = settle(desk, first).json()
    assert settle(desk, first).json() == before
    assert len(desk.audit("purchase.confirmed")) == 1
    for by, note in (("ravi", NOTE), ("asha", "Another note.")):
        refused = settle(desk, first, by=by, note=note)
        assert (refused.status_code, refused.json()["code"]) == (409, "already_checked")
        assert refused.json()["message"].startswith("asha checked this purchase on ")


def test_another_kind_of_finding_needs_review_again(desk: Desk) -> None:
    first, second = buy_two(desk)
    settle(desk, first)
    # The same kind: only the sentence changes.
    third = buy(desk, "631902345678")
    assert to_review(desk) == {second, third}
    # One digit away, on the same day and of the same amount: another kind, for all three.
    fourth = buy(desk, "631902345679")
    assert to_review(desk) == {first, second, third, fourth}
    (now,) = (row for row in desk.get(LIST).json() if row["_id"] == first)
    assert (now["isChecked"], now["checkedBy"], now["checkedNote"]) == (False, "asha", NOTE)
    refused = settle(desk, first)
    assert (refused.status_code, refused.json()["code"]) == (409, "findings_changed")
    assert settle(desk, first, findings=("repeated", "near")).status_code == 200
    assert first not in to_review(desk)


def test_checking_all_purchases_again_keeps_what_was_settled(desk: Desk) -> None:
    first, second = buy_two(desk)
    settle(desk, first)
    desk.change(update(purchases).values(findings=None))
    check(desk, every=True)
    assert to_review(desk) == {second}


def test_a_check_that_meets_a_new_finding_does_not_settle_it(desk: Desk) -> None:
    """The check read the purchase before it was settled and writes afterwards."""
    first, _second = buy_two(desk)
    asked = FindingsChecked.model_validate({"note": "x", "findings": SEEN})
    run(desk.database.write(lambda transaction: settle_findings(transaction, ACTOR, first, asked)))
    buy(desk, "631902345679")
    assert first in to_review(desk)
    assert desk.rows(select(purchases.c.checked_codes).where(purchases.c.id == first)) == [(None,)]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"findings": ["repeated"]}, "note"),
        ({"note": "", "findings": ["repeated"]}, "note"),
        ({"note": "x" * 501, "findings": ["repeated"]}, "note"),
        ({"note": "Fine."}, "findings"),
        ({"note": "Fine.", "findings": []}, "findings"),
        ({"note": "Fine.", "findings": ["other"]}, "findings.0"),
    ],
)
@on_one_engine
def test_a_check_needs_a_note_and_what_was_seen(desk: Desk, body: Any, field: str) -> None:
    first, _second = buy_two(desk)
    refused = desk.call("PUT", f"/api/purchases/{first}/checked", json=body)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
    assert desk.audit("purchase.confirmed") == []


@on_one_engine
def test_what_has_no_findings_or_is_not_there_cannot_be_settled(desk: Desk) -> None:
    plain = buy(desk, "631902345678")
    refused = settle(desk, plain)
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing_to_check")
    for unknown in ("0" * 24, "x", "7" * 25):
        assert settle(desk, unknown).status_code == 404
        assert desk.call("DELETE", f"/api/purchases/{unknown}/checked").status_code == 404


def test_the_export_says_who_confirmed(desk: Desk) -> None:
    first, _second = buy_two(desk)
    settle(desk, first)
    header, *rows = read_csv(download(desk, "purchases"))
    by_id = {row[header.index("ID")]: dict(zip(header, row, strict=True)) for row in rows}
    confirmed = by_id.pop(first)
    assert (confirmed["Confirmed"], confirmed["Confirmed by"]) == ("Yes", "asha")
    assert confirmed["Confirmed because"] == NOTE
    (other,) = by_id.values()
    assert (other["Confirmed"], other["Confirmed by"]) == ("", "")
    assert len(read_csv(download(desk, "purchases", review="only"))) == 2


@on_one_engine
def test_numbers_in_a_note_are_masked_for_those_who_see_no_numbers(desk: Desk) -> None:
    first, _second = buy_two(desk)
    settle(desk, first, note="Account 004598712340 is his.")
    desk.change(update(admins).where(admins.c.username == "asha").values(role="viewer"))
    notes = {row["checkedNote"] for row in desk.get(LIST).json()}
    assert notes == {None, "Account ••••2340 is his."}
