"""The claims of a sheet: every one is listed, with the same warnings that it has on its own."""

from datetime import datetime, timedelta
from operator import itemgetter
from random import Random
from typing import Any

import pytest
from pydantic import TypeAdapter
from sqlalchemy import insert, update

from countinghouse.batches.warnings import BatchClaim
from countinghouse.claims.queries import CLAIMS
from countinghouse.claims.tables import claims, payout_references
from countinghouse.core.ids import new_id
from tests.batches.batches import add_claims, claims_of, plan, run_to_end, seen
from tests.claims.people import ACCOUNT, OTHER_ACCOUNT, Person, ago, details_of
from tests.desk import Desk

CODES = {
    "account_shared",
    "account_changed",
    "account_implausible",
    "ifsc_malformed",
    "ifsc_unknown",
    "above_earned",
    "reference_repeated",
    "first_payout",
    "near_duplicate",
    "payout_reference_reused",
}


def test_every_claim_is_listed_with_who_where_and_how_much(desk: Desk) -> None:
    person = Person(desk).buys(at=ago(days=30))
    claim_id = person.claims(12_345, at=ago(days=1))
    sheet = plan(desk, status="Accepted", claims=seen(desk, [claim_id]))
    (listed,) = claims_of(desk, sheet)
    TypeAdapter(list[BatchClaim]).validate_python([listed], strict=True)
    first = {"id": "first_payout:0", "code": "first_payout", "sentence": "First payout to this account."}
    assert listed.pop("warnings") == [first]
    number = desk.get(f"/api/claims/{claim_id}", by="asha").json()["number"]
    assert listed == {
        "_id": claim_id,
        "version": 0,
        "number": number,
        "username": "Ananya Iyer",
        "accountNo": ACCOUNT["account_no"],
        "ifsc": ACCOUNT["ifsc"],
        "bank": "HDFC Bank",
        "amount": 123.45,
        "sameAccount": 1,
    }


def test_the_claims_keep_the_order_of_the_list_whatever_their_warnings(desk: Desk) -> None:
    ids = _add_odd_claims(desk, Random(7))  # noqa: S311 - repeatable data
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    for order in ("", *(sign + name for name in CLAIMS.orders for sign in ("", "-"))):
        query = {"sort": order} if order else {}
        in_list = [claim["_id"] for claim in desk.get("/api/claims/all", params=query).json()]
        expected = [claim_id for claim_id in in_list if claim_id in ids]
        listed = desk.get(f"/api/batches/{sheet['_id']}/claims", params=query).json()
        assert [claim["_id"] for claim in listed] == expected, order
    assert desk.get(f"/api/batches/{sheet['_id']}/claims", params={"sort": "colour"}).status_code == 422


def test_the_gravest_warning_of_a_claim_comes_first(desk: Desk) -> None:
    moved = Person(desk, "Moved").buys(at=ago(days=400))
    moved.claims(100, "Paid", at=ago(days=40), account_no="004512345673")
    changed = moved.claims(200, at=ago(days=1), account_no="004512345674")
    (listed,) = claims_of(desk, plan(desk, status="Accepted", claims=seen(desk, [changed])))
    assert [each["code"] for each in listed["warnings"]] == ["account_changed", "first_payout"]


def test_only_claims_that_will_move_are_listed(desk: Desk) -> None:
    pending, paid = add_claims(desk, 2), add_claims(desk, 1, "Paid")
    sheet = plan(desk, status="Accepted", claims=seen(desk, [*pending, *paid]))
    assert {claim["_id"] for claim in claims_of(desk, sheet)} == set(pending)
    run_to_end(desk, sheet)
    assert claims_of(desk, sheet) == []


def test_claims_of_one_batch_to_one_account_say_so(desk: Desk) -> None:
    person = Person(desk).buys(at=ago(days=900))
    ids = [person.claims(100 + place, at=ago(days=place)) for place in range(2)]
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    assert [claim["sameAccount"] for claim in claims_of(desk, sheet)] == [2, 2]


def test_another_admin_cannot_read_the_claims(desk: Desk) -> None:
    sheet = plan(desk, status="Accepted", claims=seen(desk, add_claims(desk, 1)))
    assert desk.get(f"/api/batches/{sheet['_id']}/claims", by="ravi").status_code == 404


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients, accounts and references then occur in several parts."""
    monkeypatch.setattr("countinghouse.batches.warnings.READ_TOGETHER", 7)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("seed", range(3))
def test_a_batch_warns_of_exactly_what_single_claims_warn_of(desk: Desk, seed: int) -> None:
    ids = _add_odd_claims(desk, Random(seed))  # noqa: S311 - repeatable data
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    listed = claims_of(desk, sheet)
    assert {claim["_id"] for claim in listed} == set(ids)
    found: set[str] = set()
    for claim in listed:
        expected = details_of(desk, claim["_id"])["facts"]
        assert sorted(claim["warnings"], key=itemgetter("code")) == sorted(expected, key=itemgetter("code"))
        found |= {each["code"] for each in expected}
    assert found >= CODES


def _add_odd_claims(desk: Desk, random: Random) -> list[str]:
    """Clients with few accounts, amounts, references and times among them. Returns the Pending and Returned claims."""
    accounts: list[dict[str, Any]] = [
        ACCOUNT,
        OTHER_ACCOUNT,
        {"account_no": "1111", "ifsc": "HDFC0001234"},
        {"account_no": "50100011112222", "ifsc": "ZZZZ0001234"},
        {"account_no": "50100011112222", "ifsc": "HDFCO001234"},
    ]
    begin = ago(days=20)
    times: list[datetime] = [begin + timedelta(days=random.randrange(12)) for _ in range(8)]
    chosen = []
    for name in ("Ananya", "Bala", "Chitra", "Dev", "Esha", "Farid"):
        person = Person(desk, name)
        for _ in range(random.randrange(1, 4)):
            reference = {"upi_id": random.choice(["631900000777", "631900000888"])} if random.random() < 0.5 else {}
            person.buys(at=random.choice(times) - timedelta(days=1), **reference)
        if name == "Ananya":
            reused = new_id()[:12].upper() + "99"
            person.buys(at=begin, upi_id=reused, reference_key=reused)
        for _ in range(random.randrange(3, 9)):
            status = random.choice(["Pending", "Pending", "Paid", "Rejected"])
            amount = random.choice([6_250, 10_000, 900_000])
            claim_id = person.claims(amount, status, at=random.choice(times), **random.choice(accounts))
            if status == "Pending":
                chosen.append(claim_id)
        if name == "Ananya":
            returned = person.claims(5_000, "Returned", at=times[0], payout_round=1, version=2)
            row = {"id": new_id(), "claim_id": returned, "number": 1, "reference": reused, "recorded_at": times[1]}
            desk.change(insert(payout_references).values(row))
            chosen.append(returned)
    return chosen


def test_thousands_of_equal_claims_of_one_client_are_listed(desk: Desk) -> None:
    ids = add_claims(desk, 3_000, amount_paise=100_000)
    desk.change(update(claims).where(claims.c.id == ids[0]).values(amount_paise=99))
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    listed = claims_of(desk, sheet)
    assert len(listed) == 3_000
    alike = [each["sentence"] for claim in listed for each in claim["warnings"] if each["code"] == "near_duplicate"]
    assert len(alike) == 2_999
    assert alike[0].startswith("There are 2998 other claims of ₹1,000 like this; the newest, made on ")
