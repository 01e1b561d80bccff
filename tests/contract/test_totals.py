"""The totals equal a recount of the list, whichever code path computes them."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import text

from tests.contract.rows import CLAIMS, PURCHASES, STATUSES, USERS, Row, fill, matching
from tests.desk import NEWEST, Desk

# Days begin and end in UTC. These ranges end within a day, at midnight, a millisecond beside it, at midnight in other
# time zones, and not at all.
DATES: tuple[dict[str, str], ...] = (
    {},
    {"from": "2026-11-10T00:00:00Z"},
    {"to": "2026-11-12T00:00:00Z"},
    {"from": "2026-11-10T00:00:00.001Z"},
    {"to": "2026-11-11T23:59:59.999Z"},
    {"to": "2026-11-12T00:00:00.001Z"},
    {"from": "2026-11-10T12:00:00Z", "to": "2026-11-10T12:00:00.001Z"},
    {"from": "2026-11-10T06:00:00Z", "to": "2026-11-10T18:00:00Z"},
    {"from": "2026-11-10T00:00:00Z", "to": "2026-11-10T18:00:00Z"},
    {"from": "2026-11-10T18:00:00Z", "to": "2026-11-11T00:00:00Z"},
    {"from": "2026-11-10T18:00:00Z", "to": "2026-11-11T06:00:00Z"},
    {"from": "2026-11-09T18:00:00Z", "to": "2026-11-12T06:00:00Z"},
    {"from": "2026-11-10T00:00:00Z", "to": "2026-11-12T00:00:00Z"},
    {"from": "2026-11-10T05:30:00+05:30", "to": "2026-11-12T05:30:00+05:30"},
    {"from": "2026-11-10T00:00:00+05:30", "to": "2026-11-12T00:00:00-08:00"},
    {"from": "2026-11-11T00:00:00Z", "to": "2026-11-11T00:00:00Z"},
    {"from": "2026-11-11T12:00:00Z", "to": "2026-11-11T12:00:00Z"},
    {"from": "2026-11-12T00:00:00Z", "to": "2026-11-10T00:00:00Z"},
    {"from": "2026-11-10T18:00:00Z", "to": "2026-11-10T06:00:00Z"},
    {"from": "2026-11-12T18:00:00Z", "to": "2026-11-10T06:00:00Z"},
    {"from": "1900-01-01T00:00:00Z", "to": "8999-12-31T23:59:59.999Z"},
    {"from": "2030-01-01T00:00:00Z"},
)
OTHERS: dict[str, tuple[dict[str, str], ...]] = {
    CLAIMS: (
        {},
        {"status": "Paid"},
        {"minAmount": "300"},
        {"maxAmount": "99.99", "status": "Pending"},
        {"q": "ananya"},
        {"q": "a"},
        {"q": "nobody at all"},
        {"q": "hdfc", "status": "Accepted", "minAmount": "200", "maxAmount": "800"},
    ),
    PURCHASES: (
        {},
        {"claimType": "Daily"},
        {"qrName": "Desk 2", "claimType": "Weekly"},
        {"minAmount": "1000"},
        {"q": "ravi"},
        {"q": "6"},
    ),
    USERS: ({}, {"q": "iyer"}, {"q": "98"}),
}


def total_of(rows: list[Row], path: str) -> dict[str, Any]:
    sums = {CLAIMS: ("amount",), PURCHASES: ("invest", "dailyIncome"), USERS: ()}[path]
    total = {name: float(sum(Decimal(str(row[name])) for row in rows)) for name in sums}
    return {"count": len(rows), **total, "isExact": True}


def without_figures(totals: dict[str, Any]) -> dict[str, Any]:
    """The figures are those of all claims, whatever the filters (tests/claims/test_figures.py)."""
    return {name: value for name, value in totals.items() if name != "figures"}


def pairs_of_filters(path: str) -> Iterator[dict[str, str]]:
    """Each range of dates alone and with two of the other filters, which take turns."""
    others = OTHERS[path]
    for place, dates in enumerate(DATES):
        for other in sorted({0, place % len(others), (place // len(others) + 3 * place + 1) % len(others)}):
            yield {**dates, **others[other]}


def totals_path(path: str) -> str:
    return path.removesuffix("/all") + "/totals"


@pytest.mark.parametrize("path", [CLAIMS, PURCHASES, USERS])
def test_totals_equal_a_recount_of_the_matches(desk: Desk, path: str) -> None:
    fill(desk, 260)
    whole = desk.get(path).json()
    for asked in pairs_of_filters(path):
        expected = total_of(matching(whole, asked), path)
        if path == CLAIMS:
            tabs = {name: value for name, value in asked.items() if name != "status"}
            expected["byStatus"] = [
                {"status": status, **total_of(matching(whole, {**tabs, "status": status}), path)} for status in STATUSES
            ]
        for sent in (asked, {**asked, "exact": "true"}):
            answer = desk.get(totals_path(path), params=sent)
            assert answer.status_code == 200, answer.text
            assert without_figures(answer.json()) == expected, sent


@pytest.mark.parametrize("path", [CLAIMS, PURCHASES, USERS])
def test_the_count_of_a_page_equals_the_totals(desk: Desk, path: str) -> None:
    fill(desk, 200)
    for asked in pairs_of_filters(path):
        page = desk.get(path, params={**asked, "limit": "3"})
        counted = desk.get(totals_path(path), params=asked).json()["count"]
        assert page.headers["x-total-count"] == str(counted), asked


def test_totals_of_an_empty_desk_are_zero(desk: Desk) -> None:
    nothing = {"count": 0, "amount": 0, "isExact": True}
    by_status = [{"status": status, **nothing} for status in STATUSES]
    for query in ("", "?q=ravi", "?minAmount=5", "?status=Paid", "?from=2026-11-10T01:00:00Z"):
        found = without_figures(desk.get(f"/api/claims/totals{query}").json())
        assert found == {**nothing, "byStatus": by_status}
        assert desk.get("/api/users/totals").json() == {"count": 0, "isExact": True}
    assert desk.get("/api/purchases/totals").json() == {"count": 0, "invest": 0, "dailyIncome": 0, "isExact": True}


def test_totals_include_a_move_at_once(desk: Desk) -> None:
    claim_id = desk.add_claim(amount_paise=12_345)
    assert desk.move(claim_id, "Accepted").status_code == 200
    totals = desk.get("/api/claims/totals?status=Accepted").json()
    assert (totals["count"], totals["amount"]) == (1, 123.45)
    assert [tab["count"] for tab in totals["byStatus"]] == [0, 1, 0, 0, 0, 0]


MANY = 10_050
# Generated by the database itself, because that is fast. 10,047 are Pending, one is Accepted, two are Paid.
BULK = """
INSERT INTO claims (id, created_at, user_id, purchase_id, amount_paise, account_no, ifsc, address, status)
WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {many})
SELECT {id}, '2026-11-15T02:52:36.120Z', :user_id, :purchase_id, 100, 'account', 'HDFC0001234', 'x',
       CASE number WHEN 1 THEN 'Accepted' WHEN 2 THEN 'Paid' WHEN 3 THEN 'Paid' ELSE 'Pending' END
FROM numbers
"""


def test_more_than_ten_thousand_matches_are_counted_exactly_only_on_request(desk: Desk) -> None:
    user_id, purchase_id = desk.add_purchase(created_at=NEWEST)
    make_id = "printf('%024x', number)" if desk.database.is_sqlite else "lpad(to_hex(number), 24, '0')"
    bulk = text(BULK.format(many=MANY, id=make_id)).bindparams(user_id=user_id, purchase_id=purchase_id)
    desk.change(bulk)
    pending = MANY - 3
    for asked in ({"q": "hdfc"}, {"q": "h"}, {"minAmount": "1"}, {"q": "ananya", "minAmount": "1"}):
        totals = desk.get("/api/claims/totals", params=asked).json()
        assert (totals["isExact"], totals["amount"]) == (False, None), asked
        # A rare status is exact even if a common one is not. A search by index stops at ten thousand matches in all
        # statuses together, and the count of one status is rounded down.
        at_least = 9_000 if "q" in asked else 10_000
        assert totals["count"] == at_least, asked
        assert totals["byStatus"] == [
            {"status": "Pending", "count": at_least, "amount": None, "isExact": False},
            {"status": "Accepted", "count": 1, "amount": 1, "isExact": True},
            {"status": "Paid", "count": 2, "amount": 2, "isExact": True},
            *({"status": status, "count": 0, "amount": 0, "isExact": True} for status in STATUSES[3:]),
        ]
        rare = desk.get("/api/claims/totals", params={**asked, "status": "Paid"}).json()
        assert (rare["count"], rare["amount"], rare["isExact"]) == (2, 2, True)
        common = desk.get("/api/claims/totals", params={**asked, "status": "Pending"}).json()
        assert (common["count"], common["amount"], common["isExact"]) == (at_least, None, False)
        counted = desk.get("/api/claims/totals", params={**asked, "exact": "true"}).json()
        assert (counted["count"], counted["amount"], counted["isExact"]) == (MANY, MANY, True)
        assert counted["byStatus"][0] == {"status": "Pending", "count": pending, "amount": pending, "isExact": True}
    # Totals from the tallies are exact for any number of rows.
    for query in ("", "?from=2026-11-15T01:00:00Z", "?to=2026-11-16T00:00:00Z"):
        totals = desk.get(f"/api/claims/totals{query}").json()
        assert (totals["count"], totals["amount"], totals["isExact"]) == (MANY, MANY, True)
