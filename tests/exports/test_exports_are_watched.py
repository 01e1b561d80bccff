"""Tracking exports: audit rows, progress, outcome, and the limit on concurrent exports."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from pydantic import TypeAdapter
from sqlalchemy import select, update

from countinghouse.core.times import now
from countinghouse.exports.queries import Export
from countinghouse.exports.tables import exports
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.exports.downloads import ask, asked, fetch, state


def test_the_request_and_the_end_of_an_export_are_logged(desk: Desk) -> None:
    desk.add_claim("Paid")
    desk.add_claim("Pending")
    export = asked(desk, "claims", "xlsx", status="Paid", sort="-amount")
    (row,) = desk.audit("export.requested")
    assert (row.actor, row.address, row.subject_id) == ("asha", "203.0.113.9", export["_id"])
    query = {"status": "Paid", "sort": "-amount"}
    assert row.after == {"list": "claims", "format": "xlsx", "query": query, "rows": 1}
    assert desk.audit("export.ended") == []

    fetch(desk, export)
    (row,) = desk.audit("export.ended")
    assert (row.actor, row.address, row.subject_id) == ("asha", "203.0.113.9", export["_id"])
    assert row.after == {"outcome": "done", "rows": 1}


def test_an_export_reports_its_progress(desk: Desk) -> None:
    desk.add_user()
    export = asked(desk, "users")
    assert (export["state"], export["rowsWritten"], export["rowsTotal"]) == ("waiting", 0, 1)
    reported = desk.get(f"/api/exports/{export['_id']}").json()
    assert reported == {field: value for field, value in export.items() if field != "url"}
    fetch(desk, export)
    reported = desk.get(f"/api/exports/{export['_id']}").json()
    assert (reported["state"], reported["rowsWritten"]) == ("done", 1)


def test_an_export_of_another_admin_is_not_found(desk: Desk) -> None:
    export = asked(desk)
    for method in ("GET", "DELETE"):
        for export_id in (export["_id"], "0" * 24, "x"):
            answer = desk.call(method, f"/api/exports/{export_id}", by="ravi")
            assert_refused(answer, 404, "export_not_found")
    assert fetch(desk, export).status_code == 200


def under_way(desk: Desk, by: str = "asha") -> list[dict[str, Any]]:
    answer = desk.get("/api/exports", by=by)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def test_running_exports_are_listed_with_everything_a_reloaded_window_needs(desk: Desk) -> None:
    assert under_way(desk) == []
    waiting, running = asked(desk, "claims", "csv", status="Paid", sort="-amount"), asked(desk, "users", "xlsx")
    one = update(exports).where(exports.c.id == running["_id"])
    desk.change(one.values(started_at=now(), beat_at=now(), rows_written=500))
    first, second = under_way(desk)
    assert first == {field: value for field, value in waiting.items() if field != "url"}
    assert (first["list"], first["format"]) == ("claims", "csv")
    assert first["query"] == {"status": "Paid", "sort": "-amount"}
    assert (second["_id"], second["state"], second["rowsWritten"]) == (running["_id"], "running", 500)
    TypeAdapter(Export).validate_python(second, strict=True)


def test_the_list_has_only_ones_own_exports_and_no_download_key(desk: Desk) -> None:
    mine = asked(desk)
    assert under_way(desk, by="ravi") == []
    key = mine["url"].split("key=")[1]
    assert key not in desk.get("/api/exports").text


@pytest.mark.parametrize("how", ["fetched", "cancelled", "cancelled while it ran", "nobody came", "its process died"])
def test_ended_exports_are_not_listed(desk: Desk, how: str) -> None:
    over, other = asked(desk), asked(desk)
    one = update(exports).where(exports.c.id == over["_id"])
    silent = now() - timedelta(seconds=31)
    if how == "fetched":
        fetch(desk, over)
    elif how == "cancelled":
        desk.call("DELETE", f"/api/exports/{over['_id']}")
    elif how == "cancelled while it ran":
        desk.change(one.values(started_at=now(), beat_at=now()))
        desk.call("DELETE", f"/api/exports/{over['_id']}")
    elif how == "nobody came":
        desk.change(one.values(expires_at=now()))
    else:
        desk.change(one.values(started_at=silent, beat_at=silent))
    assert [export["_id"] for export in under_way(desk)] == [other["_id"]]


def test_an_admin_can_have_at_most_two_exports_running(desk: Desk) -> None:
    first, _ = asked(desk), asked(desk)
    assert_refused(ask(desk), 409, "too_many_exports")
    assert ask(desk, by="ravi").status_code == 201
    fetch(desk, first)
    assert ask(desk).status_code == 201
    assert len(desk.audit("export.requested")) == 4


def test_an_export_not_fetched_in_time_does_not_count_towards_the_limit(desk: Desk) -> None:
    asked(desk), asked(desk)
    desk.change(update(exports).values(expires_at=now()))
    assert ask(desk).status_code == 201


def test_concurrent_requests_cannot_exceed_the_limit_of_two(desk: Desk) -> None:
    with ThreadPoolExecutor(6) as windows:
        answers = list(windows.map(lambda _: ask(desk).status_code, range(6)))
    assert sorted(answers) == [201, 201, 409, 409, 409, 409]


def test_an_export_without_a_heartbeat_fails_and_frees_its_slot(desk: Desk) -> None:
    dead, _ = asked(desk), asked(desk)
    fresh, silent = now() - timedelta(seconds=29), now() - timedelta(seconds=31)
    one = update(exports).where(exports.c.id == dead["_id"])
    desk.change(one.values(started_at=silent, beat_at=fresh, rows_written=500))
    assert state(desk, dead) == "running"
    assert_refused(ask(desk), 409, "too_many_exports")
    desk.change(one.values(beat_at=silent))
    assert state(desk, dead) == "failed"
    assert ask(desk).status_code == 201
    (row,) = desk.audit("export.ended")
    assert (row.actor, row.subject_id, row.after) == ("asha", dead["_id"], {"outcome": "failed", "rows": 500})
    assert state(desk, dead) == "failed"


def test_old_exports_are_deleted_and_their_audit_rows_stay(desk: Desk) -> None:
    fetch(desk, asked(desk))
    desk.change(update(exports).values(created_at=now() - timedelta(days=31)))
    newer = asked(desk)
    assert [row.id for row in desk.rows(select(exports))] == [newer["_id"]]
    assert len(desk.audit("export.requested")) == 2
    assert len(desk.audit("export.ended")) == 1


@pytest.mark.parametrize("by", ["asha", None])
def test_the_file_can_be_fetched_with_or_without_a_token(desk: Desk, by: str | None) -> None:
    export = asked(desk)
    assert desk.get(export["url"].removeprefix("http://desk.test"), by=by).status_code == 200


def test_exports_with_times_in_the_future_do_not_count_towards_the_limit(desk: Desk) -> None:
    """Left from before the clock was set back: their links do not work until the clock reaches their times."""
    ahead = timedelta(days=1)
    waiting, running = asked(desk), asked(desk)
    desk.change(
        update(exports).where(exports.c.id == waiting["_id"]).values(created_at=now() + ahead, expires_at=now() + ahead)
    )
    desk.change(
        update(exports).where(exports.c.id == running["_id"]).values(started_at=now() + ahead, beat_at=now() + ahead)
    )
    assert under_way(desk) == []
    assert state(desk, running) == "failed"
    assert state(desk, waiting) == "expired"
    assert fetch(desk, waiting).json()["code"] == "export_expired"
    asked(desk)
