"""When SQLite rolls a transaction back by itself, nothing after that is stored on its own."""

import pytest
from sqlalchemy import func, insert, select, text

from countinghouse.core.db import AlreadyThere, Transaction, TransactionEnded
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.users.tables import users
from tests.direct_database import DirectDatabase
from tests.event_loop import run

# Rolls the whole transaction back, as a full disk does.
_CONFLICT = text(
    "INSERT OR ROLLBACK INTO users (id, created_at, username, mobile)"
    " SELECT id, created_at, username, mobile FROM users"
)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_later_statements_are_refused_and_nothing_is_stored(database: DirectDatabase) -> None:
    row = {"created_at": now(), "username": "Ananya Iyer", "mobile": "0980575609"}
    refused: list[str] = []

    async def go_on_after_the_end(transaction: Transaction) -> None:
        await transaction.execute(insert(users).values(id=new_id(), **row))
        with pytest.raises((AlreadyThere, TransactionEnded)):
            async with transaction.savepoint():
                await transaction.execute(_CONFLICT)
        with pytest.raises(TransactionEnded):
            await transaction.execute(insert(users).values(id=new_id(), **row))
        with pytest.raises(TransactionEnded):
            await transaction.scalar(select(func.count()).select_from(users))
        refused.append("both")
        raise TransactionEnded

    with pytest.raises(TransactionEnded):
        run(database.write(go_on_after_the_end))
    assert refused == ["both"]
    assert run(database.read(lambda reader: reader.scalar(select(func.count()).select_from(users)))) == 0
