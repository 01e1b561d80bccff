"""A desk with rows from before moments were exact: migration 0008 keeps every row, and can be interrupted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from countinghouse.admins.tables import login_buckets
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.ids import new_id
from countinghouse.core.migrate import current_revision, migrate
from tests.contract.foreign_rows import foreign_connection, insert_rows
from tests.contract.rows import CLAIMS, LISTS, USERS, fill, ids, walk
from tests.core.earlier_desks import desk_at
from tests.core.tallies import assert_searches_are_true, assert_tallies_are_true
from tests.desk import Desk, days_before

ALL_REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")


@pytest.fixture
def newest_before(blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    with desk_at("0007", blank_url, tmp_path, monkeypatch) as desk:
        yield desk


@pytest.mark.parametrize("revision", ALL_REVISIONS)
def test_every_earlier_release_is_upgraded_without_losing_a_row(
    blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    with desk_at(revision, blank_url, tmp_path, monkeypatch) as desk:
        fill(desk, 40, statuses=("Pending", "Accepted", "Paid"))
        logged = desk.audit()
        migrate(desk.database)
        assert_tallies_are_true(desk.database)
        assert_searches_are_true(desk.database)
        assert desk.audit() == logged
        for path, count in zip(LISTS, (40, 21, 11), strict=True):
            whole = desk.get(path).json()
            assert len(whole) == count
            assert walk(desk, path, {"limit": "3"}) == whole
        waiting = desk.get(f"{CLAIMS}?status=Pending").json()[0]["_id"]
        assert desk.move(waiting, "Accepted").status_code == 200
        assert desk.audit()[-1].seq == logged[-1].seq + 1


def test_moments_of_before_keep_their_value_whatever_wrote_them(newest_before: Desk) -> None:
    spelt = ("2026-11-15T02:52:36.120Z", "2026-11-15 02:52:36", "2026-11-15T04:00:00.5+05:30", "0001-01-01T00:00:00Z")
    with foreign_connection(newest_before) as connection:
        rows = [(f"{number:024x}", text, "Ravi", "1") for number, text in enumerate(spelt)]
        insert_rows(newest_before, connection, "users", rows)
    migrate(newest_before.database)
    shown = {user["_id"][-1]: user["createdAt"] for user in newest_before.get(USERS).json()}
    assert shown == {
        "0": "2026-11-15T02:52:36.120Z",
        "1": "2026-11-15T02:52:36.000Z",
        "2": "2026-11-14T22:30:00.500Z",
        "3": "0001-01-01T00:00:00.000Z",
    }
    assert_tallies_are_true(newest_before.database)


def test_what_could_not_be_shown_before_is_moved_to_an_end_of_time(newest_before: Desk) -> None:
    unknown = ("some day", "") if newest_before.database.is_sqlite else ("20000-01-01", "0044-03-15 BC")
    with foreign_connection(newest_before) as connection:
        rows = [(f"{number:024x}", text, "Ravi", "1") for number, text in enumerate(unknown)]
        insert_rows(newest_before, connection, "users", rows)
    migrate(newest_before.database)
    whole = newest_before.get(USERS).json()
    assert len(whole) == len(unknown)
    assert {user["createdAt"][:4] for user in whole} <= {"0001", "9999"}
    assert walk(newest_before, USERS, {"limit": "1"}) == whole
    assert_tallies_are_true(newest_before.database)


def test_an_interrupted_upgrade_changes_nothing_and_is_done_at_the_next_start(newest_before: Desk) -> None:
    fill(newest_before, 20)
    with newest_before.database.writing() as connection:
        # In its way at the very end.
        connection.execute(text("ALTER TABLE login_buckets ADD COLUMN counted_at_ms BIGINT"))
    with pytest.raises(Exception, match="counted_at_ms"):
        migrate(newest_before.database)
    with newest_before.database.writing() as connection:
        assert current_revision(connection) == "0007"
        assert connection.execute(select(claims.c.id)).all()
        connection.execute(text("ALTER TABLE login_buckets DROP COLUMN counted_at_ms"))
    assert_tallies_are_true(newest_before.database)
    migrate(newest_before.database)
    assert len(ids(walk(newest_before, CLAIMS, {"limit": "7"}))) == 20
    assert_tallies_are_true(newest_before.database)


def test_history_of_before_is_kept_and_sealed(newest_before: Desk) -> None:
    claim_id = newest_before.add_claim(status="Accepted", version=1)
    move: dict[str, Any] = {"id": new_id(), "claim_id": claim_id, "from_status": "Pending", "to_status": "Accepted"}
    move |= {"moved_by": "asha", "moved_at": days_before(1), "number": 1, "payout_round": 0}
    newest_before.change(insert(claim_transitions).values(move))
    newest_before.change(text("INSERT INTO login_buckets (key, drained_at_ms) VALUES ('account:asha', 9000000000000)"))
    migrate(newest_before.database)
    assert [row.id for row in newest_before.rows(select(claim_transitions))] == [move["id"]]
    for change in ("UPDATE claim_transitions SET moved_by = 'nobody'", "DELETE FROM claim_transitions"):
        with pytest.raises(Exception, match="never altered"):
            newest_before.change(text(change))
    # A bucket that a wrong clock filled for centuries is at most full.
    (bucket,) = newest_before.rows(select(login_buckets))
    assert 0 < bucket.drained_at_ms - bucket.counted_at_ms <= 2 * 3600 * 1000
    assert newest_before.rows(select(audit_log))
