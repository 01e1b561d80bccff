"""The running totals equal a recount after any change to the rows, through the API or directly in the database."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, delete, func, insert, select, text, update

from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.ids import new_id
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users
from tests.contract.rows import STATUSES, fill, some_moment
from tests.core.tallies import assert_searches_are_true, assert_tallies_are_true
from tests.desk import NEWEST, Desk


class Undone(Exception):
    pass


def some_claims(connection: Connection, random: Random, at_most: int, *, unmoved: bool = False) -> list[str]:
    """A claim that was moved is referenced by its history: it can be neither deleted nor given another id."""
    chosen = select(claims.c.id)
    if unmoved:
        chosen = chosen.where(claims.c.id.not_in(select(claim_transitions.c.claim_id)))
    every = sorted(connection.execute(chosen).scalars())
    return random.sample(every, min(len(every), random.randrange(1, at_most)))


def new_claim(connection: Connection, random: Random) -> dict[str, Any]:
    bought = connection.execute(select(purchases.c.id, purchases.c.user_id).order_by(purchases.c.id)).all()
    purchase_id, user_id = random.choice(bought)
    return {
        "id": new_id(),
        "created_at": some_moment(random),
        "user_id": user_id,
        "purchase_id": purchase_id,
        "amount_paise": random.randrange(1_000_000),
        "account_no": f"{random.randrange(10**9):010}",
        "ifsc": "HDFC0001234",
        "address": "x",
        "status": random.choice(STATUSES),
    }


def insert_one(connection: Connection, random: Random) -> None:
    connection.execute(insert(claims).values(new_claim(connection, random)))


def insert_many_at_once(connection: Connection, random: Random) -> None:
    connection.execute(insert(claims).values([new_claim(connection, random) for _ in range(random.randrange(2, 9))]))


def change_amounts(connection: Connection, random: Random) -> None:
    chosen = claims.c.id.in_(some_claims(connection, random, 8))
    connection.execute(update(claims).where(chosen).values(amount_paise=claims.c.amount_paise // 2 + 7))


def change_statuses(connection: Connection, random: Random) -> None:
    chosen = claims.c.id.in_(some_claims(connection, random, 8))
    connection.execute(update(claims).where(chosen).values(status=random.choice(STATUSES)))


def change_days(connection: Connection, random: Random) -> None:
    chosen = claims.c.id.in_(some_claims(connection, random, 8))
    connection.execute(update(claims).where(chosen).values(created_at=some_moment(random)))


def change_everything(connection: Connection, random: Random) -> None:
    # The bank details of a paid claim never change; a trigger refuses it.
    chosen = claims.c.id.in_(some_claims(connection, random, 8)) & (claims.c.status != "Paid")
    values = {"created_at": some_moment(random), "status": random.choice(STATUSES), "amount_paise": 5, "ifsc": "SBIN0"}
    connection.execute(update(claims).where(chosen).values(values))


def change_words(connection: Connection, random: Random) -> None:
    chosen = claims.c.id.in_(some_claims(connection, random, 8)) & (claims.c.status != "Paid")
    connection.execute(update(claims).where(chosen).values(account_no=f"{random.randrange(10**9)}"))
    connection.execute(update(users).where(users.c.mobile.like("%7%")).values(username=f"N{random.randrange(99)}"))
    connection.execute(update(purchases).values(upi_id=f"T{random.randrange(99)}"))


def change_ids(connection: Connection, random: Random) -> None:
    for claim_id in some_claims(connection, random, 3, unmoved=True):
        connection.execute(update(claims).where(claims.c.id == claim_id).values(id=new_id()))


def change_nothing(connection: Connection, random: Random) -> None:
    connection.execute(update(claims).where(claims.c.id == "none").values(amount_paise=1))
    chosen = claims.c.id.in_(some_claims(connection, random, 8))
    connection.execute(update(claims).where(chosen).values(amount_paise=claims.c.amount_paise, status=claims.c.status))
    connection.execute(delete(claims).where(claims.c.id == "none"))


def remove_some(connection: Connection, random: Random) -> None:
    connection.execute(delete(claims).where(claims.c.id.in_(some_claims(connection, random, 6, unmoved=True))))


def change_purchases(connection: Connection, random: Random) -> None:
    later = {"created_at": some_moment(random), "invest_paise": random.randrange(10**6), "daily_income_paise": 3}
    kind = random.choice(("Daily", "Weekly", "Monthly"))
    connection.execute(update(purchases).where(purchases.c.claim_type == kind).values(later))


def add_users(connection: Connection, random: Random) -> None:
    rows = [{"id": new_id(), "created_at": some_moment(random), "username": "N", "mobile": "1"} for _ in range(5)]
    connection.execute(insert(users), rows)
    connection.execute(delete(users).where(users.c.id.in_([rows[0]["id"], rows[3]["id"]])))


CHANGES = (
    insert_one,
    insert_many_at_once,
    change_amounts,
    change_statuses,
    change_days,
    change_everything,
    change_words,
    change_ids,
    change_nothing,
    remove_some,
    change_purchases,
    add_users,
)


def do_something(desk: Desk, random: Random) -> None:
    if random.random() < 0.2:
        waiting = desk.rows(select(claims.c.id).where(claims.c.status == "Pending").order_by(claims.c.id).limit(1))
        for row in waiting:
            assert desk.move(row.id, "Accepted").status_code in (200, 409)
        return
    is_rolled_back = random.random() < 0.3
    with suppress(Undone), desk.database.writing() as connection:
        for change in random.choices(CHANGES, k=random.randrange(1, 4)):
            change(connection, random)
        if is_rolled_back:
            raise Undone


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_no_order_of_changes_makes_the_totals_drift(desk: Desk, seed: int) -> None:
    random = Random(seed)  # noqa: S311 - the same changes every time
    fill(desk, 40, seed)
    for _ in range(25):
        do_something(desk, random)
        assert_tallies_are_true(desk.database)
    assert_searches_are_true(desk.database)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: str(change.__name__))
def test_totals_follow_each_kind_of_change_and_its_rollback(desk: Desk, change: Any) -> None:
    fill(desk, 30)
    random = Random(5)  # noqa: S311
    with desk.database.writing() as connection:
        change(connection, random)
    assert_tallies_are_true(desk.database)
    assert_searches_are_true(desk.database)
    with suppress(Undone), desk.database.writing() as connection:
        change(connection, random)
        raise Undone
    assert_tallies_are_true(desk.database)
    assert_searches_are_true(desk.database)


def test_a_statement_that_fails_midway_does_not_change_the_totals(desk: Desk) -> None:
    fill(desk, 30)
    with pytest.raises(Exception, match="amount_is_exact"):
        desk.change(update(claims).values(amount_paise=claims.c.amount_paise - 60_000))
    assert_tallies_are_true(desk.database)


def test_deleting_every_row_leaves_zero_totals(desk: Desk) -> None:
    fill(desk, 30)
    for rows in (claims, purchases, users):
        desk.change(delete(rows))
    assert_tallies_are_true(desk.database)
    assert_searches_are_true(desk.database)
    assert desk.get("/api/claims/totals").json()["count"] == 0
    assert desk.get("/api/claims/all?limit=5").headers["x-total-count"] == "0"


def test_days_are_in_utc_whatever_the_session_time_zone(desk: Desk) -> None:
    late = NEWEST.replace(hour=23, minute=59)
    with desk.database.writing() as connection:
        if not desk.database.is_sqlite:
            connection.execute(text("SET LOCAL timezone = 'Asia/Kolkata'"))
        connection.execute(
            insert(users).values(id=new_id(), created_at=late + timedelta(seconds=59), username="x", mobile="1")
        )
    assert_tallies_are_true(desk.database)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_concurrent_writers_lose_no_count_and_never_deadlock(desk: Desk) -> None:
    fill(desk, 60)
    every = sorted(row.id for row in desk.rows(select(claims.c.id)))

    def work(number: int) -> None:
        random = Random(number)  # noqa: S311
        for step in range(12):
            # Each thread changes its own claims in one statement: the rows differ, but the tallies are the same.
            mine = random.sample(every[number::6], 5)
            with desk.database.writing() as connection:
                if step % 4 == 3:
                    insert_many_at_once(connection, random)
                else:
                    values = {
                        "status": random.choice(STATUSES),
                        "created_at": some_moment(random),
                        "amount_paise": random.randrange(10**6),
                    }
                    connection.execute(update(claims).where(claims.c.id.in_(mine)).values(values))

    with ThreadPoolExecutor(6) as threads:
        for done in [threads.submit(work, number) for number in range(6)]:
            done.result(60)
    assert desk.rows(select(func.count()).select_from(claims))[0][0] > 60
    assert_tallies_are_true(desk.database)
