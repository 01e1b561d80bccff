"""Reading purchases."""

from typing import Any

from pydantic import with_config
from sqlalchemy import Row, Select, select, type_coerce
from typing_extensions import TypedDict

from countinghouse.core.listing import Listing
from countinghouse.core.money import rupees
from countinghouse.core.times import MomentText
from countinghouse.purchases.tables import purchases
from countinghouse.users.queries import UserContact
from countinghouse.users.tables import users


@with_config(
    json_schema_extra={
        "examples": [
            {
                "_id": "6917e2f4a1b2c3d4e5000002",
                "createdAt": "2026-11-15T02:52:36.120Z",
                "user": {"username": "Ananya Iyer", "mobile": "9805756092"},
                "invest": 5000,
                "dailyIncome": 62.5,
                "upiId": "631902345678",
                "claimType": "Daily",
                "qrName": "Desk 1",
            }
        ]
    }
)
class Purchase(TypedDict):
    _id: str
    createdAt: str
    user: UserContact
    invest: float
    dailyIncome: float
    upiId: str
    claimType: str
    qrName: str


def select_purchases() -> Select[Any]:
    """Each with its user."""
    return select(
        purchases.c.id,
        type_coerce(purchases.c.created_at, MomentText).label("created_at"),
        users.c.username,
        users.c.mobile,
        purchases.c.invest_paise,
        purchases.c.daily_income_paise,
        purchases.c.upi_id,
        purchases.c.claim_type,
        purchases.c.qr_name,
    ).join_from(purchases, users)


PURCHASES = Listing(
    select_purchases(),
    id=purchases.c.id,
    created_at=purchases.c.created_at,
    sorts={
        "createdAt": purchases.c.created_at,
        "username": users.c.username,
        "mobile": users.c.mobile,
        "invest": purchases.c.invest_paise,
        "dailyIncome": purchases.c.daily_income_paise,
        "upiId": purchases.c.upi_id,
        "claimType": purchases.c.claim_type,
        "qrName": purchases.c.qr_name,
    },
    searched=(users.c.username, users.c.mobile, purchases.c.upi_id),
)


def to_purchase(row: Row[Any]) -> Purchase:
    return {
        "_id": row.id,
        "createdAt": row.created_at,
        "user": {"username": row.username, "mobile": row.mobile},
        "invest": rupees(row.invest_paise),
        "dailyIncome": rupees(row.daily_income_paise),
        "upiId": row.upi_id,
        "claimType": row.claim_type,
        "qrName": row.qr_name,
    }
