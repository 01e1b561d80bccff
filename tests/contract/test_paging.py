"""The optional parameters of the three long lists: pages, order, filters, search."""

import base64
import json
import re
from typing import Any

import pytest
from httpx2 import Response

from countinghouse.core.times import iso
from tests.desk import NEWEST, Desk, days_before
from tests.engines import on_one_engine

LISTS = ("/api/claims/all", "/api/purchases/all", "/api/users")


def next_of(answer: Response) -> str | None:
    found = re.fullmatch(r"<http://desk\.test(.+)>; rel=\"next\"", answer.headers.get("link", ""))
    return found and found.group(1)


def walk(desk: Desk, path: str) -> list[dict[str, Any]]:
    """Reads every page by following the `next` links."""
    rows: list[dict[str, Any]] = []
    link: str | None = path
    while link is not None:
        answer = desk.get(link)
        assert answer.status_code == 200, answer.text
        rows += answer.json()
        link = next_of(answer)
    return rows


@pytest.fixture
def filled(desk: Desk) -> Desk:
    """Twelve claims; some share a time, an amount or a status, so that ids have to break the ties."""
    for number in range(12):
        desk.add_claim(
            created_at=days_before(number // 3),
            amount_paise=100 * (number % 4),
            status=("Pending", "Accepted", "Paid")[number % 3],
            account_no=f"00{number:04}",
        )
    return desk


SORTS = {
    "/api/claims/all": (
        "createdAt",
        "username",
        "mobile",
        "invest",
        "amount",
        "accountNo",
        "ifsc",
        "address",
        "status",
    ),
    "/api/purchases/all": (
        "createdAt",
        "username",
        "mobile",
        "invest",
        "dailyIncome",
        "upiId",
        "claimType",
        "qrName",
    ),
    "/api/users": ("createdAt", "username", "mobile"),
}


@pytest.mark.parametrize("path", LISTS)
def test_pages_contain_every_row_once_in_every_order(filled: Desk, path: str) -> None:
    for sort in SORTS[path]:
        for direction in ("", "-"):
            whole = filled.get(f"{path}?sort={direction}{sort}").json()
            assert len(whole) == 12
            assert walk(filled, f"{path}?limit=5&sort={direction}{sort}") == whole
    assert filled.get(f"{path}?sort=-createdAt").json() == filled.get(path).json()


def test_rows_are_sorted_as_requested(filled: Desk) -> None:
    amounts = [claim["amount"] for claim in filled.get("/api/claims/all?sort=amount").json()]
    assert amounts == sorted(amounts)
    accounts = [claim["accountNo"] for claim in filled.get("/api/claims/all?sort=-accountNo").json()]
    assert accounts == sorted(accounts, reverse=True)


def test_a_page_counts_all_matches_and_links_to_the_next(filled: Desk) -> None:
    first = filled.get("/api/claims/all?limit=3&status=Pending")
    assert first.headers["x-total-count"] == "4"
    assert len(first.json()) == 3
    link = next_of(first)
    assert link is not None
    last = filled.get(link)
    assert last.headers["x-total-count"] == "4"
    assert len(last.json()) == 1
    assert "link" not in last.headers
    assert {claim["status"] for claim in first.json() + last.json()} == {"Pending"}


def test_rows_inserted_meanwhile_do_not_shift_the_pages(filled: Desk) -> None:
    whole = filled.get("/api/claims/all").json()
    first = filled.get("/api/claims/all?limit=5")
    filled.add_claim(created_at=NEWEST)
    link = next_of(first)
    assert link is not None
    assert first.json() + walk(filled, link) == whole


def test_from_and_to_limit_the_creation_time(filled: Desk) -> None:
    window = f"from={iso(days_before(2))}&to={iso(days_before(0))}"
    shown = filled.get(f"/api/claims/all?{window}").json()
    assert len(shown) == 6
    assert {claim["createdAt"] for claim in shown} == {iso(days_before(1)), iso(days_before(2))}


@pytest.mark.parametrize(
    ("path", "q", "count"),
    [
        ("/api/claims/all", "000003", 1),
        ("/api/claims/all", "hdfc000", 12),
        ("/api/claims/all", "ANANYA", 12),
        ("/api/claims/all", "980575", 12),
        ("/api/claims/all", "%", 0),
        ("/api/claims/all", "_", 0),
        ("/api/claims/all", "\\", 0),
        ("/api/purchases/all", "6319", 12),
        ("/api/users", "iyer", 12),
        ("/api/users", "nobody", 0),
    ],
)
def test_a_search_finds_parts_of_words_and_treats_wildcards_literally(
    filled: Desk, path: str, q: str, count: int
) -> None:
    answer = filled.call("GET", path, params={"q": q, "limit": 1000})
    assert len(answer.json()) == count
    assert answer.headers["x-total-count"] == str(count)


def cursor(*position: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode()


@on_one_engine
@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("limit=ten", "limit"),
        ("limit=", "limit"),
        ("limit=1_0", "limit"),
        ("limit=3.0", "limit"),
        ("limit=5&skip=%D9%A5", "skip"),
        ("sort=nothing", "sort"),
        ("sort=", "sort"),
        ("sort=--createdAt", "sort"),
        ("q=", "q"),
        ("q=%00", "q"),
        ("q=" + "x" * 101, "q"),
        ("from=yesterday", "from"),
        ("from=-1", "from"),
        ("to=1700000000", "to"),
        ("from=2026-11-15T00:00:00", "from"),
        ("to=0001-01-01T00:00:00%2B14:00", "to"),
        ("limlt=5", "limlt"),
        ("cursor=nonsense", "cursor"),
        ("cursor=%F0%9F%92%B8", "cursor"),
        (f"cursor={cursor('-createdAt', '2026-11-15T00:00:00.000Z', 'x' + chr(0))}", "cursor"),
        (f"cursor={cursor('-createdAt', '2026-11-15T00:00:00.1234567Z', '0' * 24)}", "cursor"),
        (f"cursor={cursor('-createdAt', '2026-11-15T00:00:00.000', '0' * 24)}", "cursor"),
        (f"cursor={cursor('-createdAt', '0001-01-01T00:00:00.000+14:00', '0' * 24)}", "cursor"),
        (f"cursor={cursor('-createdAt', '9999-12-31T23:59:59.9999Z', '0' * 24)}", "cursor"),
        (f"cursor={cursor('-createdAt', '0000-01-01T00:00:00.000Z', '0' * 24)}", "cursor"),
        (f"cursor={cursor('-createdAt', 7, [])}", "cursor"),
        (f"cursor={cursor('createdAt', '2026-11-15T00:00:00.000Z', '0' * 24)}", "cursor"),
        (f"sort=username&cursor={cursor('username', 'a' + chr(0), '0' * 24)}", "cursor"),
        (f"sort=username&cursor={cursor('username', 10**40, '0' * 24)}", "cursor"),
        (f"cursor={base64.urlsafe_b64encode(b'[' * 700).decode()}", "cursor"),
    ],
)
def test_an_invalid_parameter_is_refused_by_name(desk: Desk, path: str, query: str, field: str) -> None:
    answer = desk.get(f"{path}?{query}")
    assert answer.status_code == 422, answer.text
    assert list(answer.json()["fields"]) == [field]
    assert answer.json()["message"].endswith(".")


@pytest.mark.parametrize("amount", ["1_000", "%D9%A5", "1e3", " 5", "five", "-1"])
def test_an_amount_not_in_plain_digits_is_refused(desk: Desk, amount: str) -> None:
    answer = desk.get(f"/api/claims/all?minAmount={amount}")
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == ["minAmount"]


@pytest.mark.parametrize("status", ["pending", "", "Refused"])
def test_an_unknown_status_is_refused(desk: Desk, status: str) -> None:
    answer = desk.get(f"/api/claims/all?status={status}")
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == ["status"]


@pytest.mark.parametrize("value", [10**18, -1, 1.5, True, "x", None])
def test_a_cursor_with_an_impossible_amount_is_refused(desk: Desk, value: object) -> None:
    answer = desk.get(f"/api/claims/all?sort=amount&cursor={cursor('amount', value, '0' * 24)}")
    assert answer.status_code == 422
