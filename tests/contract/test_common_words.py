"""Searching for a word that many rows contain: the next rows are checked first, and then the index if needed.

The thresholds are lowered here, so that a few rows take every code path that a million rows would.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Select, insert

from countinghouse.claims.tables import payout_references
from countinghouse.core.ids import new_id
from countinghouse.core.listing import counting, finding, pages
from countinghouse.core.listing.declarations import Shape
from countinghouse.core.listing.listing import Listing
from tests.batches.batches import add_claims, plan
from tests.contract.rows import CLAIMS, LISTS, every_sort, fill, forget_statements, ids, matching, walk, walk_in_order
from tests.core.statements import plan_on_postgres, steps_of, watch
from tests.desk import NEWEST, Desk

FEW, REACH, MOST_COUNTED, MOST_SORTED = 3, 10, 25, 40
# Words in nearly all rows, in many, and in some; short and long ones, to use every index, and none.
WORDS = ("0", "98", "980", "9800", "ananya", "a", "hdfc0001234", "अय्यर", "iyer", "63000")


def lower_thresholds(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (finding, pages):
        monkeypatch.setattr(module, "FEW", FEW)
    for module in (counting, pages):
        monkeypatch.setattr(module, "REACH", REACH)
    monkeypatch.setattr(counting, "MOST_COUNTED", MOST_COUNTED)
    monkeypatch.setattr(finding, "MOST_SORTED", MOST_SORTED)
    forget_statements()


@pytest.fixture(autouse=True)
def low_thresholds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    lower_thresholds(monkeypatch)
    yield
    forget_statements()


@pytest.mark.parametrize("path", LISTS)
def test_every_sort_order_pages_through_each_match_once(desk: Desk, path: str) -> None:
    fill(desk, 48)
    whole = desk.get(path).json()
    for q in ("98", "980", "ananya"):
        for sort in every_sort(path):
            walk_in_order(desk, path, {"q": q, "sort": sort, "limit": "8"}, matching(whole, {"q": q}))


@pytest.mark.parametrize("path", LISTS)
def test_pages_of_every_kind_of_word_contain_all_matches(desk: Desk, path: str) -> None:
    fill(desk, 90)
    whole = desk.get(path).json()
    for q in WORDS:
        assert ids(walk(desk, path, {"q": q, "limit": "7"})) == ids(matching(whole, {"q": q})), q


@pytest.mark.parametrize("path", LISTS)
def test_an_unpaged_search_is_in_the_requested_order(desk: Desk, path: str) -> None:
    fill(desk, 90)
    every = desk.get(path).json()
    sizes = set()
    for q in ("98", "iyer"):
        sizes.add(len(matching(every, {"q": q})) > MOST_SORTED)
        for sort in every_sort(path):
            listed = desk.get(path, params={"q": q, "sort": sort}).json()
            assert ids(listed) == ids(walk(desk, path, {"q": q, "sort": sort, "limit": "200"})), (q, sort)
    assert sizes == {True, False} or path == "/api/users"


@pytest.mark.parametrize(("most", "is_by_index"), [(1000, True), (5, False)])
def test_an_unpaged_search_for_a_rare_word_uses_its_index(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, most: int, is_by_index: bool
) -> None:
    monkeypatch.setattr(finding, "MOST_SORTED", most)
    select_whole = Listing.select_whole
    shapes: list[Shape] = []

    def noting(listing: Listing, shape: Shape) -> Select[Any]:
        shapes.append(shape)
        return select_whole(listing, shape)

    monkeypatch.setattr(Listing, "select_whole", noting)
    fill(desk, 90)
    assert len(desk.get(CLAIMS, params={"q": "ananya"}).json()) > 5
    (shape,) = shapes
    assert (shape.search_index is not None) == is_by_index


def test_filters_and_skips_apply_within_the_matches(desk: Desk) -> None:
    fill(desk, 160)
    whole = desk.get(CLAIMS).json()
    for q in ("0", "980", "9800", "ananya"):
        for others in ({"status": "Paid"}, {"minAmount": "700"}, {"from": "2026-11-12T10:00:00Z"}, {}):
            expected = matching(whole, {"q": q, **others})
            assert ids(walk(desk, CLAIMS, {"q": q, "limit": "9", **others})) == ids(expected), (q, others)
            for skip in (1, 8, 40, 500):
                skipped = desk.get(CLAIMS, params={"q": q, **others, "limit": "5", "skip": str(skip)}).json()
                assert ids(skipped) == ids(expected[skip : skip + 5]), (q, others, skip)


def test_matches_that_are_all_far_down_the_list_are_found(desk: Desk) -> None:
    far = [desk.add_claim(account_no=f"7777{number}", created_at=NEWEST - timedelta(days=9)) for number in range(6)]
    for number in range(30):
        desk.add_claim(account_no=f"1111{number}", created_at=NEWEST - timedelta(hours=number))
    for q in ("77", "777", "7777"):
        assert sorted(ids(walk(desk, CLAIMS, {"q": q, "limit": "4"}))) == sorted(far)


@pytest.mark.parametrize("path", ["/api/claims", "/api/purchases", "/api/users"])
def test_totals_are_exact_or_marked_as_inexact(desk: Desk, path: str) -> None:
    fill(desk, 160)
    whole = desk.get(path if path == "/api/users" else f"{path}/all").json()
    kinds = set()
    for q in WORDS:
        for others in ({}, {"from": "2026-11-12T10:00:00Z"}):
            expected = matching(whole, {"q": q, **others})
            totals = desk.get(f"{path}/totals", params={"q": q, **others}).json()
            by_status = {tab["status"]: tab for tab in totals.get("byStatus", ())}
            tabs = [(tab, [row for row in expected if row["status"] == name]) for name, tab in by_status.items()]
            for total, rows in [(totals, expected), *tabs]:
                kinds.add(total["isExact"])
                if total["isExact"]:
                    assert total["count"] == len(rows), (q, others, total)
                else:
                    assert total["count"] <= len(rows), (q, others, total)
                if total["isExact"] and "amount" in total:
                    assert round(total["amount"] * 100) == sum(round(row["amount"] * 100) for row in rows)
            if len(expected) <= MOST_COUNTED:
                assert totals["isExact"], (q, others)
            else:
                assert totals["isExact"] or totals["count"] >= min(REACH, MOST_COUNTED), (q, others, totals)
            counted = desk.get(f"{path}/totals", params={"q": q, **others, "exact": "true"}).json()
            assert (counted["count"], counted["isExact"]) == (len(expected), True), (q, others)
    assert kinds == {True, False}


def test_a_batch_contains_every_match_of_a_common_word(desk: Desk) -> None:
    fill(desk, 90, statuses=("Pending",))
    whole = desk.get(CLAIMS).json()
    for q in WORDS:
        expected = matching(whole, {"q": q})
        if expected:
            assert plan(desk, status="Accepted", query={"q": q})["count"] == len(expected), q


@pytest.mark.parametrize("count", [FEW, FEW + 1, MOST_COUNTED - 1, MOST_COUNTED + 1])
@pytest.mark.parametrize("times", [2, 3])
def test_a_claim_that_was_paid_several_times_hides_no_other(desk: Desk, count: int, times: int) -> None:
    """It is found by each of its references, but counts as one match."""
    claims = add_claims(desk, count, "Returned")
    references = [
        {"id": new_id(), "claim_id": claim, "number": 2, "reference": f"UTR{place:03}{time}", "recorded_at": NEWEST}
        for place, claim in enumerate(claims)
        for time in range(times)
    ]
    desk.change(insert(payout_references).values(references))
    for q in ("ut", "utr", "utr0"):
        assert sorted(ids(walk(desk, CLAIMS, {"q": q, "limit": "4"}))) == sorted(claims), q
        assert sorted(ids(desk.get(CLAIMS, params={"q": q}).json())) == sorted(claims), q
        totals = desk.get("/api/claims/totals", params={"q": q}).json()
        assert totals["count"] == count if totals["isExact"] else totals["count"] < count, q
        exactly = desk.get("/api/claims/totals", params={"q": q, "exact": "true"}).json()
        assert (exactly["count"], exactly["isExact"]) == (count, True), q
        assert plan(desk, status="Accepted", query={"q": q})["count"] == count, q


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_no_more_rows_are_checked_than_the_reach_allows(
    monkeypatch: pytest.MonkeyPatch, open_desk: Callable[..., Desk], database_url: str
) -> None:
    seen = watch(monkeypatch)
    desk = open_desk()
    fill(desk, 3000)
    seen.clear()
    desk.get(CLAIMS, params={"q": "ananya", "limit": "50"})
    (near,) = [(sql, params) for sql, params in seen.on_postgres if "AS near" in sql]
    for step in steps_of(plan_on_postgres(database_url, *near)):
        if step.get("Relation Name") == "claims":
            assert step["Actual Rows"] * step["Actual Loops"] <= REACH, step
