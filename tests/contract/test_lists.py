"""The four lists, exactly as specified."""

from decimal import Decimal
from json import loads
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from countinghouse.core.ids import new_id
from countinghouse.core.money import LARGEST_PAISE
from tests.desk import Desk, days_before
from tests.pictures import qr_png


def ids(answer: Any) -> list[str]:
    return [item["_id"] for item in answer.json()]


def test_purchases_have_the_fields_of_the_specification(desk: Desk) -> None:
    user_id, purchase_id = desk.add_purchase(upi_id="007000000001")
    assert desk.get("/api/purchases/all").json() == [
        {
            "_id": purchase_id,
            "number": "P-10001",
            "createdAt": "2026-11-15T02:52:36.120Z",
            "user": {"_id": user_id, "username": "Ananya Iyer", "mobile": "0980575609"},
            "invest": 5000,
            "dailyIncome": 62.5,
            "upiId": "007000000001",
            "claimType": "Daily",
            "qrName": "Desk 1",
            "findings": [],
            "isChecked": False,
            "checkedBy": None,
            "checkedAt": None,
            "checkedNote": None,
        }
    ]


def test_claims_have_the_fields_of_the_specification(desk: Desk) -> None:
    claim_id = desk.add_claim()
    user_id = desk.get("/api/users").json()[0]["_id"]
    assert desk.get("/api/claims/all").json() == [
        {
            "_id": claim_id,
            "number": "C-10001",
            "createdAt": "2026-11-15T02:52:36.120Z",
            "user": {"_id": user_id, "username": "Ananya Iyer", "mobile": "0980575609"},
            "purchase": {"invest": 5000},
            "amount": 1937.5,
            "accountNo": "004512345678",
            "ifsc": "HDFC0001234",
            "bank": {"name": "HDFC Bank", "note": ""},
            "address": "14 MG Road, Kochi 682016",
            "status": "Pending",
            "version": 0,
            "moves": [
                {
                    "to": "Accepted",
                    "label": "Accept",
                    "needsReason": False,
                    "isUndo": False,
                    "tone": "neutral",
                    "permission": "claims.accept",
                },
                {
                    "to": "On hold",
                    "label": "Put on hold",
                    "needsReason": True,
                    "isUndo": False,
                    "tone": "neutral",
                    "permission": "claims.hold",
                },
                {
                    "to": "Rejected",
                    "label": "Reject",
                    "needsReason": True,
                    "isUndo": False,
                    "tone": "neutral",
                    "permission": "claims.reject",
                },
            ],
        }
    ]


def test_users_have_the_fields_of_the_specification(desk: Desk) -> None:
    user_id = desk.add_user(username="अनन्या अय्यर")
    assert desk.get("/api/users").json() == [
        {
            "_id": user_id,
            "createdAt": "2026-11-15T02:52:36.120Z",
            "username": "अनन्या अय्यर",
            "mobile": "0980575609",
        }
    ]


def test_qr_codes_have_the_fields_of_the_specification(desk: Desk) -> None:
    stored = desk.upload(qr_png()).json()
    (code,) = desk.get("/api/qr").json()
    assert code == stored
    fields = {"_id", "createdAt", "name", "upiId", "qrImage", "status"}
    assert fields < set(code)
    desk.display(code["_id"])
    (shown,) = desk.get("/api/qr", by=None).json()
    assert shown == {field: code[field] for field in fields} | {"status": "display"}


@pytest.mark.parametrize("path", ["/api/purchases/all", "/api/claims/all", "/api/users", "/api/qr"])
def test_an_empty_desk_answers_with_an_empty_array(desk: Desk, path: str) -> None:
    answer = desk.get(path)
    assert answer.status_code == 200
    assert answer.json() == []
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"


def test_every_list_is_newest_first_and_ids_break_ties(desk: Desk) -> None:
    old, older = desk.add_user(created_at=days_before(1)), desk.add_user(created_at=days_before(2))
    tied = sorted(new_id() for _ in range(3))
    for user_id in (tied[1], tied[0], tied[2]):
        desk.add_user(id=user_id)
    assert ids(desk.get("/api/users")) == [tied[2], tied[1], tied[0], old, older]

    claims = {days: desk.add_claim(created_at=days_before(days)) for days in (3, 1, 2)}
    assert ids(desk.get("/api/claims/all")) == [claims[1], claims[2], claims[3]]

    purchases = {days: desk.add_purchase(created_at=days_before(days))[1] for days in (9, 7, 8)}
    assert ids(desk.get("/api/purchases/all"))[-3:] == [purchases[7], purchases[8], purchases[9]]


@pytest.mark.parametrize("paise", [0, 1, 99, 100, 796_756, 10_000_000_000_01, LARGEST_PAISE])
def test_amounts_are_exact_to_the_paisa(desk: Desk, paise: int) -> None:
    desk.add_claim(amount_paise=paise)
    (claim,) = loads(desk.get("/api/claims/all").text, parse_float=Decimal)
    assert Decimal(claim["amount"]) == Decimal(paise) / 100


@pytest.mark.parametrize("paise", [-1, LARGEST_PAISE + 1])
def test_the_database_refuses_amounts_that_could_not_be_shown_exactly(desk: Desk, paise: int) -> None:
    with pytest.raises(IntegrityError):
        desk.add_claim(amount_paise=paise)
    with pytest.raises(IntegrityError):
        desk.add_purchase(invest_paise=paise)
    with pytest.raises(IntegrityError):
        desk.add_purchase(daily_income_paise=paise)
