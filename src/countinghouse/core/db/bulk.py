"""Bulk inserts inside the current transaction."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec
from sqlalchemy import JSON, Table, Text, bindparam, cast, column, func, null, select
from sqlalchemy.dialects.postgresql import insert as insert_on_postgres
from sqlalchemy.sql.expression import insert

from countinghouse.core.db.reader import Transaction
from countinghouse.core.db.statement import Plan, Statement

# Only text and integers, which both engines take without conversion; times and JSON are passed as text.
Cells = Mapping[str, str | int | None]


async def insert_rows(transaction: Transaction, table: Table, rows: Sequence[Cells]) -> None:
    """All rows must have the same columns. PostgreSQL gets them as one value, so that triggers run only once."""
    if not rows:
        return
    if transaction.is_sqlite:
        await transaction.execute(_each_on_sqlite(table, tuple(rows[0])), rows)
    else:
        await transaction.execute(_every_on_postgres(table, tuple(rows[0]), False), _as_json(rows))


async def insert_new_rows(transaction: Transaction, table: Table, rows: Sequence[Cells]) -> dict[str, int | None]:
    """Leaves out rows that another transaction has inserted since the caller looked. Returns the ids of the others, and
    the number that the database gave each, if it says so.

    On SQLite nobody else writes meanwhile. The rows must be sorted by their unique key, whatever the caller's order is:
    two transactions that insert the same rows in different orders would wait for each other.
    """
    if not rows:
        return {}
    if transaction.is_sqlite:
        await insert_rows(transaction, table, rows)
        return {str(row["id"]): None for row in rows}
    return dict(await transaction.all(_every_on_postgres(table, tuple(rows[0]), True), _as_json(rows)))


def _as_json(rows: Sequence[Cells]) -> dict[str, str]:
    # Binding one text takes a tenth of the time that binding an array for each column takes.
    return {"rows": msgspec.json.encode(rows).decode()}


@lru_cache(100)
def _each_on_sqlite(table: Table, columns: tuple[str, ...]) -> Statement:
    return Statement(insert(table).inline().values({name: bindparam(name, type_=Text) for name in columns}))


@lru_cache(100)
def _every_on_postgres(table: Table, columns: tuple[str, ...], skips_taken: bool) -> Statement:
    # A JSON column comes as text: in the record it would be the JSON of that text.
    texts = {name for name in columns if isinstance(table.c[name].type, JSON)}
    typed = (column(name, Text() if name in texts else table.c[name].type) for name in columns)
    rows = func.json_to_recordset(cast(bindparam("rows", type_=Text), JSON)).table_valued(*typed)
    found = rows.render_derived(with_types=True)
    every = select(*(cast(found.c[name], JSON) if name in texts else found.c[name] for name in columns))
    inserted = insert_on_postgres(table).inline().from_select(list(columns), every)
    given = table.c.number if "number" in table.c else null()
    return Statement(
        inserted.on_conflict_do_nothing().returning(table.c.id, given) if skips_taken else inserted, Plan.BY_VALUE
    )
