"""The page of one client: totals over all their rows, and lists of the newest."""

from typing import Any

import pytest

from countinghouse.core.times import iso
from tests.claims.people import OTHER_ACCOUNT, Person, ago
from tests.desk import Desk
from tests.engines import on_one_engine


def page_of(desk: Desk, user_id: str) -> dict[str, Any]:
    answer = desk.get(f"/api/clients/{user_id}")
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    return page


def test_a_client_without_purchases_or_claims_has_a_page(desk: Desk) -> None:
    ananya = Person(desk)
    assert page_of(desk, ananya.id) == {
        "user": desk.get("/api/users").json()[0] | {"externalId": None},
        "mobileNote": "Not an Indian mobile number: those have 10 digits and begin with 6, 7, 8 or 9.",
        "totals": {"invested": 0, "earned": 0, "paid": 0, "inFlight": 0, "claimable": 0},
        "purchases": {"count": 0, "items": []},
        "claims": {"count": 0, "items": []},
        "accounts": [],
        "notes": [],
    }


def test_totals_cover_only_this_client(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=10, hours=1)).buys(at=ago(days=4, hours=1), daily_income_paise=10_050)
    for amount_paise, status in ((20_000, "Paid"), (1_000, "Paid"), (99_999, "Rejected")):
        ananya.claims(amount_paise, status, at=ago(days=3))
    for amount_paise, status in ((101, "Pending"), (202, "Accepted"), (404, "On hold"), (808, "Returned")):
        ananya.claims(amount_paise, status, at=ago(days=3))
    Person(desk, "Somebody Else").buys(at=ago(days=99)).claims(5_000, "Paid", at=ago(days=3))
    assert page_of(desk, ananya.id)["totals"] == {
        "invested": 10_000,
        "earned": 1027,
        "paid": 210,
        "inFlight": 15.15,
        "claimable": 801.85,
    }


def test_lists_show_the_newest_fifty_and_count_all(desk: Desk) -> None:
    ananya = Person(desk)
    for days in range(52):
        ananya.buys(at=ago(days=days, hours=1))
    made = [ananya.claims(at=ago(days=days)) for days in range(51)]
    Person(desk, "Somebody Else").buys(at=ago(days=1)).claims(at=ago(days=1))

    page = page_of(desk, ananya.id)

    assert (page["purchases"]["count"], page["claims"]["count"]) == (52, 51)
    assert [bought["days"] for bought in page["purchases"]["items"]] == list(range(50))
    assert [claim["_id"] for claim in page["claims"]["items"]] == made[:50]
    assert page["totals"]["invested"] == 52 * 5000


def test_claims_are_the_same_as_in_the_list(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=10))
    ananya.claims(at=ago(days=1))
    ananya.claims(at=ago(days=2), status="Paid")
    assert page_of(desk, ananya.id)["claims"]["items"] == desk.get("/api/claims/all").json()


def test_accounts_are_distinguished_by_number_and_bank_and_listed_last_used_first(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    first, second, third, last = (ago(days=days) for days in (40, 30, 20, 10))
    ananya.claims(1_050, "Paid", at=second)
    ananya.claims(2_000, "Paid", at=first)
    ananya.claims(4_000, "Accepted", at=third)
    ananya.claims(8_000, "Paid", at=last, **OTHER_ACCOUNT)
    ananya.claims(16_000, "Pending", at=second, account_no="004512345678", ifsc="SBIN0000456")
    for name in ("Asha Rao", "Vikram Shah"):
        other = Person(desk, name).buys(at=ago(days=50))
        other.claims(at=ago(days=5))
        other.claims(at=ago(days=6))
    Person(desk, "Om").buys(at=ago(days=50)).claims(at=ago(days=5), **OTHER_ACCOUNT)

    accounts = page_of(desk, ananya.id)["accounts"]

    names = ("accountNo", "ifsc", "claims", "paidAmount", "firstUsedAt", "lastUsedAt", "sharedWith")
    assert [tuple(account[name] for name in names) for account in accounts] == [
        ("50100098761234", "SBIN0000456", 1, 80, iso(last), iso(last), 1),
        ("004512345678", "HDFC0001234", 3, 30.5, iso(first), iso(third), 2),
        ("004512345678", "SBIN0000456", 1, 0, iso(second), iso(second), 0),
    ]


@on_one_engine
def test_accounts_have_their_banks_name_and_a_note_if_something_is_wrong(desk: Desk) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    ananya.claims(at=ago(days=1), account_no="111111111111", ifsc="HDFC0CKUB01")
    ananya.claims(at=ago(days=2))

    odd, plain = page_of(desk, ananya.id)["accounts"]

    assert odd["accountNote"] == "All its digits are the same."
    assert odd["bank"] == {
        "name": "Khamgaon Urban Co-operative Bank",
        "note": "Belongs to Khamgaon Urban Co-operative Bank, which clears through HDFC Bank.",
    }
    assert (plain["accountNote"], plain["bank"]) == ("", {"name": "HDFC Bank", "note": ""})


@on_one_engine
def test_an_indian_mobile_number_has_no_note(desk: Desk) -> None:
    user_id = desk.add_user(mobile="+91 98057 56092")
    assert page_of(desk, user_id)["mobileNote"] == ""


@pytest.mark.parametrize("user_id", ["0" * 24, "nonsense", "%00", "é" * 24])
def test_an_unknown_client_is_not_found(desk: Desk, user_id: str) -> None:
    answer = desk.get(f"/api/clients/{user_id}")
    assert answer.status_code == 404
    assert answer.json()["code"] == "client_not_found"
