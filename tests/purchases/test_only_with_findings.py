"""The filters for purchases with findings, and with unsettled ones: in list, totals and export, and their plans."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import func, select, text, update

from countinghouse.purchases.queries import PURCHASES as LISTING
from countinghouse.purchases.tables import purchases
from tests.contract.rows import PURCHASES, fill, next_of, walk
from tests.core.statements import Statements, plan_on_postgres, plan_on_sqlite, rows_into, steps_of, watch
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.exports.downloads import download, read_csv
from tests.purchases.purchases import buy

LIMIT = 50
FOUND = '[{"code":"other_day","sentence":"Of another day."}]'


def test_the_list_includes_findings(desk: Desk) -> None:
    first, second = buy(desk, "631902345678", "Om Rao"), buy(desk, "6319 0234 5678", paise=100_000)
    by_id = {row["_id"]: row["findings"] for row in desk.get(PURCHASES).json()}
    sentence = "This transaction ID is also on the purchase of {} over {}, made on 15 Nov 2026."
    assert by_id == {
        first: [{"code": "repeated", "sentence": sentence.format("Ananya Iyer", "₹1,000")}],
        second: [{"code": "repeated", "sentence": sentence.format("Om Rao", "₹5,000")}],
    }
    assert {row["_id"]: row["findings"] for row in desk.get(f"{PURCHASES}?limit=2").json()} == by_id


def mark(desk: Desk, every: int) -> None:
    """Give every n-th purchase a finding; half of the others are still unchecked."""
    rows = desk.rows(select(purchases.c.id).order_by(purchases.c.id))
    desk.change(update(purchases).values(findings=""))
    desk.change(update(purchases).where(purchases.c.id.in_([row.id for row in rows[1::2]])).values(findings=None))
    marked = [row.id for row in rows[::every]]
    for start in range(0, len(marked), 500):
        desk.change(update(purchases).where(purchases.c.id.in_(marked[start : start + 500])).values(findings=FOUND))


@pytest.mark.parametrize(
    "more", [{}, {"sort": "username"}, {"claimType": "Daily"}, {"q": "ravi"}, {"minAmount": "2000", "sort": "-invest"}]
)
def test_the_filter_applies_to_list_totals_and_export(desk: Desk, more: dict[str, str]) -> None:
    fill(desk, 120)
    mark(desk, 3)
    expected = [row for row in desk.get(PURCHASES, params=more).json() if row["findings"]]
    assert 0 < len(expected) < 30
    asked = {"findings": "only", **more}
    assert desk.get(PURCHASES, params=asked).json() == expected
    assert walk(desk, PURCHASES, {**asked, "limit": "4"}) == expected
    assert desk.get(PURCHASES, params={**asked, "limit": "1"}).headers["x-total-count"] == str(len(expected))
    filters = {name: value for name, value in asked.items() if name != "sort"}
    totals = desk.get("/api/purchases/totals", params=filters).json()
    assert (totals["count"], totals["invest"]) == (len(expected), sum(row["invest"] for row in expected))
    rows = read_csv(download(desk, "purchases", **asked))[1:]
    assert [row[6] for row in rows] == [f'="{row["upiId"]}"' for row in expected]


@on_one_engine
@pytest.mark.parametrize("word", ["", "none", "ONLY", "only,only"])
def test_any_other_filter_value_is_refused(desk: Desk, word: str) -> None:
    answer = desk.get(PURCHASES, params={"findings": word})
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["findings"])


@on_one_engine
def test_a_saved_view_keeps_the_filter(desk: Desk) -> None:
    view = {"screen": "purchases", "name": "Odd ones", "search": "findings=only"}
    assert desk.call("POST", "/api/views", json=view).status_code == 201
    assert desk.get("/api/views?screen=purchases").json()[0]["search"] == "findings=only"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Statements:
    return watch(monkeypatch)


@pytest.fixture(params=["few", "many"])
def large(seen: Statements, open_desk: Callable[..., Desk], request: pytest.FixtureRequest) -> Desk:
    desk = open_desk()
    fill(desk, 6_000)
    # Few matches are fetched by their ids. For many, the list is scanned in order.
    mark(desk, 20 if request.param == "few" else 2)
    desk.change(text("ANALYZE"))
    assert (desk.rows(select(func.count()).where(purchases.c.findings != ""))[0][0] > 1000) is (request.param == "many")
    seen.clear()
    return desk


def first_pages(desk: Desk) -> Iterator[tuple[str, str]]:
    """Each filter with its first two pages, newest first; with few matches also in an order without an index."""
    for name in ("findings", "review"):
        is_few = desk.get(f"/api/purchases/totals?{name}=only").json()["count"] <= 1000
        for order in ("", "&sort=username") if is_few else ("",):
            first = f"{PURCHASES}?limit={LIMIT}&{name}=only{order}"
            following = next_of(desk.get(first))
            assert following is not None
            yield name, first
            yield name, following


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_sqlite_uses_the_index_on_findings(seen: Statements, large: Desk) -> None:
    for name, page in first_pages(large):
        seen.clear()
        assert large.get(page).status_code == 200
        plans = [plan_on_sqlite(large.database.file, sql) for sql in seen.on_sqlite if "purchases" in sql]
        assert any(f"ix_purchases_{name}" in step for plan in plans for step in plan), plans
        for step in (step for plan in plans for step in plan):
            # Reads purchases with findings, or one by its id; never all purchases of a client.
            if step.split()[1] == "purchases":
                assert f"ix_purchases_{name}" in step or "(id=?)" in step, plans


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_postgresql_reads_no_purchase_without_findings(seen: Statements, large: Desk, database_url: str) -> None:
    for _, page in first_pages(large):
        seen.clear()
        assert large.get(page).status_code == 200
        for sql, params in [(sql, params) for sql, params in seen.on_postgres if "purchases" in sql]:
            for step in steps_of(plan_on_postgres(database_url, sql, params, as_if_large=True)):
                if step.get("Relation Name") == "purchases":
                    assert "Index" in step["Node Type"] or step["Node Type"] == "Bitmap Heap Scan", step
                    assert step.get("Rows Removed by Filter", 0) == 0, step
                    assert step["Actual Rows"] * step["Actual Loops"] <= 1001, step
                if "Sort" in step["Node Type"]:
                    assert rows_into(step) <= 1000, step


def test_the_cache_of_parsed_findings_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    fields: Any = LISTING.fields(purchases)["findings"]
    known = fields.meanings
    monkeypatch.setattr(type(known), "MOST", 3)
    for number in range(10):
        assert known[f'[{{"code":"near","sentence":"{number}"}}]'][0]["sentence"] == str(number)
    assert len(known) <= 3
    assert known[None] == known[""] == []
