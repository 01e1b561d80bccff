"""The details of one claim: its history, its client's purchases and claims, the sums, and the blocked moves."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select

from countinghouse.claims.tables import claims, payout_references
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.policy.tables import policy_rules
from tests.claims.people import OTHER_ACCOUNT, Person, ago, details_of
from tests.desk import Desk

MINUTE = timedelta(minutes=1)


def ask(desk: Desk, claim_id: str, status: str, *, by: str = "asha", **more: Any) -> None:
    answer = desk.call("PUT", f"/api/claims/{claim_id}/status", by=by, json={"status": status, **more})
    assert answer.status_code == 200, answer.text


def test_the_details_contain_the_claim_as_in_the_list(desk: Desk) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(at=ago(days=1))
    assert details_of(desk, claim_id)["claim"] == desk.get("/api/claims/all?with=more").json()[0]


def test_the_timeline_lists_every_move_oldest_first(desk: Desk) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(at=ago(days=1))
    made_at = details_of(desk, claim_id)["claim"]["createdAt"]
    ask(desk, claim_id, "On hold", reason="Called, no answer.")
    ask(desk, claim_id, "Pending", reason="Called back.", by="ravi")
    ask(desk, claim_id, "Accepted")
    ask(desk, claim_id, "Paid", reference="UTR 123456", by="ravi")
    ask(desk, claim_id, "Returned", reason="Account closed.")

    first, *moves = details_of(desk, claim_id)["timeline"]

    assert first == {
        "number": 0,
        "from": None,
        "to": "Pending",
        "by": None,
        "at": made_at,
        "reason": None,
        "reference": None,
    }
    assert [[move[name] for name in ("number", "from", "to", "by", "reason", "reference")] for move in moves] == [
        [1, "Pending", "On hold", "asha", "Called, no answer.", None],
        [2, "On hold", "Pending", "ravi", "Called back.", None],
        [3, "Pending", "Accepted", "asha", None, None],
        [4, "Accepted", "Paid", "ravi", None, "UTR123456"],
        [5, "Paid", "Returned", "asha", "Account closed.", None],
    ]
    assert [move["at"] for move in moves] == sorted(move["at"] for move in moves)
    assert all(move["at"].endswith("Z") for move in moves)


def test_the_reference_of_another_claim_is_not_in_the_timeline(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=10))
    claim_id, other_id = ananya.claims(at=ago(days=1)), ananya.claims(at=ago(days=1))
    ask(desk, claim_id, "Accepted")
    row = {"id": new_id(), "claim_id": other_id, "number": 1, "reference": "OTHER123", "recorded_at": now()}
    desk.change(insert(payout_references).values(row))
    assert [step["reference"] for step in details_of(desk, claim_id)["timeline"]] == [None, None]


def test_the_timeline_of_a_claim_inserted_as_paid_does_not_start_as_pending(desk: Desk) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(status="Paid", at=ago(days=1))
    assert [step["to"] for step in details_of(desk, claim_id)["timeline"]] == ["Paid"]


def test_a_purchase_earns_income_for_each_full_day(desk: Desk) -> None:
    ananya = Person(desk)
    ananya.buys(at=ago(days=10) + MINUTE).buys(at=ago(days=10) - MINUTE).buys(at=ago(days=-2))
    claim_id = ananya.claims(at=ago(days=1))

    purchases = details_of(desk, claim_id)["purchases"]

    assert purchases["count"] == 3
    assert [(bought["days"], bought["earned"]) for bought in purchases["items"]] == [(0, 0), (9, 562.5), (10, 625)]
    assert set(purchases["items"][0]) == {
        *("_id", "number", "createdAt", "invest", "dailyIncome", "upiId", "claimType", "qrName"),
        *("findings", "days", "earned"),
    }
    assert (purchases["items"][0]["invest"], purchases["items"][0]["dailyIncome"]) == (5000, 62.5)


def test_the_claimable_amount_is_earned_minus_paid_minus_in_progress(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=10, hours=1)).buys(at=ago(days=4, hours=1), daily_income_paise=10_050)
    claim_id = ananya.claims(7_000, at=ago(hours=1))
    for amount_paise, status in ((20_000, "Paid"), (1_000, "Paid"), (99_999, "Rejected")):
        ananya.claims(amount_paise, status, at=ago(days=30))
    for amount_paise, status in ((101, "Pending"), (202, "Accepted"), (404, "On hold"), (808, "Returned")):
        ananya.claims(amount_paise, status, at=ago(days=30))
    Person(desk, "Somebody Else").buys(at=ago(days=99)).claims(5_000, "Paid", at=ago(days=3))

    assert details_of(desk, claim_id)["arithmetic"] == {
        "earned": 625 + 402,
        "paid": 210,
        "inFlight": 15.15,
        "claimable": 801.85,
    }


def test_the_claimable_amount_can_be_negative(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=2))
    claim_id = ananya.claims(at=ago(hours=1))
    ananya.claims(20_000, "Paid", at=ago(days=1))
    assert details_of(desk, claim_id)["arithmetic"]["claimable"] == -75


def test_sums_beyond_64_bits_are_exact(desk: Desk) -> None:
    ananya = Person(desk)
    for _ in range(2):
        ananya.buys(at=ago(days=20_000, hours=1), daily_income_paise=10**15 - 1)
    claim_id = ananya.claims(at=ago(hours=1))
    assert details_of(desk, claim_id)["arithmetic"]["earned"] == 40_000 * (10**15 - 1) / 100


def test_lists_show_the_newest_twenty_and_count_all(desk: Desk) -> None:
    ananya = Person(desk)
    for days in range(22):
        ananya.buys(at=ago(days=days, hours=1))
    claim_id = ananya.claims(at=ago(hours=1))
    others = [ananya.claims(100 + days, at=ago(days=days), **OTHER_ACCOUNT) for days in range(21)]

    details = details_of(desk, claim_id)

    assert (details["purchases"]["count"], details["otherClaims"]["count"]) == (22, 21)
    assert [bought["days"] for bought in details["purchases"]["items"]] == list(range(20))
    assert [claim["_id"] for claim in details["otherClaims"]["items"]] == others[:20]
    assert details["arithmetic"]["earned"] == 62.5 * sum(range(22))
    newest = details["otherClaims"]["items"][0]
    assert newest == {
        "_id": others[0],
        "number": "C-10002",
        "createdAt": newest["createdAt"],
        "amount": 1,
        "accountNo": "50100098761234",
        "ifsc": "SBIN0000456",
        "status": "Pending",
    }


def set_rule(desk: Desk, rule: str, setting: str) -> None:
    desk.change(insert(policy_rules).values(rule=rule, setting=setting, set_by="command", set_at=now()))


def test_undoing_an_accept_is_blocked_for_everyone_but_the_admin_who_accepted(desk: Desk) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(at=ago(days=1))
    assert details_of(desk, claim_id)["blocked"] == []
    ask(desk, claim_id, "Accepted", by="asha")
    assert details_of(desk, claim_id, by="asha")["blocked"] == []
    (blocked,) = details_of(desk, claim_id, by="ravi")["blocked"]
    assert blocked["status"] == "Pending"
    assert "asha" in blocked["sentence"]


@pytest.mark.parametrize(("rule", "setting"), [("twoPersons", "on"), ("secondLookAbove", "9999")])
def test_moves_that_policy_refuses_are_blocked_in_the_details_with_the_same_message(
    desk: Desk, rule: str, setting: str
) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(at=ago(days=1))
    set_rule(desk, rule, setting)
    ask(desk, claim_id, "Accepted", by="asha")
    (blocked,) = details_of(desk, claim_id, by="asha")["blocked"]
    assert blocked == {"status": "Paid", "sentence": desk.move(claim_id, "Paid", by="asha").json()["message"]}
    assert "Paid" not in [move["status"] for move in details_of(desk, claim_id, by="ravi")["blocked"]]
    assert desk.move(claim_id, "Paid", by="ravi").status_code == 200


def test_a_required_reference_does_not_block_paid_in_the_details(desk: Desk) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(at=ago(days=1))
    set_rule(desk, "paidNeedsReference", "on")
    ask(desk, claim_id, "Accepted")
    assert details_of(desk, claim_id)["blocked"] == []


@pytest.mark.parametrize("at", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)])
def test_a_claim_with_a_placeholder_date_has_details_too(desk: Desk, at: datetime) -> None:
    claim_id = Person(desk).buys(at=at).claims(at=at)
    again = desk.add_claim(created_at=at)
    for one in (claim_id, again):
        assert details_of(desk, one)["claim"]["_id"] == one


@pytest.mark.parametrize("claim_id", ["0" * 24, "nonsense", "%00", "é" * 24])
def test_the_details_of_an_unknown_claim_are_not_found(desk: Desk, claim_id: str) -> None:
    answer = desk.get(f"/api/claims/{claim_id}/details")
    assert answer.status_code == 404
    assert answer.json()["code"] == "claim_not_found"


def test_reading_the_details_changes_nothing(desk: Desk) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(at=ago(days=1))
    before = desk.rows(select(claims)), len(desk.audit())
    details_of(desk, claim_id)
    assert (desk.rows(select(claims)), len(desk.audit())) == before
