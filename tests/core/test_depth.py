"""A page deep in a list costs no more than the first one, measured in rows read or in the database's own steps."""

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from tests.contract.rows import CLAIMS, LISTS, PURCHASES, SORTS, fill, next_of
from tests.core.statements import Plan, Statements, plan_on_postgres, steps_of, watch
from tests.databases import Template
from tests.desk import Desk

LIMIT = 20
# Each row of a page is looked up in three tables, and one extra row shows if there is a next page; twice that is ample.
MOST_ROWS = 2 * 4 * (LIMIT + 1)
STEPS_A_TICK = 100


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Statements:
    return watch(monkeypatch)


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("four thousand claims of many names", many_rows)


def many_rows(desk: Desk) -> None:
    fill(desk, 4_000)
    # Names that few rows share, as in real data: rows of the same name are sorted together.
    desk.change(text("UPDATE users SET username = username || mobile"))
    desk.change(text("ANALYZE"))


@pytest.fixture
def large(seen: Statements, open_desk: Callable[..., Desk]) -> Desk:
    """Opened after `seen`, so that its statements are recorded."""
    desk = open_desk()
    seen.clear()
    return desk


def first_and_deep(desk: Desk, path: str, query: str) -> tuple[str, str]:
    """The first page, and one that begins near the end and is reached by its `next` link."""
    first = f"{path}?limit={LIMIT}{query}"
    count = int(desk.get(first).headers["x-total-count"])
    deep = next_of(desk.get(f"{first}&skip={count - 3 * LIMIT}"))
    assert deep is not None
    return first, deep


def rows_read(plan: Plan) -> float:
    read = (
        (step["Actual Rows"] + step.get("Rows Removed by Filter", 0) + step.get("Rows Removed by Index Recheck", 0))
        * step["Actual Loops"]
        for step in steps_of(plan)
        if "Relation Name" in step
    )
    return sum(map(float, read))


def queries(path: str) -> list[str]:
    orders = [f"&sort={sign}{sort}" for sort in SORTS[path] for sign in ("", "-")]
    kinds = {CLAIMS: ["&status=Paid"], PURCHASES: ["&claimType=Daily", "&qrName=Desk%202"]}
    return [*orders, *kinds.get(path, [])]


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("path", LISTS)
def test_postgresql_reads_only_a_pages_rows_at_any_depth(
    seen: Statements, large: Desk, database_url: str, path: str
) -> None:
    for query in queries(path):
        for page in first_and_deep(large, path, query):
            seen.clear()
            assert large.get(page).status_code == 200
            ((sql, params),) = [(sql, params) for sql, params in seen.on_postgres if "AS page" in sql]
            plan = plan_on_postgres(database_url, sql, params, as_if_large=True)
            assert rows_read(plan) <= MOST_ROWS, (page, plan)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.parametrize("path", LISTS)
def test_sqlite_takes_no_more_steps_for_a_deep_page_than_for_the_first(
    seen: Statements, large: Desk, path: str
) -> None:
    for query in queries(path):
        steps = []
        for page in first_and_deep(large, path, query):
            seen.clear()
            assert large.get(page).status_code == 200
            steps.append(steps_on_sqlite(large.database.file, seen.page_on_sqlite))
        first, deep = steps
        assert deep <= 2 * first, (path, query, steps)


def steps_on_sqlite(file: Any, sql: str) -> int:
    """The steps of SQLite's virtual machine, in hundreds."""
    ticks = 0

    def tick() -> int:
        nonlocal ticks
        ticks += 1
        return 0

    connection = sqlite3.connect(file)
    connection.set_progress_handler(tick, STEPS_A_TICK)
    connection.execute(sql).fetchall()
    connection.close()
    return ticks
