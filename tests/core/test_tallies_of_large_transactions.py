"""Many statements in one transaction: the totals are exact when it ends, and no statement costs more than the first."""

from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import text

from tests.contract.foreign_rows import foreign_connection, insert_rows
from tests.contract.rows import CLAIMS, USERS, fill
from tests.core.tallies import assert_searches_are_true, assert_tallies_are_true
from tests.desk import Desk

on_postgresql = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
MANY = 350


def _add_users(desk: Desk, connection: Any, numbers: range) -> None:
    """Inserts each user with a separate statement."""
    for number in numbers:
        day = f"2026-11-{number % 28 + 1:02} 03:04:05.678901"
        insert_rows(desk, connection, "users", [(f"{number:024x}", day, f"Ravi {number}", "1")])


def test_many_single_inserts_are_all_counted(desk: Desk) -> None:
    with foreign_connection(desk) as connection:
        _add_users(desk, connection, range(MANY))
    assert_tallies_are_true(desk.database)
    assert desk.get(f"{USERS}?limit=1").headers["x-total-count"] == str(MANY)


def test_many_changes_of_every_kind_are_all_counted(desk: Desk) -> None:
    fill(desk, 60)
    ids = [claim["_id"] for claim in desk.get(CLAIMS).json()]
    with foreign_connection(desk) as connection:
        cursor = connection.cursor()
        for turn in range(6):
            for place, claim_id in enumerate(ids):
                status = ("Pending", "Paid", "Rejected")[(place + turn) % 3]
                cursor.execute(f"UPDATE claims SET status = '{status}', amount_paise = {turn} WHERE id = '{claim_id}'")
        for claim_id in ids[:20]:
            cursor.execute(f"DELETE FROM claims WHERE id = '{claim_id}'")
        _add_users(desk, connection, range(30))
    assert_tallies_are_true(desk.database)
    assert_searches_are_true(desk.database)


@pytest.mark.parametrize("kept", [0, 40, 99, 100, 101, 150, 300])
def test_rows_rolled_back_to_a_savepoint_are_not_counted(desk: Desk, kept: int) -> None:
    with foreign_connection(desk) as connection:
        cursor = connection.cursor()
        _add_users(desk, connection, range(kept))
        cursor.execute("SAVEPOINT middle")
        _add_users(desk, connection, range(1000, 1000 + MANY))
        cursor.execute("ROLLBACK TO SAVEPOINT middle")
        _add_users(desk, connection, range(2000, 2130))
    assert_tallies_are_true(desk.database)
    assert desk.get(f"{USERS}?limit=1").headers["x-total-count"] == str(kept + 130)


def test_a_large_transaction_that_is_rolled_back_counts_nothing(desk: Desk) -> None:
    with suppress(ZeroDivisionError), foreign_connection(desk) as connection:
        _add_users(desk, connection, range(MANY))
        raise ZeroDivisionError
    assert_tallies_are_true(desk.database)
    assert desk.get(f"{USERS}?limit=1").headers["x-total-count"] == "0"


@on_postgresql
def test_immediate_constraints_lose_no_count(desk: Desk) -> None:
    with foreign_connection(desk) as connection:
        _add_users(desk, connection, range(150))
        connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        _add_users(desk, connection, range(1000, 1000 + MANY))
    assert_tallies_are_true(desk.database)
    with foreign_connection(desk) as connection:
        connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        _add_users(desk, connection, range(2000, 2000 + MANY))
        connection.execute("SET CONSTRAINTS ALL DEFERRED")
        _add_users(desk, connection, range(3000, 3000 + MANY))
    assert_tallies_are_true(desk.database)


@on_postgresql
def test_a_tally_is_not_updated_once_per_statement(desk: Desk) -> None:
    """PostgreSQL walks through all versions of a row that one transaction has made: n updates would cost n * n."""
    with foreign_connection(desk) as connection:
        _add_users(desk, connection, range(1000))
        updates = connection.execute(
            "SELECT n_tup_upd FROM pg_stat_xact_user_tables WHERE relname = 'user_tallies'"
        ).fetchone()[0]
    assert updates <= 2 * 101
    assert_tallies_are_true(desk.database)


@on_postgresql
def test_concurrent_large_transactions_are_counted_separately(desk: Desk) -> None:
    with foreign_connection(desk) as first:
        # They share only the days and the total; neither locks a tally row before it ends.
        with foreign_connection(desk) as second:
            _add_users(desk, second, range(200))
        _add_users(desk, first, range(1000, 1200))
    assert_tallies_are_true(desk.database)
    with desk.database.reading() as connection:
        for left in ("user_tallies_unfolded", "user_tallies_fold"):
            assert connection.execute(text(f"SELECT count(*) FROM {left}")).scalar_one() == 0
