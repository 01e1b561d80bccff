"""Bulk inserts inside the current transaction."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from sqlalchemy import ARRAY, Table, Text, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert as insert_on_postgres
from sqlalchemy.sql.expression import insert

from countinghouse.core.db.reader import Transaction
from countinghouse.core.db.statement import Plan, Statement

# Only text and integers, which both engines take without conversion; times and JSON are passed as text.
Cells = Mapping[str, str | int | None]


async def insert_rows(transaction: Transaction, table: Table, rows: Sequence[Cells]) -> None:
    """All rows must have the same columns. PostgreSQL gets one array per column, so that triggers run only once."""
    if not rows:
        return
    if transaction.is_sqlite:
        await transaction.execute(_each_on_sqlite(table, tuple(rows[0])), rows)
    else:
        await transaction.execute(_every_on_postgres(table, tuple(rows[0]), False), _arrays(rows))


async def insert_new_rows(transaction: Transaction, table: Table, rows: Sequence[Cells]) -> set[str]:
    """Leaves out rows that another transaction has inserted since the caller looked; returns the ids of the others.

    On SQLite nobody else writes meanwhile. The rows must be sorted by their unique key, whatever the caller's order is:
    two transactions that insert the same rows in different orders would wait for each other.
    """
    if not rows:
        return set()
    if transaction.is_sqlite:
        await insert_rows(transaction, table, rows)
        return {str(row["id"]) for row in rows}
    return set(await transaction.scalars(_every_on_postgres(table, tuple(rows[0]), True), _arrays(rows)))


def _arrays(rows: Sequence[Cells]) -> dict[str, list[str | int | None]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


@lru_cache(100)
def _each_on_sqlite(table: Table, columns: tuple[str, ...]) -> Statement:
    return Statement(insert(table).inline().values({name: bindparam(name, type_=Text) for name in columns}))


@lru_cache(100)
def _every_on_postgres(table: Table, columns: tuple[str, ...], skips_taken: bool) -> Statement:
    arrays = [bindparam(name, type_=ARRAY(table.c[name].type)) for name in columns]
    every = select(*func.unnest(*arrays).table_valued(*columns).render_derived().c)
    inserted = insert_on_postgres(table).inline().from_select(list(columns), every)
    return Statement(
        inserted.on_conflict_do_nothing().returning(table.c.id) if skips_taken else inserted, Plan.BY_VALUE
    )
