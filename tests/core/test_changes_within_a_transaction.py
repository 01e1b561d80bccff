"""A guarded change inside a transaction is stored with it, and a refused change leaves the rest of it intact."""

import sqlite3
from typing import Any

import psycopg
import pytest
from sqlalchemy import insert, select, update

from countinghouse.audit.actions import Actor
from countinghouse.claims.actions import MoveRequest, move_claim
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.db import AlreadyThere, Transaction
from countinghouse.core.errors import Conflict
from countinghouse.users.tables import users
from tests.desk import NEWEST, Desk
from tests.event_loop import run

ASHA = Actor("asha", "203.0.113.9")


class Undone(Exception):
    pass


def statuses(desk: Desk) -> list[str]:
    return sorted(row.status for row in desk.rows(select(claims.c.status)))


def test_all_moves_are_stored_when_the_transaction_commits(desk: Desk) -> None:
    ids = [desk.add_claim() for _ in range(3)]

    async def move_all(transaction: Transaction) -> None:
        for claim_id in ids:
            moved = await move_claim(transaction, ASHA, claim_id, MoveRequest("Accepted", batch_id="b" * 24))
            assert (moved.claim["status"], moved.claim["version"]) == ("Accepted", 1)

    run(desk.database.write(move_all))
    assert statuses(desk) == ["Accepted"] * 3
    assert [row.after["batch"] for row in desk.audit("claim.moved")] == ["b" * 24] * 3


def test_nothing_is_stored_when_the_transaction_is_rolled_back(desk: Desk) -> None:
    claim_id = desk.add_claim()

    async def move_and_fail(transaction: Transaction) -> None:
        await move_claim(transaction, ASHA, claim_id, MoveRequest("Accepted"))
        raise Undone

    with pytest.raises(Undone):
        run(desk.database.write(move_and_fail))
    assert statuses(desk) == ["Pending"]
    assert desk.rows(select(claim_transitions)) == []
    assert desk.audit("claim.moved") == []


def test_a_refused_move_does_not_affect_the_others_in_the_transaction(desk: Desk) -> None:
    first, second, third = (desk.add_claim_moved_to("Accepted") for _ in range(3))
    paid = desk.add_claim_moved_to("Paid")
    desk.change(update(claims).where(claims.c.id == paid).values(status="Accepted"))

    async def move_all(transaction: Transaction) -> None:
        await move_claim(transaction, ASHA, first, MoveRequest("Paid", reference="N319260012345678"))
        # Both break a unique constraint, which on PostgreSQL would abort the transaction without a savepoint.
        for claim_id, reference in ((second, "N319260012345678"), (paid, None)):
            with pytest.raises(Conflict):
                await move_claim(transaction, ASHA, claim_id, MoveRequest("Paid", reference=reference))
        await move_claim(transaction, ASHA, third, MoveRequest("Paid"))

    run(desk.database.write(move_all))
    assert statuses(desk) == ["Accepted", "Accepted", "Paid", "Paid"]


def new_user(name: str, number: int) -> dict[str, object]:
    return {"id": f"{number:024x}", "created_at": NEWEST, "username": name, "mobile": "0980575609"}


def names(desk: Desk) -> list[str]:
    return sorted(row.username for row in desk.rows(select(users.c.username)))


@pytest.mark.parametrize("failing", ["a row that exists", "an exception"])
def test_a_savepoint_that_fails_leaves_the_rest_of_the_transaction(desk: Desk, failing: str) -> None:
    async def fail(transaction: Transaction) -> None:
        async with transaction.savepoint():
            await transaction.execute(insert(users).values(new_user("Inside", 2)))
            async with transaction.savepoint():
                await transaction.execute(insert(users).values(new_user("Nested", 3)))
            if failing == "an exception":
                raise Undone
            await transaction.execute(insert(users).values(new_user("Again", 1)))

    async def work(transaction: Transaction) -> None:
        await transaction.execute(insert(users).values(new_user("Before", 1)))
        with pytest.raises((AlreadyThere, Undone)):
            await fail(transaction)
        await transaction.execute(insert(users).values(new_user("After", 4)))

    run(desk.database.write(work))
    assert names(desk) == ["After", "Before"]


async def add_and_fail(transaction: Transaction) -> None:
    async with transaction.savepoint():
        await transaction.execute(insert(users).values(new_user("Nested", 2)))
        raise Undone


def test_a_savepoint_that_succeeds_is_stored_with_its_transaction(desk: Desk) -> None:
    async def work(transaction: Transaction) -> None:
        async with transaction.savepoint():
            await transaction.execute(insert(users).values(new_user("Inside", 1)))
            # A block that fails does not end the block around it.
            with pytest.raises(Undone):
                await add_and_fail(transaction)
            await transaction.execute(insert(users).values(new_user("Still inside", 3)))

    run(desk.database.write(work))
    assert names(desk) == ["Inside", "Still inside"]


def test_a_row_that_exists_is_reported_as_such_and_other_broken_constraints_are_not(desk: Desk) -> None:
    desk.change(insert(users).values(new_user("First", 1)))

    def add(new: Any) -> int:
        return run(desk.database.write(lambda transaction: transaction.execute(insert(users), new)))

    for taken in (new_user("Second", 1), [new_user("Third", 3), new_user("Fourth", 1)]):
        with pytest.raises(AlreadyThere):
            add(taken)
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError)):
        add({**new_user("", 2), "username": None})
    assert names(desk) == ["First"]


def test_the_number_of_changed_rows_is_returned(desk: Desk) -> None:
    rows = [new_user(f"User {number}", number) for number in range(3)]

    async def work(transaction: Transaction) -> list[int]:
        renamed = update(users).values(username="Renamed")
        return [
            await transaction.execute(insert(users), []),
            await transaction.execute(insert(users), rows),
            await transaction.execute(renamed.where(users.c.username.in_(["User 0", "User 2"]))),
            await transaction.execute(renamed.where(users.c.username == "Nobody")),
        ]

    assert run(desk.database.write(work)) == [0, 3, 2, 0]
