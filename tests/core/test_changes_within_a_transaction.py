"""A guarded change inside a transaction is stored with it, and a refused change leaves the rest of it intact."""

import pytest
from sqlalchemy import select, update

from countinghouse.audit.actions import Actor
from countinghouse.claims.actions import MoveRequest, move_claim
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.errors import Conflict
from countinghouse.core.quick import ConnectionChange
from tests.desk import Desk

ASHA = Actor("asha", "203.0.113.9")


class Undone(Exception):
    pass


def statuses(desk: Desk) -> list[str]:
    return sorted(row.status for row in desk.rows(select(claims.c.status)))


def test_all_moves_are_stored_when_the_transaction_commits(desk: Desk) -> None:
    ids = [desk.add_claim() for _ in range(3)]
    with desk.database.writing() as connection:
        for claim_id in ids:
            moved = move_claim(ConnectionChange(connection), ASHA, claim_id, MoveRequest("Accepted", batch_id="b" * 24))
            assert (moved.claim["status"], moved.claim["version"]) == ("Accepted", 1)
    assert statuses(desk) == ["Accepted"] * 3
    assert [row.after["batch"] for row in desk.audit("claim.moved")] == ["b" * 24] * 3


def test_nothing_is_stored_when_the_transaction_is_rolled_back(desk: Desk) -> None:
    claim_id = desk.add_claim()

    def move_and_fail() -> None:
        with desk.database.writing() as connection:
            move_claim(ConnectionChange(connection), ASHA, claim_id, MoveRequest("Accepted"))
            raise Undone

    with pytest.raises(Undone):
        move_and_fail()
    assert statuses(desk) == ["Pending"]
    assert desk.rows(select(claim_transitions)) == []
    assert desk.audit("claim.moved") == []


def test_a_refused_move_does_not_affect_the_others_in_the_transaction(desk: Desk) -> None:
    first, second, third = (desk.add_claim_moved_to("Accepted") for _ in range(3))
    paid = desk.add_claim_moved_to("Paid")
    desk.change(update(claims).where(claims.c.id == paid).values(status="Accepted"))
    with desk.database.writing() as connection:
        change = ConnectionChange(connection)
        move_claim(change, ASHA, first, MoveRequest("Paid", reference="N319260012345678"))
        # Both break a unique constraint, which on PostgreSQL would abort the transaction without a savepoint.
        for claim_id, reference in ((second, "N319260012345678"), (paid, None)):
            with pytest.raises(Conflict):
                move_claim(change, ASHA, claim_id, MoveRequest("Paid", reference=reference))
        move_claim(change, ASHA, third, MoveRequest("Paid"))
    assert statuses(desk) == ["Accepted", "Accepted", "Paid", "Paid"]
