"""Filters by amount, kind and QR name, alone and combined, and `skip` into the middle of a list."""

from collections.abc import Mapping

import pytest

from tests.contract.rows import CLAIMS, LISTS, PURCHASES, USERS, fill, ids, matching, next_of, walk
from tests.desk import Desk

CLAIM_FILTERS: tuple[dict[str, str], ...] = (
    {"minAmount": "300"},
    {"maxAmount": "300"},
    {"minAmount": "300", "maxAmount": "300"},
    {"minAmount": "300.01", "maxAmount": "300.99"},
    {"minAmount": "300.02", "maxAmount": "300.98"},
    {"minAmount": "0"},
    {"maxAmount": "0.00"},
    {"minAmount": "500", "maxAmount": "100"},
    {"minAmount": "9999999999999.99"},
    {"maxAmount": "9999999999999.99"},
    {"minAmount": "200", "status": "Paid"},
    {"minAmount": "200.01", "status": "Pending", "q": "ananya"},
    {"maxAmount": "700", "q": "hdfc", "from": "2026-11-10T00:00:00Z", "to": "2026-11-12T12:00:00Z"},
    {"status": "Accepted", "from": "2026-11-10T05:30:00+05:30", "to": "2026-11-11T00:00:00.000Z"},
    {"status": "Accepted", "q": "0000000"},
    {"from": "2026-11-11T00:00:00Z", "minAmount": "1"},
)
PURCHASE_FILTERS: tuple[dict[str, str], ...] = (
    {"claimType": "Daily"},
    {"claimType": "daily"},
    {"claimType": "Dail"},
    {"claimType": "%"},
    {"qrName": "Desk 2"},
    {"qrName": "डेस्क 3"},
    {"claimType": "Weekly", "qrName": "Desk 1"},
    {"claimType": "Weekly", "minAmount": "1000", "maxAmount": "2000.5"},
    {"minAmount": "500.01", "maxAmount": "500.50"},
    {"minAmount": "500.02", "maxAmount": "500.49"},
    {"qrName": "Desk 1", "q": "ravi"},
    {"qrName": "Desk 2", "q": "63000", "minAmount": "600", "from": "2026-11-10T00:00:00Z"},
    {"claimType": "Monthly", "to": "2026-11-11T23:59:59.999Z"},
)


def assert_all_agree(desk: Desk, path: str, filters: tuple[dict[str, str], ...]) -> None:
    whole = desk.get(path).json()
    found_some = 0
    for asked in filters:
        expected = matching(whole, asked)
        found_some += 0 < len(expected) < len(whole)
        listed = desk.get(path, params=asked)
        assert listed.json() == expected, asked
        page = desk.get(path, params={**asked, "limit": "1000"})
        assert page.json() == expected, asked
        assert page.headers["x-total-count"] == str(len(expected)), asked
        assert walk(desk, path, {**asked, "limit": "7"}) == expected, asked
    assert found_some >= len(filters) // 2, "most of these should leave some rows and not all"


def test_claim_filters_return_exactly_the_matching_claims(desk: Desk) -> None:
    fill(desk, 150)
    assert_all_agree(desk, CLAIMS, CLAIM_FILTERS)


def test_purchase_filters_return_exactly_the_matching_purchases(desk: Desk) -> None:
    fill(desk, 240)
    assert_all_agree(desk, PURCHASES, PURCHASE_FILTERS)


def test_wide_and_narrow_amount_ranges_return_exactly_their_rows(desk: Desk) -> None:
    """A range with over a thousand rows is read in list order; for a smaller one the matches are found first."""
    fill(desk, 1_300)
    whole = desk.get(CLAIMS).json()
    for asked in ({"minAmount": "0"}, {"minAmount": "0", "status": "Paid"}, {"minAmount": "1000"}):
        expected = matching(whole, asked)
        assert walk(desk, CLAIMS, {**asked, "limit": "400"}) == expected
        by_amount = desk.get(CLAIMS, params={**asked, "limit": "1000", "sort": "-amount"}).json()
        assert [row["amount"] for row in by_amount] == sorted((row["amount"] for row in expected), reverse=True)[:1000]


def test_the_total_is_omitted_only_when_counting_would_cost_more_than_the_page(desk: Desk) -> None:
    fill(desk, 1_300)

    def total_count(**asked: str) -> str | None:
        return desk.get(CLAIMS, params={"limit": "5", **asked}).headers.get("x-total-count")

    assert total_count() == "1300"
    assert total_count(minAmount="0") is None
    assert total_count(q="0") is None
    assert total_count(q="0000") is None
    assert total_count(minAmount="1100") == str(len(desk.get(CLAIMS, params={"minAmount": "1100"}).json()))
    assert total_count(status="Paid") == str(len(desk.get(CLAIMS, params={"status": "Paid"}).json()))
    assert total_count(**{"from": "2026-11-10T12:00:00Z"}) == str(
        len(desk.get(CLAIMS, params={"from": "2026-11-10T12:00:00Z"}).json())
    )


BAD_AMOUNTS = (
    "-1",
    "-0.01",
    "1.001",
    "NaN",
    "sNaN",
    "Infinity",
    "-inf",
    "1e400",
    "1e99999999",
    "10000000000000",
    "9" * 400,
    "",
    "1,5",
    "ten",
)


@pytest.mark.parametrize("path", [CLAIMS, PURCHASES])
def test_an_invalid_amount_is_refused_by_field_name(desk: Desk, path: str) -> None:
    for name in ("minAmount", "maxAmount"):
        for amount in BAD_AMOUNTS:
            for where in (path, path.replace("/all", "/totals")):
                answer = desk.get(where, params={name: amount})
                assert answer.status_code == 422, (name, amount, answer.text)
                assert list(answer.json()["fields"]) == [name]
                assert answer.json()["message"].endswith(".")


UNKNOWN: tuple[tuple[str, Mapping[str, str]], ...] = (
    (USERS, {"status": "Paid"}),
    (USERS, {"minAmount": "1"}),
    (PURCHASES, {"status": "Paid"}),
    (CLAIMS, {"claimType": "Daily"}),
    (CLAIMS, {"qrName": "Desk 1"}),
    (CLAIMS, {"minamount": "1"}),
    (CLAIMS, {"exact": "true"}),
    ("/api/claims/totals", {"limit": "1"}),
    ("/api/claims/totals", {"sort": "amount"}),
    ("/api/claims/totals", {"skip": "1"}),
    ("/api/purchases/totals", {"status": "Paid"}),
    ("/api/users/totals", {"minAmount": "1"}),
    ("/api/users/totals", {"cursor": "x"}),
)


def test_an_unknown_filter_is_refused_by_name_and_never_ignored(desk: Desk) -> None:
    for path, asked in UNKNOWN:
        answer = desk.get(path, params=asked)
        assert answer.status_code == 422, (path, asked)
        assert list(answer.json()["fields"]) == list(asked)


@pytest.mark.parametrize("path", LISTS)
def test_skip_leaves_out_rows_from_the_start_or_after_the_cursor(desk: Desk, path: str) -> None:
    fill(desk, 90)
    for sort in ("-createdAt", "username", "-mobile"):
        whole = desk.get(path, params={"sort": sort}).json()
        count = str(len(whole))
        for skip in (0, 1, 5, len(whole) - 1):
            skipped = desk.get(path, params={"sort": sort, "limit": "4", "skip": str(skip)})
            assert skipped.json() == whole[skip : skip + 4], (sort, skip)
            assert skipped.headers["x-total-count"] == count
            assert (next_of(skipped) is None) == (skip + 4 >= len(whole))
        first = desk.get(path, params={"sort": sort, "limit": "4"})
        link = next_of(first)
        assert link is not None
        further = desk.get(f"{link}&skip=3")
        assert further.json() == whole[7:11]
        assert further.headers["x-total-count"] == count
        # The next link continues from there and does not skip again.
        following = next_of(further)
        assert following is not None
        assert "skip" not in following
        assert desk.get(following).json() == whole[11:15]


@pytest.mark.parametrize("path", LISTS)
def test_skipping_past_the_end_gives_an_empty_page_with_the_right_count(desk: Desk, path: str) -> None:
    fill(desk, 40)
    count = len(desk.get(path).json())
    for skip in (str(count), "100000000"):
        answer = desk.get(path, params={"limit": "4", "skip": skip})
        assert answer.status_code == 200
        assert answer.json() == []
        assert answer.headers["x-total-count"] == str(count)
        assert "link" not in answer.headers


def test_skip_works_with_filters_and_searches(desk: Desk) -> None:
    fill(desk, 120)
    whole = desk.get(CLAIMS).json()
    for asked in (
        {"status": "Paid"},
        {"q": "ananya"},
        {"q": "an"},
        {"minAmount": "300"},
        {"from": "2026-11-10T01:00:00Z"},
    ):
        expected = matching(whole, asked)
        answer = desk.get(CLAIMS, params={**asked, "limit": "5", "skip": "6"})
        assert ids(answer.json()) == ids(expected[6:11]), asked
        assert answer.headers.get("x-total-count") in (str(len(expected)), None)


@pytest.mark.parametrize("path", LISTS)
def test_an_invalid_skip_is_refused_by_field_name(desk: Desk, path: str) -> None:
    queries = ("limit=5&skip=-1", "limit=5&skip=100000001", "limit=5&skip=few", "limit=5&skip=", "skip=5", "skip=0")
    for query in queries:
        answer = desk.get(f"{path}?{query}")
        assert answer.status_code == 422, (query, answer.text)
        assert list(answer.json()["fields"]) == ["skip"]
        assert answer.json()["message"].endswith(".")
