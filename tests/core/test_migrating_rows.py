"""A desk that had rows before the lists learned to count and to search finds them counted and searchable."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import inspect

from countinghouse.admins.actions import add_admin, open_session
from countinghouse.admins.passwords import hash_password
from countinghouse.audit.actions import COMMAND
from countinghouse.core import migrate as machinery
from countinghouse.core.migrate import current_revision, migrate, migrations_folder
from countinghouse.settings import Settings
from tests.contract.rows import CLAIMS, LISTS, fill, matching, walk
from tests.core.tallies import assert_searches_are_true, assert_tallies_are_true
from tests.databases import PASSWORD
from tests.desk import Desk


@pytest.fixture
def old_desk(blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """As the first release made it."""
    first = tmp_path / "first"
    shutil.copytree(migrations_folder(), first, ignore=shutil.ignore_patterns("__pycache__", "000[2-9]_*", "00[1-9]*"))
    settings = Settings(database_url=blank_url, _env_file=None)
    desk = Desk(settings, {})
    with monkeypatch.context() as earlier:
        earlier.setattr(machinery, "migrations_folder", lambda: first)
        migrate(desk.database)
    with desk.database.writing() as connection:
        admin = add_admin(connection, COMMAND, "asha", hash_password(PASSWORD))
        desk.tokens["asha"] = open_session(connection, COMMAND, admin.id, settings, new_device=False).token
    yield desk
    desk.close()


def test_rows_from_before_are_counted_and_found(old_desk: Desk) -> None:
    with old_desk.database.reading() as connection:
        assert current_revision(connection) == "0001"
        assert "claim_tallies" not in inspect(connection).get_table_names()
    fill(old_desk, 90)
    migrate(old_desk.database)
    assert_tallies_are_true(old_desk.database)
    assert_searches_are_true(old_desk.database)
    for path in LISTS:
        whole = old_desk.get(path).json()
        assert old_desk.get(f"{path}?limit=1").headers["x-total-count"] == str(len(whole))
        for q in ("ananya", "98000"):
            expected = matching(whole, {"q": q})
            assert expected
            assert walk(old_desk, path, {"q": q, "limit": "10"}) == expected


def test_rows_from_before_and_after_are_counted_together(old_desk: Desk) -> None:
    fill(old_desk, 20)
    migrate(old_desk.database)
    claim_id = old_desk.get(f"{CLAIMS}?status=Pending").json()[0]["_id"]
    assert old_desk.move(claim_id, "Accepted").status_code == 200
    old_desk.add_claim()
    assert_tallies_are_true(old_desk.database)
    assert_searches_are_true(old_desk.database)


def test_a_desk_without_rows_has_nothing_to_count(old_desk: Desk) -> None:
    migrate(old_desk.database)
    assert_tallies_are_true(old_desk.database)
    assert old_desk.get("/api/claims/totals").json()["count"] == 0
    old_desk.add_claim()
    assert_tallies_are_true(old_desk.database)
