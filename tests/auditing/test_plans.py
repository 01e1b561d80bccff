"""How the databases read the log. Nothing is timed: the query plan shows what is read."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import insert, text

from countinghouse.audit.tables import audit_log
from countinghouse.core.listing.finding import FEW
from tests.core.statements import Statements, plan_on_postgres, plan_on_sqlite, steps_of, watch
from tests.databases import Template
from tests.desk import NEWEST, Desk

# An API key adds claims, and an admin moves them and uploads codes: many rows each, and none of both.
ADDED, MOVED, UPLOADED = ("key app", "claim.added"), ("asha", "claim.moved"), ("asha", "qr.uploaded")
BOTH_LEAVE_NOTHING = ["&actor=key%20app&verb=claim.moved", "&actor=key%20app&noun=qr"]


def fill(desk: Desk) -> None:
    with desk.database.writing() as connection:
        for number in range(FEW + 200):
            for place, (actor, verb) in enumerate((ADDED, MOVED, UPLOADED)):
                at = NEWEST + timedelta(seconds=10 * number + place)
                row = {"at": at, "actor": actor, "verb": verb, "subject_id": f"subject {number}"}
                connection.execute(insert(audit_log).values(row))
    desk.change(text("ANALYZE"))


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("a long log", fill)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Statements:
    return watch(monkeypatch)


@pytest.fixture
def desk(seen: Statements, open_desk: Callable[..., Desk]) -> Desk:
    """Opened after `seen`, so that its statements are recorded."""
    desk = open_desk()
    desk.get("/api/audit?limit=50")
    seen.clear()
    return desk


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.parametrize("query", BOTH_LEAVE_NOTHING)
def test_sqlite_finds_by_one_index_that_two_filters_leave_nothing(seen: Statements, desk: Desk, query: str) -> None:
    assert desk.get(f"/api/audit?limit=50{query}").json() == []
    plans = [plan_on_sqlite(desk.database.file, sql) for sql in seen.on_sqlite if "audit_entries" in sql]
    assert plans
    for plan in plans:
        (step,) = [step for step in plan if "audit_log" in step]
        assert "ix_audit_log_actor_verb (actor=? AND verb=?" in step, plan


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize("query", BOTH_LEAVE_NOTHING)
def test_postgresql_finds_by_one_index_that_two_filters_leave_nothing(
    seen: Statements, desk: Desk, database_url: str, query: str
) -> None:
    assert desk.get(f"/api/audit?limit=50{query}").json() == []
    asked = [(sql, values) for sql, values in seen.on_postgres if "audit_entries" in sql]
    assert asked
    for sql, values in asked:
        steps = [step for step in steps_of(plan_on_postgres(database_url, sql, values)) if "audit_log" in str(step)]
        assert {step["Index Name"] for step in steps if "Index Name" in step} == {"ix_audit_log_actor_verb"}, steps
        assert sum(step.get("Rows Removed by Filter", 0) for step in steps) == 0, steps


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.parametrize("more", ["&verb=claim.moved", "&actor=asha", "&verb=claim.moved&actor=asha"])
def test_sqlite_looks_up_the_rows_of_a_record_whatever_else_is_asked(seen: Statements, desk: Desk, more: str) -> None:
    """Without statistics, as in a desk that is new: SQLite then takes any filter with an index for a narrow one."""
    desk.change(text("DELETE FROM sqlite_stat1"))
    seen.clear()
    assert desk.get(f"/api/audit?limit=50&subject=subject%207{more}").json() != []
    plan = plan_on_sqlite(desk.database.file, seen.page_on_sqlite)
    (step,) = [step for step in plan if "audit_log" in step and "PRIMARY KEY" in step]
    assert "rowid=?" in step, plan
