"""An account is the same however its number and its bank code are written, in every comparison. What is stored keeps
its spelling."""

from itertools import product
from typing import Any

import pytest
from sqlalchemy import select

from countinghouse.claims.tables import claims
from tests.batches.batches import claims_of, plan, read, seen
from tests.claims.people import ACCOUNT, OTHER_ACCOUNT, Person, ago, facts_of
from tests.desk import Desk

WIDE = {ord(plain): ord(plain) + 0xFEE0 for plain in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"}


def wide(text: str) -> str:
    return text.translate(WIDE)


NUMBER, CODE = ACCOUNT["account_no"], ACCOUNT["ifsc"]
SPELLINGS = [
    (NUMBER, CODE.lower()),
    (NUMBER, wide(CODE)),
    (wide(NUMBER), wide(CODE.lower())),
    ("0045 1234 5678", "HDFC 0001234"),
    ("0045-1234\u20135678", "HDFC-0001234"),
    ("0045\u00a01234\u30005678", "HDFC\u202f0001234"),
    ("\ufeff004512345678\r\n", "\u200eHDFC0001234\u2003"),
    ("0045\u200b12345678", "HDFC\uff0d0001234"),
]
# All of them have the same key (test_account_keys.py).
spelt = pytest.mark.parametrize(("number", "code"), SPELLINGS[::3])


def written(number: str, code: str) -> dict[str, Any]:
    return {"account_no": number, "ifsc": code}


@spelt
def test_another_client_with_the_account_is_found(desk: Desk, number: str, code: str) -> None:
    claim_id = Person(desk).buys(at=ago(days=10)).claims(at=ago(days=1))
    other = Person(desk, "Asha Rao").buys(at=ago(days=10)).claims(at=ago(days=2), **written(number, code))
    assert "also used by another client: Asha Rao." in facts_of(desk, claim_id)["account_shared"]
    assert "also used by another client: Ananya Iyer." in facts_of(desk, other)["account_shared"]


@spelt
def test_an_account_that_is_only_written_otherwise_is_neither_changed_nor_new(
    desk: Desk, number: str, code: str
) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    ananya.claims(11, "Paid", at=ago(days=40))
    claim_id = ananya.claims(at=ago(days=1), **written(number, code))
    assert facts_of(desk, claim_id).keys() & {"account_changed", "first_payout"} == set()


@spelt
def test_two_claims_in_flight_to_the_account_are_alike(desk: Desk, number: str, code: str) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    claim_id = ananya.claims(at=ago(days=40))
    ananya.claims(at=ago(days=10), status="Accepted", **written(number, code))
    assert "is Accepted." in facts_of(desk, claim_id)["near_duplicate"]


@spelt
def test_the_claims_of_a_batch_have_the_same_warnings(desk: Desk, number: str, code: str) -> None:
    ananya = Person(desk).buys(at=ago(days=900))
    ananya.claims(11, "Paid", at=ago(days=40))
    one, two = ananya.claims(at=ago(days=20), **written(number, code)), ananya.claims(at=ago(days=1))
    other = Person(desk, "Asha Rao").buys(at=ago(days=900)).claims(at=ago(days=2), **written(number, code))
    sheet = plan(desk, status="Accepted", claims=seen(desk, [one, two, other]))
    for claim in claims_of(desk, sheet):
        facts = {fact["code"]: fact["sentence"] for fact in claim["warnings"]}
        assert facts == facts_of(desk, claim["_id"])
        assert "account_shared" in facts
        assert "account_changed" not in facts
        assert ("near_duplicate" in facts) == ("first_payout" not in facts) == (claim["_id"] != other)
        assert claim["sameAccount"] == 3
    (same,) = read(desk, sheet)["sameAccount"]["items"]
    assert (same.pop("accountNo"), same.pop("ifsc")) in product((NUMBER, number), (CODE, code))
    assert same == {"claims": 3, "amount": 300}


@spelt
def test_a_clients_page_has_the_account_once_and_counts_the_others(desk: Desk, number: str, code: str) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    ananya.claims(at=ago(days=4))
    ananya.claims(at=ago(days=3), **written(number, code))
    ananya.claims(at=ago(days=2), **OTHER_ACCOUNT)
    Person(desk, "Asha Rao").buys(at=ago(days=50)).claims(at=ago(days=1), **written(number, code))
    other, both = desk.get(f"/api/clients/{ananya.id}").json()["accounts"]
    assert (other["accountNo"], other["claims"], other["sharedWith"]) == (OTHER_ACCOUNT["account_no"], 1, 0)
    assert (both["accountNo"], both["ifsc"]) in product((NUMBER, number), (CODE, code))
    assert (both["claims"], both["sharedWith"]) == (2, 1)


@spelt
def test_what_is_stored_and_shown_of_a_claim_keeps_its_spelling(desk: Desk, number: str, code: str) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    claim_id = ananya.claims(at=ago(days=1), **written(number, code))
    assert desk.move(claim_id, "Accepted").status_code == 200
    assert desk.rows(select(claims.c.account_no, claims.c.ifsc)) == [(number, code)]
    claim = desk.get(f"/api/claims/{claim_id}").json()
    assert (claim["accountNo"], claim["ifsc"]) == (number, code)
    (row,) = desk.audit("claim.moved")
    assert (row.after["accountNo"], row.after["ifsc"]) == (number, code)


@pytest.mark.parametrize(
    ("number", "code"), [("4512345678", CODE), ("00" + NUMBER, CODE), (NUMBER, "HDFCO001234"), ("004512345679", CODE)]
)
def test_zeros_count_and_no_letter_stands_for_a_digit(desk: Desk, number: str, code: str) -> None:
    ananya = Person(desk).buys(at=ago(days=50))
    ananya.claims(11, "Paid", at=ago(days=40), **written(number, code))
    Person(desk, "Asha Rao").buys(at=ago(days=50)).claims(at=ago(days=40), **written(number, code))
    facts = facts_of(desk, ananya.claims(at=ago(days=1)))
    assert facts.keys() == {"account_changed", "first_payout"}
