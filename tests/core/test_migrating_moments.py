"""Migration 0008, which makes times exact, keeps every existing row and can be interrupted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from countinghouse.admins.tables import login_buckets
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.ids import new_id
from countinghouse.core.migrate import migrate, read_revision
from tests.contract.foreign_rows import foreign_connection, insert_rows
from tests.contract.rows import CLAIMS, USERS, fill, ids, walk
from tests.core.earlier_desks import desk_at
from tests.core.tallies import assert_tallies_are_true
from tests.desk import Desk, days_before
from tests.event_loop import run


@pytest.fixture
def desk_at_0007(blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    with desk_at("0007", blank_url, tmp_path, monkeypatch) as desk:
        yield desk


def test_existing_times_keep_their_value_in_every_format(desk_at_0007: Desk) -> None:
    time_texts = (
        "2026-11-15T02:52:36.120Z",
        "2026-11-15 02:52:36",
        "2026-11-15T04:00:00.5+05:30",
        "0001-01-01T00:00:00Z",
    )
    with foreign_connection(desk_at_0007) as connection:
        rows = [(f"{number:024x}", text, "Ravi", "1") for number, text in enumerate(time_texts)]
        insert_rows(desk_at_0007, connection, "users", rows)
    migrate(desk_at_0007.database)
    shown = {user["_id"][-1]: user["createdAt"] for user in desk_at_0007.get(USERS).json()}
    assert shown == {
        "0": "2026-11-15T02:52:36.120Z",
        "1": "2026-11-15T02:52:36.000Z",
        "2": "2026-11-14T22:30:00.500Z",
        "3": "0001-01-01T00:00:00.000Z",
    }
    assert_tallies_are_true(desk_at_0007.database)


def test_times_that_could_not_be_shown_are_moved_to_the_first_or_last_year(desk_at_0007: Desk) -> None:
    unknown = ("some day", "") if desk_at_0007.database.is_sqlite else ("20000-01-01", "0044-03-15 BC")
    with foreign_connection(desk_at_0007) as connection:
        rows = [(f"{number:024x}", text, "Ravi", "1") for number, text in enumerate(unknown)]
        insert_rows(desk_at_0007, connection, "users", rows)
    migrate(desk_at_0007.database)
    whole = desk_at_0007.get(USERS).json()
    assert len(whole) == len(unknown)
    assert {user["createdAt"][:4] for user in whole} <= {"0001", "9999"}
    assert walk(desk_at_0007, USERS, {"limit": "1"}) == whole
    assert_tallies_are_true(desk_at_0007.database)


def test_an_interrupted_upgrade_changes_nothing_and_completes_at_the_next_start(desk_at_0007: Desk) -> None:
    fill(desk_at_0007, 20)
    with desk_at_0007.database.writing() as connection:
        # Makes the migration fail at its very end.
        connection.execute(text("ALTER TABLE login_buckets ADD COLUMN counted_at_ms BIGINT"))
    with pytest.raises(Exception, match="counted_at_ms"):
        migrate(desk_at_0007.database)
    assert run(desk_at_0007.database.read(read_revision)) == "0007"
    with desk_at_0007.database.writing() as connection:
        assert connection.execute(select(claims.c.id)).all()
        connection.execute(text("ALTER TABLE login_buckets DROP COLUMN counted_at_ms"))
    assert_tallies_are_true(desk_at_0007.database)
    migrate(desk_at_0007.database)
    assert len(ids(walk(desk_at_0007, CLAIMS, {"limit": "7"}))) == 20
    assert_tallies_are_true(desk_at_0007.database)


def test_existing_history_is_kept_and_becomes_immutable(desk_at_0007: Desk) -> None:
    claim_id = desk_at_0007.add_claim(status="Accepted", version=1)
    move: dict[str, Any] = {"id": new_id(), "claim_id": claim_id, "from_status": "Pending", "to_status": "Accepted"}
    move |= {"moved_by": "asha", "moved_at": days_before(1), "number": 1, "payout_round": 0}
    desk_at_0007.change(insert(claim_transitions).values(move))
    desk_at_0007.change(text("INSERT INTO login_buckets (key, drained_at_ms) VALUES ('account:asha', 9000000000000)"))
    migrate(desk_at_0007.database)
    assert [row.id for row in desk_at_0007.rows(select(claim_transitions))] == [move["id"]]
    for change in ("UPDATE claim_transitions SET moved_by = 'nobody'", "DELETE FROM claim_transitions"):
        with pytest.raises(Exception, match="never altered"):
            desk_at_0007.change(text(change))
    # A bucket that a wrong clock filled for centuries ahead is at most full after the migration.
    (bucket,) = desk_at_0007.rows(select(login_buckets))
    assert 0 < bucket.drained_at_ms - bucket.counted_at_ms <= 2 * 3600 * 1000
    assert desk_at_0007.rows(select(audit_log))
