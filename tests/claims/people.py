"""Helpers that create clients with purchases and claims at given times."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from sqlalchemy import insert

from countinghouse.claims.tables import claims
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.purchases.tables import purchases
from tests.desk import Desk

ACCOUNT: dict[str, Any] = {"account_no": "004512345678", "ifsc": "HDFC0001234"}
OTHER_ACCOUNT: dict[str, Any] = {"account_no": "50100098761234", "ifsc": "SBIN0000456"}

_references = count(631_900_000_001)


def ago(**elapsed: float) -> datetime:
    return now() - timedelta(**elapsed)


@dataclass
class Person:
    desk: Desk
    name: str = "Ananya Iyer"

    def __post_init__(self) -> None:
        self.id = self.desk.add_user(username=self.name)
        self.purchase_id = ""

    def buys(self, *, at: datetime, **values: Any) -> "Person":
        """Add a purchase. By default it earns ₹62.50 a day and has a unique transaction id."""
        self.purchase_id = new_id()
        row = {
            "id": self.purchase_id,
            "created_at": at,
            "user_id": self.id,
            "invest_paise": 500_000,
            "daily_income_paise": 6_250,
            "upi_id": str(next(_references)),
            "claim_type": "Daily",
            "qr_name": "Desk 1",
        } | values
        self.desk.change(insert(purchases).values(row))
        return self

    def claims(self, amount_paise: int = 10_000, status: str = "Pending", *, at: datetime, **values: Any) -> str:
        """Add a claim for the latest purchase and return its id."""
        row = {
            "id": new_id(),
            "created_at": at,
            "user_id": self.id,
            "purchase_id": self.purchase_id,
            "amount_paise": amount_paise,
            "address": "14 MG Road, Kochi 682016",
            "status": status,
            **ACCOUNT,
        } | values
        self.desk.change(insert(claims).values(row))
        return str(row["id"])


def details_of(desk: Desk, claim_id: str, *, by: str = "asha") -> dict[str, Any]:
    answer = desk.get(f"/api/claims/{claim_id}/details", by=by)
    assert answer.status_code == 200, answer.text
    details: dict[str, Any] = answer.json()
    return details


def facts_of(desk: Desk, claim_id: str) -> dict[str, str]:
    facts = details_of(desk, claim_id)["facts"]
    assert len({fact["code"] for fact in facts}) == len(facts)
    return {fact["code"]: fact["sentence"] for fact in facts}
