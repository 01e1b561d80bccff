"""The queries for one claim's details, one client's page and statement use an index, however large the tables are."""

import re
from typing import Any

import pytest
from sqlalchemy import text

from tests.contract.rows import CLAIMS, fill
from tests.core.statements import plan_on_postgres, plan_on_sqlite, steps_of, watch
from tests.desk import Desk

# Without policy_rules, which has only one row per rule.
TABLES = {"claims", "purchases", "users", "claim_transitions", "payout_references", "client_notes"}

Asked = list[tuple[str, Any]]


@pytest.fixture
def asked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """The SQL for one claim's details and its client's page and statement, on a database with 1,000 claims."""
    seen = watch(monkeypatch)
    fill(desk, 1_000)
    desk.change(text("ANALYZE"))
    claim = desk.get(f"{CLAIMS}?limit=1").json()[0]
    seen.clear()
    client = f"/api/clients/{claim['user']['_id']}"
    period = "from=2000-01-01&to=2999-12-31"
    for path in (f"/api/claims/{claim['_id']}/details", client, f"{client}/statement?{period}"):
        assert desk.get(path).status_code == 200
    statements = [*seen.on_postgres, *((sql, None) for sql in seen.on_sqlite)]
    statements = [(sql, values) for sql, values in statements if tables_in(sql)]
    assert set().union(*(tables_in(sql) for sql, _ in statements)) == TABLES
    return statements


def tables_in(sql: str) -> set[str]:
    return set(re.findall(r"\b(?:FROM|JOIN) (\w+)", sql)) & TABLES


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_sqlite_uses_no_full_table_scan(desk: Desk, asked: Asked) -> None:
    for sql, _ in asked:
        plan = plan_on_sqlite(desk.database.file, sql)
        scanned = {step.split()[1] for step in plan if step.startswith("SCAN ")}
        assert not scanned & (TABLES | {"other"}), (sql, plan)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_postgresql_uses_no_sequential_scan(asked: Asked, database_url: str) -> None:
    for sql, values in asked:
        for step in steps_of(plan_on_postgres(database_url, sql, values, as_if_large=True)):
            if step.get("Relation Name") in TABLES:
                assert "Index" in step["Node Type"] or step["Node Type"].startswith("Bitmap"), (sql, step)
