"""Facts derived from known data: a table of cases, without a database."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from countinghouse.claims.facts import (
    Account,
    ClaimBefore,
    ClaimedPurchase,
    ClaimsAlike,
    Evidence,
    LastPayout,
    OtherPurchase,
    Payouts,
    RepeatedReference,
    find_facts,
)
from countinghouse.claims.named_clients import Clients
from countinghouse.purchases.findings import Finding

HERE = Account("004512345678", "HDFC0001234")
# Late evening in UTC is already the next day in India.
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


REPEATED: Finding = {"code": "repeated", "sentence": "Also elsewhere."}
OF_ANOTHER_DAY: Finding = {"code": "other_day", "sentence": "Of another day."}


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
        {"account": Account("123456789012", "HDFC0001234")},
        "account_implausible",
        "Account number 123456789012: Its digits are just a counting sequence.",
    ),
    (
        {"account": Account(" ", "HDFC0001234")},
        "account_implausible",
        "No account number is given.",
    ),
    (
        {"account": Account("004512345678", "HDFCO001234")},
        "ifsc_malformed",
        "IFSC HDFCO001234: The fifth character of a code is a zero; this one has the letter O.",
    ),
    (
        {"account": Account("004512345678", "")},
        "ifsc_malformed",
        "No IFSC is given.",
    ),
    (
        {"account": Account("004512345678", "HDFC0099999")},
        "ifsc_unknown",
        "IFSC HDFC0099999: No branch has this code.",
    ),
    (
        {"account": Account("004512345678", "SYNB0003000")},
        "ifsc_unknown",
        "IFSC SYNB0003000: This code is no longer listed: Syndicate Bank is part of Canara Bank now.",
    ),
    (
        {"claimable_paise": 320_000},
        "above_earned",
        "Requested ₹5,000; ₹3,200 is available to withdraw.",
    ),
    (
        {"claimable_paise": 499_999},
        "above_earned",
        "Requested ₹5,000; ₹4,999.99 is available to withdraw.",
    ),
    (
        {"claimable_paise": -180_000, "amount_paise": 123_456_750},
        "above_earned",
        "Requested ₹12,34,567.50; nothing is available to withdraw.",
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
        "First payout to this account.",
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
    (
        {"purchase": ClaimedPurchase("631002345678", [OF_ANOTHER_DAY])},
        "purchase_findings",
        "About the purchase, 631002345678: Of another day.",
    ),
    (
        {"purchase": ClaimedPurchase("631002345678", [REPEATED, OF_ANOTHER_DAY])},
        "purchase_findings",
        "About the purchase, 631002345678: Also elsewhere. Of another day.",
    ),
    (
        {"last_payout": LastPayout("HDFCN26300123456", AT, None)},
        "payout_reference_date",
        "Payout reference HDFCN26300123456 is dated 27 Oct 2026; paid on 3 Nov 2026.",
    ),
    (
        {"last_payout": LastPayout("CICAGMDYNOVFPG", AT, OtherPurchase("Asha Rao", 250_000, AT))},
        "payout_reference_reused",
        "Payout reference CICAGMDYNOVFPG is the transaction ID of the purchase of Asha Rao over ₹2,500, "
        "made on 3 Nov 2026.",
    ),
]


@pytest.mark.parametrize(("known", "code", "sentence"), CASES)
def test_each_irregularity_becomes_one_fact_with_one_sentence(known: dict[str, Any], code: str, sentence: str) -> None:
    (found,) = find_facts(replace(NOTHING, **known))
    assert (found["code"], found["sentence"]) == (code, sentence)
    assert re.match("[a-z_]+", found["id"])[0] == code  # type: ignore[index]


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
def test_regular_data_gives_no_facts(known: dict[str, Any]) -> None:
    assert find_facts(replace(NOTHING, **known)) == []


def test_facts_have_a_fixed_order() -> None:
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


@pytest.mark.parametrize("reference", ["HDFCN26306123456", "HDFCN26307123456", "HDFCN26308123456", "UTR123456"])
def test_a_payout_reference_dated_within_a_day_or_undated_is_no_fact(reference: str) -> None:
    assert find_facts(replace(NOTHING, last_payout=LastPayout(reference, AT, None))) == []


def test_a_repeated_transaction_id_is_reported_once() -> None:
    others = Clients(1, ["Asha Rao"])
    seen = replace(NOTHING, repeated=repeated(2, 1, others), purchase=ClaimedPurchase("631902345678", [REPEATED]))
    assert [fact["code"] for fact in find_facts(seen)] == ["reference_repeated"]
    seen = replace(seen, purchase=ClaimedPurchase("6319 0234 5678", [REPEATED]))
    assert [fact["code"] for fact in find_facts(seen)] == ["reference_repeated", "purchase_findings"]
