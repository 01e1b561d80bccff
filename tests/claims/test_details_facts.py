"""Facts computed from stored rows: shared and changed accounts, repeated transaction ids, near duplicates."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from countinghouse.claims.tables import claims
from countinghouse.india.days import day_of
from tests.claims.people import ACCOUNT, OTHER_ACCOUNT, Person, ago, details_of, facts_of
from tests.desk import Desk
from tests.purchases.purchases import check

EVERY_FACT = {
    *("account_shared", "account_changed", "above_earned", "reference_repeated", "first_payout", "near_duplicate")
}


def test_an_ordinary_claim_has_no_facts(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=10))
    ananya.claims(at=ago(days=5), status="Paid")
    Person(desk, "Somebody Else").buys(at=ago(days=10)).claims(at=ago(days=1), **OTHER_ACCOUNT)
    assert facts_of(desk, ananya.claims(at=ago(days=1))) == {}


def test_an_account_shared_with_other_clients_is_a_fact_with_their_names(desk: Desk) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(at=ago(days=1))
    assert "account_shared" not in facts_of(desk, claim_id)
    for name in ("Asha Rao", "Vikram Shah"):
        other = Person(desk, name).buys(at=ago(days=10))
        other.claims(at=ago(days=9))
        other.claims(at=ago(days=2), status="Rejected")
    sentence = "This account is also used by 2 other clients: Asha Rao and Vikram Shah."
    assert facts_of(desk, claim_id)["account_shared"] == sentence


def test_at_most_three_clients_are_named(desk: Desk) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(at=ago(days=1))
    for number in range(5):
        Person(desk, f"Client {number}").buys(at=ago(days=10)).claims(at=ago(days=1))
    sentence = "This account is also used by 5 other clients, among them Client 0, Client 1 and Client 2."
    assert facts_of(desk, claim_id)["account_shared"] == sentence


def test_the_same_number_at_another_bank_is_another_account(desk: Desk) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(at=ago(days=1))
    Person(desk, "Asha Rao").buys(at=ago(days=10)).claims(at=ago(days=1), ifsc="SBIN0000456")
    assert "account_shared" not in facts_of(desk, claim_id)


def test_an_account_different_from_the_previous_claims_is_a_fact(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    ananya.claims(at=ago(days=40))
    before = ago(days=20)
    ananya.claims(at=before, **OTHER_ACCOUNT)
    claim_id = ananya.claims(at=ago(days=10))
    ananya.claims(at=ago(days=1))
    sentence = f"The last claim, on {day_of(before)}, named another account: 50100098761234, IFSC SBIN0000456."
    assert facts_of(desk, claim_id)["account_changed"] == sentence


def test_claims_with_the_same_timestamp_are_ordered_by_id(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    at = ago(days=10)
    first, second = ananya.claims(at=at, **OTHER_ACCOUNT), ananya.claims(at=at)
    assert "account_changed" not in facts_of(desk, first)
    assert "account_changed" in facts_of(desk, second)


def test_only_the_same_clients_previous_claim_counts_for_a_changed_account(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    ananya.claims(at=ago(days=40), **OTHER_ACCOUNT)
    ananya.claims(at=ago(days=20))
    claim_id = ananya.claims(at=ago(days=10))
    ananya.claims(at=ago(days=1), **OTHER_ACCOUNT)
    Person(desk, "Asha Rao").buys(at=ago(days=50)).claims(at=ago(days=11), **OTHER_ACCOUNT)
    assert "account_changed" not in facts_of(desk, claim_id)


def test_an_amount_above_the_earned_income_is_a_fact(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=10, hours=1))
    claim_id = ananya.claims(40_000, at=ago(days=1))
    assert "above_earned" not in facts_of(desk, claim_id)
    ananya.claims(22_500, "Accepted", at=ago(days=5))
    assert "above_earned" not in facts_of(desk, claim_id)
    ananya.claims(1, "Paid", at=ago(days=5))
    assert facts_of(desk, claim_id)["above_earned"] == "Requested ₹400; ₹399.99 is available to withdraw."


def test_a_transaction_id_on_several_purchases_is_a_fact(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=20), upi_id="T1").buys(at=ago(days=10), upi_id="T1")
    assert facts_of(desk, ananya.claims(at=ago(days=1)))["reference_repeated"] == (
        "Transaction ID T1 is on 2 purchases of this client."
    )


def test_a_transaction_id_used_by_other_clients_is_a_fact_with_their_names(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=20), upi_id="T1")
    Person(desk, "Asha Rao").buys(at=ago(days=10), upi_id="T1").buys(at=ago(days=9), upi_id="T1")
    Person(desk, "Om").buys(at=ago(days=10), upi_id="T1")
    assert facts_of(desk, ananya.claims(at=ago(days=1)))["reference_repeated"] == (
        "Transaction ID T1 is on 4 purchases, 3 of them by 2 other clients: Asha Rao and Om."
    )


def test_a_repeated_transaction_id_of_the_claimed_purchase_is_reported_first(desk: Desk) -> None:
    ananya = Person(desk)
    for reference in ("T1", "T2", "T3"):
        ananya.buys(at=ago(days=20), upi_id=reference)
    ananya.buys(at=ago(days=20), upi_id="T2")
    claim_id = ananya.claims(at=ago(days=1))
    Person(desk, "Om").buys(at=ago(days=10), upi_id="T1")
    assert facts_of(desk, claim_id)["reference_repeated"] == (
        "Transaction ID T2 is on 2 purchases of this client. 1 more of this client's transaction IDs is repeated."
    )


def test_purchases_without_a_transaction_id_do_not_count_as_repeated(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=20), upi_id="").buys(at=ago(days=10), upi_id="")
    Person(desk, "Asha Rao").buys(at=ago(days=10), upi_id="T1").buys(at=ago(days=10), upi_id="T1")
    assert "reference_repeated" not in facts_of(desk, ananya.claims(at=ago(days=1)))


@pytest.mark.parametrize("status", ["Pending", "Accepted", "On hold", "Rejected", "Returned"])
def test_the_first_payout_to_an_account_is_a_fact(desk: Desk, status: str) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    ananya.claims(11, status, at=ago(days=40))
    ananya.claims(12, "Paid", at=ago(days=45), **OTHER_ACCOUNT)
    Person(desk, "Asha Rao").buys(at=ago(days=50)).claims(status="Paid", at=ago(days=11))
    claim_id = ananya.claims(at=ago(days=1))
    assert facts_of(desk, claim_id)["first_payout"] == "First payout to this account."
    ananya.claims(13, "Paid", at=ago(days=30))
    assert "first_payout" not in facts_of(desk, claim_id)


def test_a_returned_payout_does_not_count_as_paid(desk: Desk) -> None:
    claim_id = Person(desk).buys(at=ago(days=50)).claims(at=ago(days=1))
    desk.change(update(claims).values(status="Accepted", payout_round=1))
    sentence = "No payout of this client has stayed in this account: the bank sent it back once."
    assert facts_of(desk, claim_id)["first_payout"] == sentence


@pytest.mark.parametrize("status", ["Pending", "Accepted", "Paid", "On hold", "Rejected", "Returned"])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_claim_of_the_same_amount_within_three_days_is_a_fact(desk: Desk, sign: int, status: str) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    at = ago(days=20)
    claim_id = ananya.claims(at=at)
    other_at = at + sign * timedelta(days=3)
    other = ananya.claims(status=status, at=other_at, **OTHER_ACCOUNT)
    sentence = f"Another claim of ₹100, made on {day_of(other_at)}, is {status}."
    assert facts_of(desk, claim_id)["near_duplicate"] == sentence
    desk.change(
        update(claims).where(claims.c.id == other).values(created_at=other_at + sign * timedelta(milliseconds=1))
    )
    assert "near_duplicate" not in facts_of(desk, claim_id)


@pytest.mark.parametrize(
    ("status", "is_open"),
    [
        ("Pending", True),
        ("Accepted", True),
        ("On hold", True),
        ("Returned", True),
        ("Paid", False),
        ("Rejected", False),
    ],
)
def test_an_old_claim_of_the_same_amount_and_account_is_a_fact_while_it_is_open(
    desk: Desk, status: str, is_open: bool
) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    ananya.claims(status=status, at=ago(days=40))
    assert ("near_duplicate" in facts_of(desk, ananya.claims(at=ago(days=1)))) is is_open


@pytest.mark.parametrize("other", [{"amount_paise": 10_001}, {"at": ago(days=40), **OTHER_ACCOUNT}])
def test_another_amount_or_an_old_claim_to_another_account_is_not_a_near_duplicate(
    desk: Desk, other: dict[str, Any]
) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    ananya.claims(**{"at": ago(days=1), **other})
    Person(desk, "Asha Rao").buys(at=ago(days=50)).claims(at=ago(days=1), **OTHER_ACCOUNT)
    assert "near_duplicate" not in facts_of(desk, ananya.claims(at=ago(days=1)))


def test_of_several_near_duplicates_the_newest_is_named(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    newest_at = ago(days=2)
    for at in (ago(days=40), newest_at, ago(days=30)):
        ananya.claims(at=at)
    sentence = f"There are 3 other claims of ₹100 like this; the newest, made on {day_of(newest_at)}, is Pending."
    assert facts_of(desk, ananya.claims(at=ago(days=1)))["near_duplicate"] == sentence


def test_facts_never_block_a_move(desk: Desk) -> None:
    """A claim with every possible fact against it can be moved like any other."""
    ananya = Person(desk).buys(at=ago(days=2), upi_id="T1").buys(at=ago(days=2), upi_id="T1")
    ananya.claims(90_000_000, at=ago(days=2), **OTHER_ACCOUNT)
    claim_id = ananya.claims(90_000_000, at=ago(days=1), **ACCOUNT)
    Person(desk, "Asha Rao").buys(at=ago(days=2)).claims(at=ago(days=1), **ACCOUNT)
    assert set(facts_of(desk, claim_id)) == EVERY_FACT
    for status in ("Accepted", "Paid"):
        answer = desk.move(claim_id, status)
        assert (answer.status_code, answer.json().get("status")) == (200, status)


def test_findings_about_the_purchase_are_a_fact_of_its_claim(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=20), upi_id="CICAgMDYnOvfPg")
    claim_id = ananya.claims(at=ago(days=1))
    ananya.buys(at=ago(days=9))
    Person(desk, "Asha Rao").buys(at=ago(days=10), upi_id="cicag MDYN ovfpg")
    check(desk)
    sentence = facts_of(desk, claim_id)["purchase_findings"]
    assert sentence.startswith("About the purchase, CICAgMDYnOvfPg: This transaction ID is also on the purchase of")
    (found,) = details_of(desk, claim_id)["purchases"]["items"][1]["findings"]
    assert (found["code"], found["sentence"] in sentence) == ("repeated", True)
    assert desk.get(f"/api/clients/{ananya.id}").json()["purchases"]["items"][1]["findings"] == [found]


def test_a_payout_reference_used_by_a_purchase_or_dated_another_day_is_a_fact(desk: Desk) -> None:
    Person(desk, "Asha Rao").buys(at=ago(days=40), upi_id="hdfcr5 2020 0101 12345678", invest_paise=250_000)
    claim_id = Person(desk).buys(at=ago(days=20)).claims(at=ago(days=1))
    check(desk)
    for step in ("Accepted", "Paid"):
        assert not {"payout_reference_date", "payout_reference_reused"} & set(facts_of(desk, claim_id))
        more = {"reference": f"HDFCR5{ago(days=300):%Y%m%d}12345678"} if step == "Paid" else {}
        assert desk.move(claim_id, step, **more).status_code == 200
    assert "; paid on " in facts_of(desk, claim_id)["payout_reference_date"]
    assert "payout_reference_reused" not in facts_of(desk, claim_id)
    for step in ("Returned", "Accepted", "Paid"):
        more = {"reference": "HDFCR52020010112345678"} if step == "Paid" else {"reason": "Account closed."}
        by = "ravi" if step == "Accepted" else "asha"
        assert desk.move(claim_id, step, by=by, **more).status_code == 200
    facts = facts_of(desk, claim_id)
    reused = "Payout reference HDFCR52020010112345678 is the transaction ID of the purchase of Asha Rao over ₹2,500"
    assert facts["payout_reference_reused"].startswith(reused)
