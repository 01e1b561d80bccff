"""How the databases read a page. Nothing is timed: the query plan shows what is read and what is sorted."""

import re
from collections.abc import Callable

import pytest
from sqlalchemy import text

from countinghouse.admins.permissions import Role
from tests.contract.rows import CLAIMS, LISTS, PURCHASES, SORTS, USERS, fill, next_of
from tests.contract.test_what_each_role_may_do import set_role
from tests.core.statements import Statements, plan_on_postgres, plan_on_sqlite, rows_into, steps_of, watch
from tests.databases import Template
from tests.desk import Desk

LIMIT = 50
# The page, and one extra row that shows whether there is a next page.
PAGE = LIMIT + 1
VIA_A_PARENT = ("username", "mobile", "invest")
TABLES = ("claims", "purchases", "users")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Statements:
    return watch(monkeypatch)


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("four thousand claims", many_rows)


def many_rows(desk: Desk) -> None:
    fill(desk, 4_000)
    desk.change(text("ANALYZE"))


@pytest.fixture
def large(seen: Statements, open_desk: Callable[..., Desk]) -> Desk:
    """Opened after `seen`, so that its statements are recorded."""
    desk = open_desk()
    seen.clear()
    return desk


def pages_of(desk: Desk, path: str, query: str) -> list[str]:
    """The first page and the one after it."""
    first = f"{path}?limit={LIMIT}{query}"
    following = next_of(desk.get(first))
    assert following is not None
    return [first, following]


def every_order(desk: Desk) -> list[str]:
    return [
        page
        for path in LISTS
        for sort in SORTS[path]
        for sign in ("", "-")
        for page in pages_of(desk, path, f"&sort={sign}{sort}")
    ]


def by_filter(desk: Desk) -> list[str]:
    return [
        *pages_of(desk, CLAIMS, "&status=Paid"),
        *pages_of(desk, CLAIMS, "&from=2026-11-10T12:00:00Z"),
        *pages_of(desk, CLAIMS, "&status=Pending&to=2026-11-12T00:00:00Z"),
        *pages_of(desk, PURCHASES, "&claimType=Daily"),
        *pages_of(desk, PURCHASES, "&qrName=Desk%202&from=2026-11-10T12:00:00Z"),
    ]


def test_a_page_takes_the_session_lookup_and_one_statement(seen: Statements, large: Desk) -> None:
    pages = [*every_order(large), *pages_of(large, CLAIMS, "&status=Paid"), f"{USERS}?limit=5&skip=7"]
    for page in pages:
        # The first request may have to open and prepare a connection.
        large.get(page)
        seen.clear()
        assert large.get(page).status_code == 200
        assert seen.count <= 2, (page, seen.on_sqlite, seen.on_postgres)


def test_few_matches_are_found_counted_and_shown_in_at_most_four_statements(seen: Statements, large: Desk) -> None:
    for query in ("q=00000007", "minAmount=1100", "q=00000007&status=Paid&from=2026-11-10T12:00:00Z"):
        page = f"{CLAIMS}?limit=5&{query}"
        large.get(page)
        seen.clear()
        assert large.get(page).status_code == 200
        assert seen.count <= 4, (page, seen.on_sqlite, seen.on_postgres)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_sqlite_reads_an_index_and_sorts_no_more_than_a_page(seen: Statements, large: Desk) -> None:
    for page in [*every_order(large), *by_filter(large)]:
        seen.clear()
        assert large.get(page).status_code == 200
        plan = plan_on_sqlite(large.database.file, seen.page_on_sqlite)
        # If there is a "SCAN page", the steps before it select the page, and the steps after it look up its rows.
        made = next((place for place, step in enumerate(plan) if step.startswith("SCAN page")), len(plan))
        for step in plan[:made]:
            # An order by another table's column is sorted by id within each row of that table; these groups are small.
            is_by_parent = "sort=" in page and any(f"{name}&" in f"{page}&" for name in VIA_A_PARENT)
            assert "TEMP B-TREE" not in step or (is_by_parent and "ORDER BY" in step and "FOR ORDER" not in step), plan
        for step in plan:
            for table in TABLES:
                if step.startswith(f"SCAN {table}"):
                    assert "USING" in step, (page, plan)
        assert len([step for step in plan if step.startswith("SCAN") and "page" not in step]) <= 1, (page, plan)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_postgresql_reads_an_index_and_sorts_no_more_than_a_page(
    seen: Statements, large: Desk, database_url: str
) -> None:
    for page in [*every_order(large), *by_filter(large)]:
        seen.clear()
        assert large.get(page).status_code == 200
        ((sql, params),) = [(sql, params) for sql, params in seen.on_postgres if "AS page" in sql]
        plan = plan_on_postgres(database_url, sql, params)
        for step in steps_of(plan):
            if "Sort" in step["Node Type"]:
                # An order by another table's column is sorted by id within each row of that table: small groups.
                most = 2 * PAGE if step["Node Type"] == "Incremental Sort" else PAGE
                assert rows_into(step) <= most, (page, step)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("path", LISTS)
def test_postgresql_reads_the_newest_rows_and_no_others(
    seen: Statements, large: Desk, database_url: str, path: str
) -> None:
    pages = pages_of(large, path, "")
    if path == CLAIMS:
        pages += pages_of(large, path, "&status=Paid")
    for page in pages:
        seen.clear()
        large.get(page)
        ((sql, params),) = [(sql, params) for sql, params in seen.on_postgres if "AS page" in sql]
        for step in steps_of(plan_on_postgres(database_url, sql, params)):
            if step.get("Relation Name") in TABLES:
                assert "Index" in step["Node Type"], step
                assert step["Actual Rows"] * step["Actual Loops"] <= PAGE, step
                assert step.get("Rows Removed by Filter", 0) == 0, step


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("word", ["0000000007", "HDFC0001234"])
def test_postgresql_looks_up_three_pieces_of_a_word_in_its_index(
    seen: Statements, large: Desk, database_url: str, word: str
) -> None:
    """Each further piece would add another list of rows to read, which grows with the table."""
    large.get(f"{CLAIMS}?limit=5&q={word}")
    ((sql, params),) = [(sql, params) for sql, params in seen.on_postgres if "ILIKE" in sql and "AS page" not in sql]
    steps = list(steps_of(plan_on_postgres(database_url, sql, params, as_if_large=True)))
    conditions = [step["Index Cond"] for step in steps if "~~*" in step.get("Index Cond", "")]
    # A scan of a thousand users may be cheaper than the index; for claims and references it never is.
    for column in ("account_no", "ifsc", "reference"):
        assert any(f"({column})" in condition for condition in conditions), steps
    for condition in conditions:
        for pattern in re.findall("'([^']+)'", condition):
            assert re.fullmatch("%[^%]{3}%[^%]{3}%[^%]{3}%", pattern), condition


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_postgresql_finds_a_whole_number_for_a_role_that_sees_masked_ones_by_its_index(
    seen: Statements, large: Desk, database_url: str
) -> None:
    set_role(large, Role.VIEWER)
    seen.clear()
    assert large.get(f"{CLAIMS}?limit=5&q=0000000007").json()
    (find,) = [(sql, params) for sql, params in seen.on_postgres if "UNION ALL" in sql]
    steps = steps_of(plan_on_postgres(database_url, *find, as_if_large=True))
    assert {"ix_claims_account", "ix_claims_search"} <= {step.get("Index Name") for step in steps}
