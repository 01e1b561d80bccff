"""An import can be repeated and planned: nothing is stored twice, and a dry run tells the truth."""

from pathlib import Path

from sqlalchemy import select

from countinghouse.users.tables import users
from tests.desk import Desk
from tests.importing.command import read_report, run_import
from tests.importing.formats import write_archive, write_bson
from tests.importing.synthetic import Service

SERVICE = Service()


def test_a_second_run_changes_nothing(desk: Desk, tmp_path: Path) -> None:
    source = str(write_bson(SERVICE, tmp_path))
    first = run_import(desk.settings.database_url, tmp_path / "first", source)
    audited = len(desk.audit())
    second = run_import(desk.settings.database_url, tmp_path / "second", source)
    for noun, (created, _, _, invalid) in first.outcomes.items():
        assert second.outcomes[noun] == (0, created, 0, invalid)
    assert second.bad_rows == first.bad_rows
    # Only the run itself is recorded.
    assert len(desk.audit()) == audited + 1


def test_a_dry_run_changes_nothing_and_says_what_the_run_then_does(desk: Desk, tmp_path: Path) -> None:
    source = str(write_archive(SERVICE, tmp_path))
    audited = len(desk.audit())
    planned = run_import(desk.settings.database_url, tmp_path / "planned", source, "--dry-run")
    assert desk.rows(select(users)) == []
    assert len(desk.audit()) == audited
    done = run_import(desk.settings.database_url, tmp_path / "done", source)
    assert planned.outcomes == done.outcomes
    assert planned.bad_rows == done.bad_rows


def test_a_dry_run_over_a_half_filled_desk_says_what_is_left(desk: Desk, tmp_path: Path) -> None:
    source = write_bson(SERVICE, tmp_path)
    run_import(desk.settings.database_url, tmp_path / "users", str(source / "shop" / "users.bson"))
    planned = run_import(desk.settings.database_url, tmp_path / "planned", str(source), "--dry-run")
    done = run_import(desk.settings.database_url, tmp_path / "done", str(source))
    assert planned.outcomes == done.outcomes
    assert planned.outcomes["users"][:2] == (0, SERVICE.good()["users"])
    assert planned.bad_rows == done.bad_rows


def test_nothing_is_imported_if_the_operator_wants_no_errors(desk: Desk, tmp_path: Path) -> None:
    source = str(write_bson(SERVICE, tmp_path))
    ran = run_import(desk.settings.database_url, tmp_path / "run", source, "--stop-at-errors")
    assert ran.code == 4
    assert "Nothing was imported, because there are bad rows." in ran.errors
    assert desk.rows(select(users)) == []
    assert len(ran.bad_rows) >= SERVICE.bad()


def test_a_source_without_errors_is_imported_if_the_operator_wants_no_errors(desk: Desk, tmp_path: Path) -> None:
    without_faults = Service(users=9, purchases=3, claims=0)
    source = str(write_bson(without_faults, tmp_path))
    ran = run_import(desk.settings.database_url, tmp_path / "run", source, "--stop-at-errors")
    assert ran.code == 0, ran.errors
    assert "Source and desk agree: every row, every sum." in ran.output
    assert len(desk.rows(select(users))) == 9


def test_what_the_desk_has_otherwise_is_reported_and_never_overwritten(desk: Desk, tmp_path: Path) -> None:
    source = str(write_bson(SERVICE, tmp_path))
    run_import(desk.settings.database_url, tmp_path / "first", source)
    pending = desk.get("/api/claims/all?status=Pending&limit=1").json()[0]
    assert desk.move(pending["_id"], "Accepted").status_code == 200
    ran = run_import(desk.settings.database_url, tmp_path / "second", source)
    assert ran.outcomes["claims"][2] == 1
    (report,) = (tmp_path / "second").glob("import-errors-*.csv")
    (conflict,) = [row for row in read_report(report) if row["Outcome"] == "conflict"]
    assert (conflict["Field"], conflict["Reason"]) == ("status", "status is Accepted in the desk. Nothing was changed.")
    assert desk.get(f"/api/claims/all?q={pending['accountNo']}").json()[0]["status"] == "Accepted"
