"""A payment names the warnings that its admin saw, and is refused if the claim has another one by then."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select, update

from countinghouse.claims.tables import claim_transitions, claims, move_keys, payout_references
from countinghouse.purchases.tables import purchases
from tests.claims.people import OTHER_ACCOUNT, Person, ago, details_of
from tests.desk import Desk

AMOUNT = 43_750
REFERENCE = "N319260012345678"


@pytest.fixture
def person(desk: Desk) -> Person:
    return Person(desk).buys(at=ago(days=400))


def shown(desk: Desk, claim_id: str) -> list[str]:
    return [fact["id"] for fact in details_of(desk, claim_id)["facts"]]


def accepted(desk: Desk, person: Person, **values: Any) -> str:
    claim_id = person.claims(AMOUNT, at=ago(days=10), **values)
    assert desk.move(claim_id, "Accepted").status_code == 200
    return claim_id


def pay(desk: Desk, claim_id: str, seen: list[str], **more: Any) -> Any:
    return desk.move(claim_id, "Paid", version=1, reference=REFERENCE, seen=seen, **more)


@pytest.mark.parametrize("key", [None, "of-this-payment"])
def test_a_claim_with_a_new_duplicate_is_not_paid_and_nothing_is_written(
    desk: Desk, person: Person, key: str | None
) -> None:
    claim_id = accepted(desk, person)
    seen = shown(desk, claim_id)
    person.claims(AMOUNT, at=ago(days=0))
    before = len(desk.audit())
    refusal = pay(desk, claim_id, seen, key=key)
    assert (refusal.status_code, refusal.json()["code"]) == (409, "warning_not_seen")
    assert refusal.json()["message"].startswith("This claim has a new warning: Another claim of ₹437.50, made on ")
    assert refusal.json()["message"].endswith(", is Pending. Check it before you pay.")
    assert len(desk.audit()) == before
    assert len(desk.rows(select(claim_transitions))) == 1
    assert desk.rows(select(payout_references)) == desk.rows(select(move_keys)) == []
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Accepted"
    # Once it was shown, the claim is paid.
    assert pay(desk, claim_id, shown(desk, claim_id), key=key).status_code == 200


def add_a_duplicate(person: Person, _claim_id: str) -> None:
    person.claims(AMOUNT, at=ago(days=0))


def claim_everything(person: Person, _claim_id: str) -> None:
    person.claims(90_000_000, at=ago(days=20), **OTHER_ACCOUNT)


def share_the_account(person: Person, _claim_id: str) -> None:
    Person(person.desk, "Bala").buys(at=ago(days=3)).claims(100, at=ago(days=3))


def repeat_the_reference(person: Person, _claim_id: str) -> None:
    for name in ("Chitra", "Dev"):
        Person(person.desk, name).buys(at=ago(days=3), upi_id="631900000999")


@pytest.mark.parametrize(
    ("first", "worsen", "sentence"),
    [
        (add_a_duplicate, add_a_duplicate, "There are 2 other claims of ₹437.50 like this"),
        (claim_everything, claim_everything, "Requested ₹437.50; nothing is available to withdraw."),
        (share_the_account, share_the_account, "This account is also used by 2 other clients"),
        (repeat_the_reference, repeat_the_reference, "Transaction ID 631900000999 is on 5 purchases"),
    ],
)
def test_a_warning_that_got_worse_since_is_new(
    desk: Desk, first: Callable[..., None], worsen: Callable[..., None], sentence: str
) -> None:
    person = Person(desk).buys(at=ago(days=400), upi_id="631900000999")
    claim_id = accepted(desk, person)
    first(person, claim_id)
    seen = shown(desk, claim_id)
    worsen(person, claim_id)
    refusal = pay(desk, claim_id, seen)
    assert refusal.status_code == 409
    assert sentence in refusal.json()["message"]


def store(desk: Desk, statement: Any) -> None:
    with desk.database.writing() as connection:
        connection.execute(statement)


@pytest.mark.parametrize("what", ["account_shared", "account_changed", "purchase_findings"])
def test_the_same_warning_about_somebody_or_something_else_is_new(desk: Desk, what: str) -> None:
    person = Person(desk).buys(at=ago(days=400))
    before = person.claims(100, "Rejected", at=ago(days=300), **(OTHER_ACCOUNT if what == "account_changed" else {}))
    bala = Person(desk, "Bala").buys(at=ago(days=3))
    shared = bala.claims(100, at=ago(days=3)) if what == "account_shared" else ""
    finding = [{"code": "near", "sentence": "This is one digit away from 631900000999."}]
    change = update(purchases).where(purchases.c.user_id == person.id)
    if what == "purchase_findings":
        store(desk, change.values(findings=json.dumps(finding)))
    claim_id = accepted(desk, person)
    seen = shown(desk, claim_id)
    assert what in {each.partition("-")[0] for each in seen}
    if what == "account_shared":
        store(desk, update(claims).where(claims.c.id == shared).values(account_no="998877665544"))
        Person(desk, "Chor").buys(at=ago(days=3)).claims(100, at=ago(days=3))
    elif what == "account_changed":
        store(desk, update(claims).where(claims.c.id == before).values(account_no="998877665544"))
    else:
        finding[0]["sentence"] = "This is one digit away from 2 others."
        store(desk, change.values(findings=json.dumps(finding)))
    refusal = pay(desk, claim_id, seen)
    assert (refusal.status_code, refusal.json()["code"]) == (409, "warning_not_seen")
    assert pay(desk, claim_id, shown(desk, claim_id)).status_code == 200


def test_a_warning_that_is_gone_or_got_milder_stops_nothing(desk: Desk, person: Person) -> None:
    others = [person.claims(AMOUNT, at=ago(days=30 + place)) for place in range(2)]
    claim_id = accepted(desk, person)
    seen = shown(desk, claim_id)
    assert [each.partition(":")[0] for each in seen] == ["first_payout", "near_duplicate"]
    for target in ("Accepted", "Paid"):
        assert desk.move(others[0], target).status_code == 200
    assert [each.partition(":")[0] for each in shown(desk, claim_id)] == ["near_duplicate"]
    assert pay(desk, claim_id, seen).status_code == 200


def test_a_claim_without_warnings_is_paid_with_none_seen(desk: Desk, person: Person) -> None:
    person.claims(100, "Paid", at=ago(days=100))
    claim_id = accepted(desk, person)
    assert shown(desk, claim_id) == []
    assert pay(desk, claim_id, []).status_code == 200


def test_several_new_warnings_are_all_named(desk: Desk, person: Person) -> None:
    claim_id = accepted(desk, person, account_no="1111")
    message = pay(desk, claim_id, []).json()["message"]
    assert message.startswith("This claim has 2 new warnings: Account number 1111")
    assert "First payout to this account." in message


def test_a_call_that_names_none_is_not_compared(desk: Desk, person: Person) -> None:
    claim_id = accepted(desk, person)
    person.claims(AMOUNT, at=ago(days=0))
    assert desk.call("PUT", f"/api/claims/{claim_id}/status", json={"status": "Paid"}).status_code == 200


def test_a_retry_of_a_payment_gets_its_answer_although_a_warning_is_new(desk: Desk, person: Person) -> None:
    claim_id = accepted(desk, person)
    seen = shown(desk, claim_id)
    first = pay(desk, claim_id, seen, key="of-this-payment")
    person.claims(AMOUNT, at=ago(days=0))
    again = pay(desk, claim_id, seen, key="of-this-payment")
    assert (first.status_code, again.status_code, again.json()) == (200, 200, first.json())
    other = pay(desk, claim_id, [], key="of-this-payment")
    assert other.status_code == 422


def test_the_reason_that_another_admin_was_first_comes_before_warnings(desk: Desk, person: Person) -> None:
    claim_id = accepted(desk, person)
    desk.move(claim_id, "Pending")
    assert pay(desk, claim_id, []).json()["code"] == "claim_cannot_move"


def test_only_a_payment_names_warnings(desk: Desk, person: Person) -> None:
    claim_id = person.claims(AMOUNT, at=ago(days=10))
    refusal = desk.move(claim_id, "Accepted", seen=[])
    assert (refusal.status_code, list(refusal.json()["fields"])) == (422, ["seen"])


@pytest.mark.parametrize("seen", ["first_payout", ["First payout!"], ["a" * 41], ["first_payout:x"], ["x"] * 51, [1]])
def test_what_is_no_list_of_warnings_is_refused(desk: Desk, person: Person, seen: Any) -> None:
    assert pay(desk, accepted(desk, person), seen).status_code == 422


def test_a_claim_that_was_made_long_ago_has_warnings_that_can_be_sent_back(desk: Desk, person: Person) -> None:
    claim_id = accepted(desk, person)
    long_ago = ago(days=366 * 70)
    other = person.claims(AMOUNT, at=long_ago)
    desk.change(update(claims).where(claims.c.id == claim_id).values(created_at=long_ago))
    seen = shown(desk, claim_id)
    assert any(":-" in each for each in seen), (other, seen)
    assert pay(desk, claim_id, seen).status_code == 200
