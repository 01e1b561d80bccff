"""The tallies per day equal a recount after any change, by the desk or by another program, folded or not."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert, select, text, update

from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.ids import new_id
from countinghouse.home.folding import fold
from countinghouse.home.tables import day_changes
from countinghouse.purchases.tables import purchases
from tests.contract.foreign_rows import foreign_connection
from tests.contract.rows import fill
from tests.core.test_tallies_never_drift import CHANGES, Undone, do_something
from tests.desk import NEWEST, Desk
from tests.event_loop import run
from tests.home.recount import assert_days_are_true, fold_all


@pytest.mark.parametrize("seed", [21, 22])
def test_no_order_of_changes_makes_them_drift(desk: Desk, seed: int) -> None:
    random = Random(seed)  # noqa: S311 - the same changes every time
    fill(desk, 40, seed)
    assert_days_are_true(desk)
    for _ in range(20):
        do_something(desk, random)
        if random.random() < 0.3:
            run(desk.database.write(fold))
        assert_days_are_true(desk)
    fold_all(desk)
    assert_days_are_true(desk)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: str(change.__name__))
def test_they_follow_each_kind_of_change_and_its_rollback(desk: Desk, change: Any) -> None:
    fill(desk, 30)
    desk.add_claim_moved_to("Returned")
    fold_all(desk)
    random = Random(5)  # noqa: S311
    for is_undone in (False, True):
        with suppress(Undone), desk.database.writing() as connection:
            change(connection, random)
            if is_undone:
                raise Undone
        assert_days_are_true(desk)


def test_each_claim_counts_at_its_last_arrival_at_a_status(desk: Desk) -> None:
    claim_id = desk.add_claim()
    for by, status in (
        ("asha", "Accepted"),
        ("asha", "Pending"),
        ("ravi", "Accepted"),
        ("asha", "Paid"),
        ("asha", "Returned"),
        ("ravi", "Accepted"),
        ("asha", "Paid"),
    ):
        assert desk.move(claim_id, status, by=by, reason="Because.").status_code == 200
        assert_days_are_true(desk)
    # Corrected afterwards, by another program.
    desk.change(text("UPDATE claims SET amount_paise = 7 WHERE id = '" + claim_id + "'"))
    assert_days_are_true(desk)
    desk.change(update(claims).values(created_at=NEWEST - timedelta(days=3)))
    assert_days_are_true(desk)


def test_moves_written_in_any_order_and_together_count_once(desk: Desk) -> None:
    """As an import of another program may write them."""
    claim_id = desk.add_claim("Paid")

    def move(number: int, by: str) -> dict[str, Any]:
        at = NEWEST + timedelta(days=number)
        row = {"id": new_id(), "claim_id": claim_id, "from_status": "Pending", "to_status": "Accepted"}
        return row | {"moved_by": by, "moved_at": at, "number": number, "payout_round": 0}

    for numbers in ((4, 9), (2,), (11, 6), (7,)):
        desk.change(insert(claim_transitions).values([move(number, f"admin {number % 3}") for number in numbers]))
        assert_days_are_true(desk)


@pytest.mark.parametrize(
    "moment",
    [
        "2026-11-15T18:29:59.999999Z",
        "2026-11-15T18:30:00.000000Z",
        "2026-11-15 23:59:59.9999999+05:30",
        "2026-11-16 00:00:00+05:30",
        "0001-01-01T00:00:00Z",
    ],
)
def test_rows_of_another_program_count_on_the_day_of_the_desk(desk: Desk, moment: str) -> None:
    desk.add_claim()
    with foreign_connection(desk) as connection:
        cursor = connection.cursor()
        for table in ("claims", "purchases"):
            cursor.execute(f"UPDATE {table} SET created_at = '{moment}'")
    (row,) = desk.rows(select(purchases.c.created_at))
    if row.created_at.year > 1:
        assert_days_are_true(desk)
    fold_all(desk)


def test_a_long_transaction_of_single_rows_appends_and_never_rewrites(desk: Desk) -> None:
    user_id = desk.add_user()
    fold_all(desk)
    with foreign_connection(desk) as connection:
        cursor = connection.cursor()
        for number in range(300):
            values = f"'{number:024x}', '2026-11-{number % 28 + 1:02}T10:00:00.000000Z', '{user_id}', {number}, 1"
            cursor.execute(
                "INSERT INTO purchases (id, created_at, user_id, invest_paise, daily_income_paise, upi_id, claim_type, "
                f"qr_name) VALUES ({values}, 'x', 'Daily', 'Desk 1')"
            )
    assert len(desk.rows(select(day_changes.c.id))) == 300
    assert_days_are_true(desk)
    fold_all(desk)
    assert_days_are_true(desk)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_writers_and_folders_at_the_same_time_lose_nothing(desk: Desk) -> None:
    fill(desk, 60)
    every = sorted(row.id for row in desk.rows(select(claims.c.id)))

    def work(number: int) -> None:
        random = Random(number)  # noqa: S311
        for _ in range(10):
            if number < 2:
                run(desk.database.write(fold))
                continue
            mine = random.sample(every[number::6], 5)
            at = datetime(2026, 11, random.randrange(1, 28), 20, tzinfo=UTC)
            with desk.database.writing() as connection:
                values = {"created_at": at, "amount_paise": random.randrange(10**6)}
                connection.execute(update(claims).where(claims.c.id.in_(mine)).values(values))

    with ThreadPoolExecutor(6) as threads:
        for done in [threads.submit(work, number) for number in range(6)]:
            done.result(60)
    assert_days_are_true(desk)
    fold_all(desk)
    assert_days_are_true(desk)
