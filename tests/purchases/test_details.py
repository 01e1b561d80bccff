"""GET /api/purchases/{id}/details: a purchase, and the purchases that its findings are about."""

from datetime import timedelta
from typing import Any

from tests.core.refusals import assert_refused
from tests.desk import NEWEST, Desk, days_before
from tests.engines import on_one_engine
from tests.purchases.purchases import buy, buy_all

REFERENCE = "631902345678"
NEAR = "631902345679"


def details(desk: Desk, purchase_id: str) -> dict[str, Any]:
    answer = desk.get(f"/api/purchases/{purchase_id}/details")
    assert answer.status_code == 200, answer.text
    read: dict[str, Any] = answer.json()
    return read


def related(desk: Desk, purchase_id: str) -> list[str]:
    return [one["_id"] for one in details(desk, purchase_id)["related"]]


def test_a_purchase_without_findings_stands_alone(desk: Desk) -> None:
    buy(desk, "631998765432")
    alone = buy(desk, REFERENCE)
    (shown,) = desk.get("/api/purchases/all", params={"q": REFERENCE}).json()
    assert details(desk, alone) == {"purchase": shown, "externalId": None, "proof": None, "related": []}


def test_the_purchases_with_the_same_id_or_one_a_typo_away_are_named_by_their_numbers(desk: Desk) -> None:
    first = buy(desk, REFERENCE, "Om Rao", at=NEWEST - timedelta(hours=2))
    again = buy(desk, "6319 0234 5678", "Asha Rao", at=NEWEST - timedelta(hours=1))
    near = buy(desk, NEAR, "Ravi Rao")
    # Not the same payment: another amount, another day.
    buy(desk, NEAR, paise=1), buy(desk, NEAR, at=days_before(3))
    assert related(desk, first) == [again, near]
    assert related(desk, near)[-2:] == [first, again]
    named = [(one["number"], one["user"]["username"]) for one in details(desk, first)["related"]]
    assert named == [("P-10002", "Asha Rao"), ("P-10003", "Ravi Rao")]


@on_one_engine
def test_no_more_than_ten_of_a_kind_are_named(desk: Desk) -> None:
    bought = buy_all(desk, [{"upi_id": "none", "at": NEWEST - timedelta(minutes=n)} for n in range(30, 0, -1)])
    assert related(desk, bought[0]) == bought[1:11]


@on_one_engine
def test_a_purchase_that_does_not_exist_is_not_found(desk: Desk) -> None:
    for wrong in ("0" * 24, "P-10001", "%20"):
        assert_refused(desk.get(f"/api/purchases/{wrong}/details"), 404, "purchase_not_found")
