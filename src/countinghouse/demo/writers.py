"""Bulk inserts inside the current transaction."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import ARRAY, Table, Text, bindparam, func, insert, select, text

from countinghouse.core.db import Transaction

# Only text and integers, which both engines take without conversion; times and JSON are passed as text.
Cells = Mapping[str, str | int | None]


async def insert_rows(transaction: Transaction, table: Table, rows: Sequence[Cells]) -> None:
    """All rows must have the same columns. PostgreSQL gets one array per column, so that triggers run only once."""
    if not rows:
        return
    columns = list(rows[0])
    if transaction.is_sqlite:
        each = insert(table).inline().values({name: bindparam(name, type_=Text) for name in columns})
        await transaction.execute(each, rows)
    else:
        arrays = [bindparam(name, type_=ARRAY(table.c[name].type)) for name in columns]
        every = select(*func.unnest(*arrays).table_valued(*columns).render_derived().c)
        values = {name: [row[name] for row in rows] for name in columns}
        await transaction.execute(insert(table).inline().from_select(columns, every), values)


@asynccontextmanager
async def roomy(transaction: Transaction) -> AsyncIterator[None]:
    """64 MB of page cache for SQLite instead of 2: unordered index inserts would otherwise go to disk and back."""
    if not transaction.is_sqlite:
        yield
        return
    usual = await transaction.scalar(text("PRAGMA cache_size"))
    await transaction.command("PRAGMA cache_size = -65536")
    try:
        yield
    finally:
        await transaction.command(f"PRAGMA cache_size = {usual}")
