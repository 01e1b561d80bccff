"""`POST /api/intake/…`: what is stored, and the result of each row."""

from typing import Any

import pytest
from sqlalchemy import select

from countinghouse.claims.tables import claims
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import a_claim, a_purchase, a_user, add_key, outcomes, push, push_one_of_each, pushed


@pytest.fixture
def key(desk: Desk) -> str:
    return add_key(desk)


def test_a_user_their_purchase_and_their_claim_arrive_on_the_screens(desk: Desk, key: str) -> None:
    claim_id = push_one_of_each(desk, key)
    (claim,) = desk.get("/api/claims/all").json()
    assert (claim["_id"], claim["status"], claim["version"], claim["amount"]) == (claim_id, "Pending", 0, 1937.5)
    assert claim["user"]["username"] == "Client 1"
    assert claim["purchase"] == {"invest": 5000}
    (purchase,) = desk.get("/api/purchases/all").json()
    assert (purchase["dailyIncome"], purchase["upiId"], purchase["claimType"]) == (62.5, "631900007919", "Daily")
    assert desk.get("/api/claims/totals").json()["count"] == 1
    assert len(desk.get("/api/claims/all?q=98000000&limit=5").json()) == 1
    added = {row.verb: row for row in desk.audit() if row.verb.endswith(".added") and row.verb[:3] != "key"}
    assert set(added) == {"user.added", "purchase.added", "claim.added"} | {"admin.added"} & set(added)
    assert (added["claim.added"].actor, added["claim.added"].subject_id) == ("key app", claim_id)
    payout = {"accountNo": "004500000001", "ifsc": "HDFC0001234", "amount": 1937.5}
    payout |= {"user": claim["user"]["_id"], "address": claim["address"]}
    assert added["claim.added"].after == {"externalId": "c-1"} | payout
    assert added["claim.added"].address == desk.peer


def test_a_second_delivery_changes_nothing_and_a_different_one_is_a_conflict(desk: Desk, key: str) -> None:
    push_one_of_each(desk, key)
    before = len(desk.audit())
    for noun, row, changes in (
        ("users", a_user(), {"username": "Other", "mobile": "9811111111"}),
        ("purchases", a_purchase(), {"invest": 5000.01, "qrName": "Desk 2"}),
        ("claims", a_claim(), {"amount": 1, "accountNo": "123456789012", "createdAt": "2026-01-02T03:04:05Z"}),
    ):
        (same,) = pushed(desk, key, noun, row)
        assert same["outcome"] == "unchanged"
        (other,) = pushed(desk, key, noun, row | changes)
        assert (other["outcome"], set(other["fields"]), other["_id"]) == ("conflict", set(changes), same["_id"])
    assert len(desk.audit()) == before
    assert desk.get("/api/claims/all").json()[0]["amount"] == 1937.5


def test_each_row_of_an_array_has_its_own_result(desk: Desk, key: str) -> None:
    pushed(desk, key, "users", a_user(1))
    rows: list[Any] = [
        a_user(1),
        a_user(2),
        a_user(2),
        a_user(2, username="Other"),
        a_user(3, mobile="12"),
        "x",
        a_user(4),
    ]
    results = pushed(desk, key, "users", rows)
    assert outcomes(results) == ["unchanged", "created", "unchanged", "conflict", "invalid", "invalid", "created"]
    assert results[4] == {
        "index": 4,
        "outcome": "invalid",
        "_id": None,
        "externalId": "u-3",
        "fields": {
            "mobile": "mobile is not an Indian mobile number: those have 10 digits and begin with 6, 7, 8 or 9."
        },
    }
    assert len(desk.rows(select(users))) == 3


def test_what_was_sent_is_stored_exactly(desk: Desk, key: str) -> None:
    own_id = "65f0c0ffee65f0c0ffee0001"
    moment = "2026-03-04T05:06:07.123456+05:30"
    (result,) = pushed(desk, key, "users", a_user(1, _id=own_id, createdAt=moment, mobile="+91 98057 56092"))
    assert result["_id"] == own_id
    pushed(desk, key, "purchases", a_purchase(1, user={"mobile": "9805756092"}, invest=9999999999999.99, dailyIncome=0))
    pushed(desk, key, "claims", a_claim(1, user=own_id, amount=0.01, ifsc="hdfc0001234"))
    (user,), (bought,), (claim,) = desk.rows(select(users)), desk.rows(select(purchases)), desk.rows(select(claims))
    assert (user.mobile, user.created_at.isoformat()) == ("+91 98057 56092", "2026-03-03T23:36:07.123456+00:00")
    assert (bought.invest_paise, bought.daily_income_paise, bought.user_id) == (999_999_999_999_999, 0, own_id)
    assert (claim.amount_paise, claim.ifsc, claim.status, claim.purchase_id) == (1, "hdfc0001234", "Pending", bought.id)
    assert outcomes(pushed(desk, key, "users", a_user(1, createdAt=moment, mobile="+91 98057 56092"))) == ["unchanged"]


BAD_USERS: list[tuple[dict[str, Any], str]] = [
    ({"externalId": ""}, "externalId"),
    ({"externalId": 7}, "externalId"),
    ({"externalId": "x" * 201}, "externalId"),
    ({"externalId": "a\u0000b"}, "externalId"),
    ({"externalId": ".."}, "externalId"),
    ({"externalId": "shop/../u-1"}, "externalId"),
    ({"externalId": "./u-1"}, "externalId"),
    ({"username": "a\u0007b"}, "username"),
    ({"username": " a"}, "username"),
    ({"username": "\ud800"}, "username"),
    ({"mobile": 9805756092}, "mobile"),
    ({"mobile": None}, "mobile"),
    ({"_id": "65F0C0FFEE65F0C0FFEE0001"}, "_id"),
    ({"createdAt": "2026-03-04T05:06:07"}, "createdAt"),
    ({"createdAt": 1700000000}, "createdAt"),
    ({"createdAt": "2126-03-04T05:06:07Z"}, "createdAt"),
    ({"createdAt": "0001-01-01T00:00:00+05:30"}, "createdAt"),
    ({"nickname": "A"}, "nickname"),
    ({"\ud800": 1}, "body"),
    ({"status": "Paid"}, "status"),
]
BAD_PURCHASES: list[tuple[dict[str, Any], str]] = [
    ({"invest": "5000"}, "invest"),
    ({"invest": -1}, "invest"),
    ({"invest": 0.001}, "invest"),
    ({"invest": True}, "invest"),
    ({"invest": 10**13}, "invest"),
    ({"dailyIncome": 10**400}, "dailyIncome"),
    ({"upiId": "63\u000019"}, "upiId"),
    ({"user": {"externalId": "nobody"}}, "user"),
    ({"user": {"externalId": "u-1", "mobile": "9800000001"}}, "user"),
    ({"user": {"name": "Client 1"}}, "user"),
    ({"user": "nobody"}, "user"),
    ({"user": {"externalId": "\ud800"}}, "user"),
    ({"user": {"mobile": "\u0000"}}, "user"),
    ({"user": "0" * 24}, "user"),
    ({"user": 7}, "user"),
]
BAD_CLAIMS: list[tuple[dict[str, Any], str]] = [
    ({"amount": 0}, "amount"),
    ({"accountNo": "12345678"}, "accountNo"),
    ({"accountNo": "12345678901234567x"}, "accountNo"),
    ({"ifsc": "HDFC1001234"}, "ifsc"),
    ({"address": "14 MG Road\nKochi"}, "address"),
    ({"purchase": {"externalId": "nothing"}}, "purchase"),
    ({"purchase": {"mobile": "9800000001"}}, "purchase"),
    ({"user": {"externalId": "u-2"}}, "purchase"),
    ({"status": "Paid"}, "status"),
    ({"version": 3}, "version"),
]


@pytest.mark.parametrize(
    ("noun", "row", "bad"),
    [("users", a_user(9), BAD_USERS), ("purchases", a_purchase(9), BAD_PURCHASES), ("claims", a_claim(9), BAD_CLAIMS)],
)
def test_a_bad_field_is_named_and_nothing_is_stored(
    desk: Desk, key: str, noun: str, row: dict[str, Any], bad: list[tuple[dict[str, Any], str]]
) -> None:
    pushed(desk, key, "users", [a_user(1), a_user(2)])
    pushed(desk, key, "purchases", a_purchase(1))
    before = len(desk.audit())
    results = pushed(desk, key, noun, [row | change for change, _ in bad])
    for result, (change, name) in zip(results, bad, strict=True):
        assert (result["outcome"], list(result["fields"])) == ("invalid", [name]), (change, result)
        assert result["fields"][name].endswith("."), result
    assert len(desk.audit()) == before
    (good,) = pushed(desk, key, noun, row)
    assert good["outcome"] == "created"


def test_a_mobile_of_several_users_names_nobody(desk: Desk, key: str) -> None:
    pushed(desk, key, "users", [a_user(1), a_user(2, mobile="+919800000001")])
    (result,) = pushed(desk, key, "purchases", a_purchase(1, user={"mobile": "98000 00001"}))
    assert result["fields"] == {"user": "2 users have this mobile; name the user by _id or externalId."}


@on_one_engine
def test_a_user_is_found_by_any_recognised_spelling_of_the_mobile(desk: Desk, key: str) -> None:
    written = [
        *("9805700000", "+919805700001", "919805700002", "00919805700003", "09805700004", "(+91)9805700005"),
        *("+91 9805700006", "91-9805700007", "0091 9805700008", "0-9805700009", "(+91) 9805700010"),
        *("98057 00011", "98057-00012", "+91 98057 00013", "+91-98057-00014", "91 98057-00015", "(+91) 98057-00016"),
    ]
    results = pushed(desk, key, "users", [a_user(n, mobile=mobile) for n, mobile in enumerate(written)])
    bought = [a_purchase(n, user={"mobile": f"98057000{n:02}"}) for n in range(len(written))]
    pushed(desk, key, "purchases", bought)
    found = desk.rows(select(purchases.c.external_id, purchases.c.user_id))
    assert {row.external_id: row.user_id for row in found} == {
        f"p-{n}": result["_id"] for n, result in enumerate(results)
    }


def test_an_id_that_is_taken_is_a_conflict(desk: Desk, key: str) -> None:
    stored = desk.add_user()
    new = "65f0c0ffee65f0c0ffee0001"
    rows = [a_user(1, _id=stored), a_user(2, _id=new), a_user(3, _id=new)]
    results = pushed(desk, key, "users", rows)
    assert outcomes(results) == ["conflict", "created", "conflict"]
    assert results[0]["fields"] == {"_id": "_id belongs to another user."}
    (again,) = pushed(desk, key, "users", a_user(2, _id="65f0c0ffee65f0c0ffee0002"))
    assert (again["outcome"], list(again["fields"])) == ("conflict", ["_id"])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"externalId": NaN}',
        b'{"externalId": 1e99999999999999999999}',
        b'{"externalId": ' + b"9" * 5000 + b"}",
        b'{"externalId": "a", "externalId": "b"}',
        b"[",
    ],
)
def test_a_body_that_is_not_plain_json_is_refused_as_a_whole(desk: Desk, key: str, body: bytes) -> None:
    headers = {"Idempotency-Key": "k", "Content-Type": "application/json"}
    answer = desk.call("POST", "/api/intake/users", by=key, content=body, headers=headers)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["body"])


def test_more_than_a_thousand_rows_are_refused_and_a_thousand_are_stored(desk: Desk, key: str) -> None:
    for count in (1_001, 10_000):
        answer = push(desk, key, "users", [a_user(n) for n in range(count)])
        assert (answer.status_code, answer.json()["code"]) == (413, "too_many_rows")
    assert desk.rows(select(users)) == []
    assert outcomes(pushed(desk, key, "users", [a_user(n) for n in range(1000)])) == ["created"] * 1000
    assert outcomes(pushed(desk, key, "purchases", [a_purchase(n, of=n) for n in range(1000)])) == ["created"] * 1000
    claims_sent = [a_claim(n, on=n, of=n) for n in range(1000)]
    assert outcomes(pushed(desk, key, "claims", claims_sent)) == ["created"] * 1000
    assert desk.get("/api/claims/totals").json()["byStatus"][0]["count"] == 1000
    assert len(desk.audit("claim.added")) == 1000
    assert not [row for row in desk.rows(select(purchases.c.findings)) if row.findings is None]


def test_findings_are_there_with_the_answer(desk: Desk, key: str) -> None:
    pushed(desk, key, "users", [a_user(1), a_user(2)])
    # The day of the references, whatever day it is now.
    made = {"createdAt": "2026-11-15T06:00:00Z"}
    rows = [a_purchase(1, upiId="631902345678"), a_purchase(2, of=2, upiId="6319 0234\u200b 5678 ")]
    pushed(desk, key, "purchases", [row | made for row in rows])
    found = [purchase["findings"] for purchase in desk.get("/api/purchases/all").json()]
    assert [one["code"] for each in found for one in each] == ["repeated", "repeated"]


@pytest.mark.parametrize("blank", ["\u3164", "\u115f", "\uffa0"])
def test_a_transaction_id_with_a_letter_that_nobody_sees_is_refused(desk: Desk, key: str, blank: str) -> None:
    """To the program it is a letter like any other, and makes another transaction ID of one that was used before."""
    pushed(desk, key, "users", [a_user(1)])
    (result,) = pushed(desk, key, "purchases", [a_purchase(1, upiId=f"631902{blank}345678")])
    assert result["outcome"] == "invalid"
    assert result["fields"] == {"upiId": "upiId contains a letter that nobody sees; remove it."}
