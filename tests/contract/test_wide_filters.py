"""Filters with many matches: a page reads the list in order, and each group is counted by an index with few other rows.

The thresholds for many matches and for a large group are lowered here, so that a few rows take every code path that a
million rows would.
"""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from countinghouse.core.listing import counting, finding
from tests.contract.rows import (
    CLAIMS,
    PURCHASES,
    STATUSES,
    every_sort,
    fill,
    forget_statements,
    matching,
    walk_in_order,
)
from tests.core.statements import plan_on_sqlite, watch
from tests.desk import Desk

MOST_COUNTED = 25
AMOUNTS = ({"minAmount": "10"}, {"minAmount": "100", "maxAmount": "900"}, {"maxAmount": "120"}, {"minAmount": "950"})
DATES: tuple[dict[str, str], ...] = (
    {},
    {"from": "2026-11-10T06:00:00Z"},
    {"from": "2026-11-10T06:00:00Z", "to": "2026-11-12T00:00:00Z"},
)


@pytest.fixture(autouse=True)
def low_thresholds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(finding, "FEW", 3)
    monkeypatch.setattr(finding, "MOST_SORTED", 20)
    monkeypatch.setattr(counting, "MOST_COUNTED", MOST_COUNTED)
    forget_statements()
    yield
    forget_statements()


@pytest.mark.parametrize("large", [0, 40, 1000], ids=["all groups large", "some large", "none large"])
def test_each_status_is_counted_up_to_the_limit(desk: Desk, monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    monkeypatch.setattr(counting, "LARGE", large)
    fill(desk, 260, statuses=(*STATUSES, "Paid", "Paid", "Paid"))
    whole = desk.get(CLAIMS).json()
    # Few enough for one query, even before the dates narrow them further.
    narrow = {"minAmount": str(sorted(row["amount"] for row in whole)[-15])}
    kinds = set()
    for amounts, dates in product((*AMOUNTS, narrow), DATES):
        expected = matching(whole, {**amounts, **dates})
        totals = desk.get("/api/claims/totals", params={**amounts, **dates, "status": "Paid"}).json()
        for tab in totals["byStatus"]:
            rows = [row for row in expected if row["status"] == tab["status"]]
            kinds.add(tab["isExact"])
            if len(expected) <= MOST_COUNTED or len(rows) <= MOST_COUNTED:
                assert tab["isExact"], (amounts, dates, tab)
            assert tab["count"] == (len(rows) if tab["isExact"] else MOST_COUNTED), (amounts, dates, tab)
            if tab["isExact"]:
                assert round(tab["amount"] * 100) == sum(round(row["amount"] * 100) for row in rows)
    assert kinds == {True, False}


@pytest.mark.parametrize("path", [CLAIMS, PURCHASES])
def test_an_exact_total_counts_every_row(desk: Desk, path: str) -> None:
    fill(desk, 260)
    whole = desk.get(path).json()
    for amounts, dates in product(AMOUNTS, DATES):
        expected = matching(whole, {**amounts, **dates})
        asked = {**amounts, **dates, "exact": "true"}
        totals = desk.get(path.removesuffix("/all") + "/totals", params=asked).json()
        assert (totals["count"], totals["isExact"]) == (len(expected), True), asked


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_large_group_is_counted_by_amount_and_a_small_one_is_not(
    monkeypatch: pytest.MonkeyPatch, open_desk: Callable[..., Desk], database_url: str
) -> None:
    monkeypatch.setattr(counting, "LARGE", 60)
    seen = watch(monkeypatch)
    desk = open_desk()
    fill(desk, 260, statuses=(*STATUSES, "Paid", "Paid", "Paid"))
    seen.clear()
    desk.get("/api/claims/totals", params={"minAmount": "100", "maxAmount": "900"})
    (counted,) = [sql for sql in seen.on_sqlite if "UNION ALL" in sql and "amount_paise" in sql and "LIMIT" in sql]
    walks = [
        step for step in plan_on_sqlite(database_url.removeprefix("sqlite:///"), counted) if "SEARCH claims" in step
    ]
    by_amount = ["ix_claims_amount" in step for step in walks]
    assert by_amount == [status == "Paid" for status in STATUSES], walks


@pytest.mark.parametrize("path", [CLAIMS, PURCHASES])
def test_every_sort_order_pages_through_each_match_once(desk: Desk, path: str) -> None:
    fill(desk, 90)
    whole = desk.get(path).json()
    for amounts in AMOUNTS[1:3]:
        for sort in every_sort(path):
            walk_in_order(desk, path, {**amounts, "sort": sort, "limit": "25"}, matching(whole, amounts))


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("sort", "index"),
    [("-createdAt", "ix_claims_newest"), ("amount", "ix_claims_amount (amount_paise>"), ("ifsc", "ix_claims_ifsc")],
)
def test_a_page_with_many_matches_sorts_nothing(
    monkeypatch: pytest.MonkeyPatch, open_desk: Callable[..., Desk], database_url: str, sort: str, index: str
) -> None:
    seen = watch(monkeypatch)
    desk = open_desk()
    fill(desk, 260)
    seen.clear()
    desk.get(CLAIMS, params={"minAmount": "100", "maxAmount": "900", "sort": sort, "limit": "50"})
    first, *_ = plan_on_sqlite(database_url.removeprefix("sqlite:///"), seen.page_on_sqlite)[1:]
    assert index in first, first
