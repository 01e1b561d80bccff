"""Prepared statements on PostgreSQL: prepared once, bounded in number, and a failure leaves none behind."""

import psycopg
import pytest
from sqlalchemy import literal_column, select, text

from countinghouse.core.db import Plan, Reader, Statement, Transaction, connection
from tests.direct_database import DirectDatabase
from tests.event_loop import run

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)

COUNT = text("SELECT count(*) FROM pg_prepared_statements")


def numbered(number: int) -> Statement:
    return Statement(select(literal_column(str(number))))


def test_a_statement_is_prepared_once(database: DirectDatabase) -> None:
    async def work(reader: Reader) -> int:
        for _ in range(3):
            await reader.scalar(numbered(1))
        prepared: int = await reader.scalar(COUNT)
        return prepared

    assert run(database.read(work)) == 1


def test_a_statement_that_is_planned_for_its_values_is_not_prepared(database: DirectDatabase) -> None:
    async def work(reader: Reader) -> int:
        await reader.scalar(Statement(select(literal_column("1")), Plan.BY_VALUE))
        prepared: int = await reader.scalar(COUNT)
        return prepared

    assert run(database.read(work)) == 0


def test_a_connection_keeps_a_bounded_number_of_prepared_statements(
    database: DirectDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MOST_PREPARED", 5)

    async def work(reader: Reader) -> tuple[list[int], int]:
        answers = [await reader.scalar(numbered(number)) for number in [*range(12), *range(12)]]
        return answers, await reader.scalar(COUNT)

    answers, prepared = run(database.read(work))
    assert answers == [*range(12), *range(12)]
    assert 0 < prepared <= 5


def test_a_statement_that_cannot_be_prepared_fails_the_same_way_again(database: DirectDatabase) -> None:
    wrong = Statement(select(literal_column("no_such_column")))

    async def work(reader: Reader) -> int:
        for _ in range(2):
            with pytest.raises(psycopg.errors.UndefinedColumn, match="no_such_column"):
                await reader.scalar(wrong)
        answer: int = await reader.scalar(numbered(7))
        return answer

    assert run(database.read(work)) == 7


def test_the_same_statement_takes_values_of_other_sizes(database: DirectDatabase) -> None:
    """The driver sends a small number as another type than a large one."""
    echo = Statement(text("SELECT CAST(:value AS bigint)"))

    async def work(transaction: Transaction) -> list[int]:
        return [await transaction.scalar(echo, {"value": value}) for value in (1, 70_000, 2**40, 2)]

    assert run(database.write(work)) == [1, 70_000, 2**40, 2]
