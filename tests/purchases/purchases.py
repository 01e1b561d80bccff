"""Helpers for tests of purchases and their findings."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select

from countinghouse.purchases.actions import NewPurchase, check_purchases, record_purchases
from countinghouse.purchases.findings import FINDINGS
from countinghouse.purchases.tables import purchases
from tests.desk import NEWEST, Desk
from tests.event_loop import run

Found = dict[str, dict[str, str]]


def buy(desk: Desk, upi_id: str, client: str = "Ananya Iyer", **values: Any) -> str:
    (purchase_id,) = buy_all(desk, [{"upi_id": upi_id, **values}], client)
    return purchase_id


def buy_all(desk: Desk, rows: list[Mapping[str, Any]], client: str = "Ananya Iyer") -> list[str]:
    user_id = desk.add_user(username=client)
    new = [_new(user_id, **row) for row in rows]
    return run(desk.database.write(lambda transaction: record_purchases(transaction, new)))


def _new(
    user_id: str, upi_id: str, at: datetime = NEWEST, paise: int = 500_000, qr_name: str = "Desk 1"
) -> NewPurchase:
    return NewPurchase(at, user_id, paise, paise // 80, upi_id, "Daily", qr_name)


def check(desk: Desk, *, every: bool = False) -> int:
    return run(check_purchases(desk.database, lambda _done, _total: None, every=every))


def found(desk: Desk) -> Found:
    """For each purchase, the sentences of its findings by code."""
    rows = desk.rows(select(purchases.c.id, purchases.c.findings))
    assert all(row.findings is not None for row in rows), "not all were looked at"
    return {row.id: {one["code"]: one["sentence"] for one in FINDINGS[row.findings]} for row in rows}


def codes(desk: Desk) -> dict[str, list[str]]:
    return {purchase_id: list(sentences) for purchase_id, sentences in found(desk).items()}
