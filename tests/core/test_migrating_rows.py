"""Rows from before the lists could count and search are counted and searchable after the migration."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, inspect, select

from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.ids import new_id
from countinghouse.core.migrate import migrate, read_revision
from countinghouse.core.numbers import FIRST_NUMBER
from countinghouse.purchases.tables import purchases
from tests.contract.rows import CLAIMS, LISTS, fill, matching, walk
from tests.core.earlier_desks import desk_at
from tests.core.tallies import assert_searches_are_true, assert_tallies_are_true
from tests.desk import NEWEST, Desk, days_before
from tests.event_loop import run

OLD_STATUSES = ("Pending", "Accepted", "Paid")


@pytest.fixture
def old_desk(blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk with the database of the first release."""
    with desk_at("0001", blank_url, tmp_path, monkeypatch) as desk:
        yield desk


def test_existing_rows_are_counted_and_found(old_desk: Desk) -> None:
    assert run(old_desk.database.read(read_revision)) == "0001"
    with old_desk.database.reading() as connection:
        assert "claim_tallies" not in inspect(connection).get_table_names()
    fill(old_desk, 90, statuses=OLD_STATUSES)
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


def test_existing_rows_are_numbered_in_the_order_of_their_creation(old_desk: Desk) -> None:
    fill(old_desk, 30, statuses=OLD_STATUSES)
    migrate(old_desk.database)
    old_desk.add_claim()
    for table in (claims, purchases):
        oldest_first = select(table.c.number).order_by(table.c.created_at, table.c.id)
        numbers = [number for (number,) in old_desk.rows(oldest_first.where(table.c.created_at < NEWEST))]
        assert numbers == list(range(FIRST_NUMBER, FIRST_NUMBER + len(numbers)))
        every = sorted(number for (number,) in old_desk.rows(select(table.c.number)))
        assert every == list(range(FIRST_NUMBER, FIRST_NUMBER + len(every)))
        assert len(every) > 10


def test_rows_from_before_and_after_the_migration_are_counted_together(old_desk: Desk) -> None:
    fill(old_desk, 20, statuses=OLD_STATUSES)
    migrate(old_desk.database)
    claim_id = old_desk.get(f"{CLAIMS}?status=Pending").json()[0]["_id"]
    assert old_desk.move(claim_id, "Accepted").status_code == 200
    old_desk.add_claim()
    assert_tallies_are_true(old_desk.database)
    assert_searches_are_true(old_desk.database)


def test_an_empty_desk_has_zero_totals_after_the_migration(old_desk: Desk) -> None:
    migrate(old_desk.database)
    assert_tallies_are_true(old_desk.database)
    assert old_desk.get("/api/claims/totals").json()["count"] == 0
    old_desk.add_claim()
    assert_tallies_are_true(old_desk.database)


def test_existing_moves_are_numbered_and_new_moves_continue_the_numbering(old_desk: Desk) -> None:
    at = days_before(9)
    moves_by_status = {"Pending": (), "Accepted": ("Accepted",), "Paid": ("Accepted", "Paid")}
    for status, targets in moves_by_status.items():
        claim_id = old_desk.add_claim(status=status)
        for place, target in enumerate(targets):
            row: dict[str, Any] = {"id": new_id(), "claim_id": claim_id, "to_status": target}
            row["from_status"] = ["Pending", *targets][place]
            row |= {"moved_by": "asha", "moved_at": at + timedelta(hours=place)}
            old_desk.change(insert(claim_transitions).values(row))
    migrate(old_desk.database)
    rows = old_desk.rows(select(claims).order_by(claims.c.version))
    assert [(row.status, row.version, row.payout_round) for row in rows] == [
        ("Pending", 0, 0),
        ("Accepted", 1, 0),
        ("Paid", 2, 0),
    ]
    assert [row.moved_at for row in rows] == [None, at, at + timedelta(hours=1)]
    moves = old_desk.rows(select(claim_transitions).order_by(claim_transitions.c.claim_id, claim_transitions.c.number))
    assert [(move.number, move.to_status) for move in moves] == [(1, "Accepted"), (1, "Accepted"), (2, "Paid")]
    assert {(move.payout_round, move.reason) for move in moves} == {(0, None)}
    pending, accepted, paid = (str(row.id) for row in rows)
    assert old_desk.move(pending, "Accepted").json()["version"] == 1
    assert old_desk.move(accepted, "Paid", version=1).json()["version"] == 2
    assert old_desk.move(paid, "Returned", version=2, reason="Account closed.").json()["version"] == 3
    assert old_desk.move(paid, "Accepted").json()["version"] == 4
