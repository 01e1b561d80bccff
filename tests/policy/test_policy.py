"""Policy rules: any admin can tighten them, only the operator can loosen them, and every server applies them."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, select

from countinghouse.audit.actions import COMMAND
from countinghouse.claims.tables import claim_transitions
from countinghouse.policy.actions import set_policy
from countinghouse.policy.queries import Rule
from countinghouse.policy.tables import policy_rules
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run

OFF = {
    "paidNeedsReference": False,
    "twoPersons": False,
    "secondLookAbove": None,
    "newPayeeNeedsSecondAdmin": True,
    "secondFactorRequired": False,
    "stepUpAbove": None,
}


def shown(desk: Desk, **more: Any) -> dict[str, Any]:
    return dict(desk.get("/api/policy", **more).json())


def tighten(desk: Desk, by: str = "asha", **wishes: Any) -> Any:
    return desk.call("PUT", "/api/policy", by=by, json=wishes)


def set_by_operator(desk: Desk, rule: Rule, setting: str) -> None:
    run(desk.database.write(lambda transaction: set_policy(transaction, COMMAND, rule, setting)))


def test_by_default_only_the_rule_for_new_payees_is_on(desk: Desk) -> None:
    assert shown(desk) == OFF | {"changes": []}
    assert desk.add_claim_moved_to("Paid", by="asha")


@pytest.mark.parametrize(
    ("wish", "setting"),
    [
        ({"paidNeedsReference": True}, "on"),
        ({"twoPersons": True}, "on"),
        ({"secondLookAbove": 50000}, "50000"),
        ({"secondLookAbove": 0}, "0"),
        ({"secondLookAbove": 49999.5}, "49999.50"),
    ],
)
def test_an_admin_can_tighten_a_rule(desk: Desk, wish: dict[str, Any], setting: str) -> None:
    answer = tighten(desk, **wish)
    assert answer.status_code == 200
    ((rule, value),) = wish.items()
    assert answer.json() == shown(desk, by="ravi")
    assert {name: answer.json()[name] for name in OFF} == OFF | {rule: value}
    (change,) = answer.json()["changes"]
    assert (change["rule"], change["setting"], change["by"]) == (rule, setting, "asha")
    (row,) = desk.audit("policy.changed")
    assert (row.actor, row.subject_id, row.before) == ("asha", rule, {"setting": "off"})
    # Repeating it changes nothing and is not logged.
    assert tighten(desk, by="ravi", **wish).json() == answer.json()
    assert len(desk.audit("policy.changed")) == 1


def test_an_admin_can_lower_an_amount_but_not_raise_it(desk: Desk) -> None:
    assert tighten(desk, secondLookAbove=50000).status_code == 200
    assert tighten(desk, secondLookAbove=50000.01).status_code == 409
    assert tighten(desk, secondLookAbove=20000).json()["secondLookAbove"] == 20000
    assert tighten(desk, secondLookAbove=50000).status_code == 409
    assert shown(desk)["secondLookAbove"] == 20000


@pytest.mark.parametrize(
    ("tight", "loose", "command"),
    [
        ({"paidNeedsReference": True}, {"paidNeedsReference": False}, "paid-needs-reference off"),
        ({"twoPersons": True}, {"twoPersons": False}, "two-persons off"),
        ({"secondLookAbove": 500}, {"secondLookAbove": None}, "second-look-above off"),
        ({"secondLookAbove": 500}, {"secondLookAbove": 750.5}, "second-look-above 750.50"),
    ],
)
def test_an_admin_cannot_loosen_a_rule(desk: Desk, tight: dict[str, Any], loose: dict[str, Any], command: str) -> None:
    tighten(desk, **tight)
    before = shown(desk)
    # Also refused as part of an otherwise valid request.
    for wish in (loose, {**dict.fromkeys(("paidNeedsReference", "twoPersons"), True), **loose}):
        answer = tighten(desk, by="ravi", **wish)
        assert answer.status_code == 409
        assert answer.json()["code"] == "policy_only_tightens"
        sentence = f"Only the operator can relax this. Run on the server: countinghouse policy set {command}"
        assert answer.json()["message"] == sentence
        assert shown(desk) == before
    assert len(desk.audit("policy.changed")) == 1


def test_a_rule_that_is_on_by_default_can_be_loosened_only_by_the_operator(desk: Desk) -> None:
    answer = tighten(desk, newPayeeNeedsSecondAdmin=False)
    assert (answer.status_code, answer.json()["code"]) == (409, "policy_only_tightens")
    assert answer.json()["message"].endswith("countinghouse policy set new-payee-needs-second-admin off")
    assert tighten(desk, newPayeeNeedsSecondAdmin=True).json()["changes"] == []
    set_by_operator(desk, "newPayeeNeedsSecondAdmin", "off")
    assert shown(desk)["newPayeeNeedsSecondAdmin"] is False
    (row,) = desk.audit("policy.changed")
    assert (row.actor, row.before, row.after) == ("command", {"setting": "on"}, {"setting": "off"})
    assert tighten(desk, newPayeeNeedsSecondAdmin=True).json()["newPayeeNeedsSecondAdmin"] is True
    assert tighten(desk, newPayeeNeedsSecondAdmin=False).status_code == 409


@on_one_engine
@pytest.mark.parametrize(
    "wish",
    [
        {"twoPersons": None},
        {"twoPersons": "maybe"},
        {"secondLookAbove": -1},
        {"stepUpAbove": -1},
        {"secondFactorRequired": "maybe"},
        {"secondLookAbove": 1.005},
        {"secondLookAbove": "lots"},
        {"noSuchRule": True},
    ],
)
def test_an_invalid_setting_is_refused(desk: Desk, wish: dict[str, Any]) -> None:
    assert tighten(desk, **wish).status_code == 422
    assert shown(desk)["changes"] == []


def test_the_operator_can_loosen_a_rule_and_is_logged(desk: Desk) -> None:
    tighten(desk, twoPersons=True)
    set_by_operator(desk, "twoPersons", "off")
    after = shown(desk)
    assert after["twoPersons"] is False
    assert [(change["setting"], change["by"]) for change in after["changes"]] == [("off", "command")]
    row = desk.audit("policy.changed")[-1]
    assert (row.actor, row.before, row.after) == ("command", {"setting": "on"}, {"setting": "off"})
    assert tighten(desk, twoPersons=True).status_code == 200


def refused(desk: Desk, claim_id: str, rule: str, *, by: str, **more: Any) -> None:
    before = len(desk.audit())
    answer = desk.move(claim_id, "Paid", by=by, **more)
    assert answer.status_code == 409, answer.text
    assert answer.json()["code"] == "policy_refuses"
    assert answer.json()["fields"] == {"rule": rule}
    assert answer.json()["message"].endswith(".")
    assert len(desk.audit()) == before


@pytest.mark.parametrize("more", [{}, {"key": "k-1"}, {"version": 1}, {"key": "k-2", "version": 1}])
def test_paid_can_require_a_reference(desk: Desk, more: dict[str, Any]) -> None:
    claim_id = desk.add_claim_moved_to("Accepted", by="asha")
    tighten(desk, paidNeedsReference=True)
    refused(desk, claim_id, "paidNeedsReference", by="asha", **more)
    assert desk.move(claim_id, "Paid", by="asha", reference="N319260012345678", **more).status_code == 200


@pytest.mark.parametrize("more", [{}, {"key": "k-1"}, {"version": 1}, {"key": "k-2", "version": 1}])
def test_the_admin_who_accepted_a_claim_cannot_mark_it_paid(desk: Desk, more: dict[str, Any]) -> None:
    claim_id = desk.add_claim_moved_to("Accepted", by="asha")
    tighten(desk, twoPersons=True)
    refused(desk, claim_id, "twoPersons", by="asha", **more)
    assert desk.move(claim_id, "Paid", by="ravi", **more).status_code == 200


def test_the_two_person_rule_applies_to_the_admin_who_accepted_last(desk: Desk) -> None:
    tighten(desk, twoPersons=True)
    claim_id = desk.add_claim_moved_to("Accepted", by="asha")
    assert desk.move(claim_id, "Pending", by="asha").status_code == 200
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
    refused(desk, claim_id, "twoPersons", by="ravi")
    assert desk.move(claim_id, "Paid", by="asha").status_code == 200


def test_the_two_person_rule_applies_in_every_payout_round(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Returned", by="asha")
    tighten(desk, twoPersons=True)
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
    refused(desk, claim_id, "twoPersons", by="ravi")
    assert desk.move(claim_id, "Paid", by="asha").status_code == 200


@pytest.mark.parametrize(("paise", "is_refused"), [(5_000_000, False), (5_000_001, True)])
def test_a_second_admin_is_needed_above_an_amount(desk: Desk, paise: int, is_refused: bool) -> None:
    tighten(desk, secondLookAbove=50000)
    claim_id = desk.add_claim(amount_paise=paise)
    desk.move(claim_id, "Accepted", by="asha")
    if is_refused:
        refused(desk, claim_id, "secondLookAbove", by="asha")
        assert "₹50,000" in desk.move(claim_id, "Paid", by="asha").json()["message"]
        assert desk.move(claim_id, "Paid", by="ravi").status_code == 200
    else:
        assert desk.move(claim_id, "Paid", by="asha").status_code == 200


def test_repeating_a_payout_already_made_succeeds_even_if_the_policy_now_refuses_it(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Paid", by="asha")
    tighten(desk, paidNeedsReference=True, twoPersons=True)
    assert desk.move(claim_id, "Paid", by="asha").status_code == 200
    assert len(desk.rows(select(claim_transitions))) == 2


def test_policy_applies_only_to_payouts(desk: Desk) -> None:
    tighten(desk, paidNeedsReference=True, twoPersons=True, secondLookAbove=0)
    for status in ("On hold", "Rejected", "Accepted"):
        desk.add_claim_moved_to(status)


def test_a_change_applies_on_every_server_at_once(desk: Desk, open_desk: Callable[..., Desk]) -> None:
    other = open_desk()
    claim_id = desk.add_claim_moved_to("Accepted", by="asha")
    assert shown(other)["twoPersons"] is False
    tighten(desk, twoPersons=True)
    refused(other, claim_id, "twoPersons", by="asha")
    assert shown(other) == shown(desk)
    set_by_operator(desk, "twoPersons", "off")
    assert other.move(claim_id, "Paid", by="asha").status_code == 200


def test_a_rule_without_a_row_is_off(desk: Desk) -> None:
    tighten(desk, twoPersons=True)
    desk.change(delete(policy_rules))
    assert shown(desk) == OFF | {"changes": []}
