"""What is told from what is known: a table of cases, without a database."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from countinghouse.claims.facts import (
    Account,
    ClaimBefore,
    ClaimsAlike,
    Clients,
    Evidence,
    Payouts,
    RepeatedReference,
    find_facts,
)

HERE = Account("004512345678", "HDFC0001234")
# Late in the evening in Greenwich it is the next day in India.
AT = datetime(2026, 11, 2, 20, 0, tzinfo=UTC)

NOTHING = Evidence(
    status="Pending",
    amount_paise=500_000,
    account=HERE,
    sharers=Clients(0, ()),
    before=None,
    claimable_paise=500_000,
    repeated=None,
    payouts=Payouts(paid=1, sent_back=0),
    alike=None,
)


def repeated(purchases: int, by_others: int, others: Clients, more: int = 0) -> RepeatedReference:
    return RepeatedReference("631902345678", purchases, by_others, others, more)


CASES: list[tuple[dict[str, Any], str, str]] = [
    (
        {"sharers": Clients(1, ["Asha Rao"])},
        "account_shared",
        "This account is also used by another client: Asha Rao.",
    ),
    (
        {"sharers": Clients(2, ["Asha Rao", "Vikram Shah"])},
        "account_shared",
        "This account is also used by 2 other clients: Asha Rao and Vikram Shah.",
    ),
    (
        {"sharers": Clients(12, ["Asha Rao", "Vikram Shah", "Om"])},
        "account_shared",
        "This account is also used by 12 other clients, among them Asha Rao, Vikram Shah and Om.",
    ),
    (
        {"sharers": Clients(1, ["Asha Rao"], or_more=True)},
        "account_shared",
        "This account is also used by at least 1 other client: Asha Rao.",
    ),
    (
        {"before": ClaimBefore(AT, Account("50100098761234", "HDFC0001234"))},
        "account_changed",
        "The last claim, on 3 Nov 2026, named another account: 50100098761234, IFSC HDFC0001234.",
    ),
    (
        {"before": ClaimBefore(AT, Account("004512345678", "SBIN0000456"))},
        "account_changed",
        "The last claim, on 3 Nov 2026, named another account: 004512345678, IFSC SBIN0000456.",
    ),
    (
        {"claimable_paise": 320_000},
        "above_earned",
        "Asks ₹5,000; by our arithmetic ₹3,200 may be claimed.",
    ),
    (
        {"claimable_paise": 499_999},
        "above_earned",
        "Asks ₹5,000; by our arithmetic ₹4,999.99 may be claimed.",
    ),
    (
        {"claimable_paise": -180_000, "amount_paise": 123_456_750},
        "above_earned",
        "Asks ₹12,34,567.50; by our arithmetic nothing may be claimed.",
    ),
    (
        {"repeated": repeated(2, 0, Clients(0, ()))},
        "reference_repeated",
        "Transaction ID 631902345678 is on 2 purchases of this client.",
    ),
    (
        {"repeated": repeated(3, 2, Clients(1, ["Asha Rao"]), more=1)},
        "reference_repeated",
        "Transaction ID 631902345678 is on 3 purchases, 2 of them by another client: Asha Rao. "
        "1 more of this client's transaction IDs is repeated.",
    ),
    (
        {"repeated": repeated(10_000, 9_000, Clients(812, ["A", "B", "C"], or_more=True), more=4)},
        "reference_repeated",
        "Transaction ID 631902345678 is on at least 10,000 purchases, 9,000 of them by at least 812 other clients, "
        "among them A, B and C. 4 more of this client's transaction IDs are repeated.",
    ),
    (
        {"payouts": Payouts(paid=0, sent_back=0)},
        "first_payout",
        "No claim of this client was ever paid to this account.",
    ),
    (
        {"payouts": Payouts(paid=0, sent_back=1)},
        "first_payout",
        "No payout of this client has stayed in this account: the bank sent it back once.",
    ),
    (
        {"payouts": Payouts(paid=0, sent_back=3)},
        "first_payout",
        "No payout of this client has stayed in this account: the bank sent it back 3 times.",
    ),
    (
        {"alike": ClaimsAlike(1, AT, "Paid")},
        "near_duplicate",
        "Another claim of ₹5,000, made on 3 Nov 2026, is Paid.",
    ),
    (
        {"alike": ClaimsAlike(3, AT, "On hold")},
        "near_duplicate",
        "There are 3 other claims of ₹5,000 like this; the newest, made on 3 Nov 2026, is On hold.",
    ),
]


@pytest.mark.parametrize(("known", "code", "sentence"), CASES)
def test_one_thing_worth_a_look_is_one_fact_in_one_line(known: dict[str, Any], code: str, sentence: str) -> None:
    assert find_facts(replace(NOTHING, **known)) == [{"code": code, "sentence": sentence}]


@pytest.mark.parametrize(
    "known",
    [
        {},
        {"before": ClaimBefore(AT, HERE)},
        {"claimable_paise": 500_001},
        {"status": "Paid", "claimable_paise": -1},
        {"payouts": Payouts(paid=1, sent_back=1)},
    ],
)
def test_what_is_as_it_should_be_is_no_fact(known: dict[str, Any]) -> None:
    assert find_facts(replace(NOTHING, **known)) == []


def test_facts_come_in_the_same_order_always() -> None:
    everything = replace(
        NOTHING,
        sharers=Clients(1, ["Asha Rao"]),
        before=ClaimBefore(AT, Account("1", "2")),
        claimable_paise=0,
        repeated=repeated(2, 0, Clients(0, ())),
        payouts=Payouts(0, 0),
        alike=ClaimsAlike(1, AT, "Pending"),
    )
    assert [fact["code"] for fact in find_facts(everything)] == [
        "account_shared",
        "account_changed",
        "above_earned",
        "reference_repeated",
        "first_payout",
        "near_duplicate",
    ]
