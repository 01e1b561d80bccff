"""Stores one text for each of many waiting rows of a batch, by claim."""

import json
from collections.abc import Mapping
from typing import Any, Literal, get_args

from sqlalchemy import BindParameter, ColumnElement, String, Update, bindparam, cast, func, select, update
from sqlalchemy.dialects.postgresql import JSONB

from countinghouse.batches.queries import REMOVED, SKIPPED
from countinghouse.batches.tables import batch_rows
from countinghouse.core.db import Transaction
from countinghouse.core.times import now

# Why a row is skipped, and that it was removed, are outcomes: the row then waits no longer.
TextOf = Literal["reference", "seen", "why", "removed"]


async def set_texts(transaction: Transaction, batch_id: str, column: TextOf, texts: Mapping[str, str]) -> None:
    values = {"of_batch": batch_id, "texts": json.dumps(texts), "at": now()}
    await transaction.execute(_CHANGES[column, transaction.is_sqlite], values)


def _change_named(column: TextOf, *, is_sqlite: bool) -> Update:
    """Rows by a JSON object that maps claim ids to texts: one value, because binding thousands takes long."""
    of_row, source = _by_join() if is_sqlite else _by_lookup()
    changes: dict[TextOf, dict[str, Any]] = {
        "reference": {"reference": of_row},
        "seen": {"seen": of_row},
        "why": {"outcome": SKIPPED, "why": of_row, "ended_at": bindparam("at")},
        "removed": {"outcome": REMOVED, "ended_at": bindparam("at")},
    }
    waiting = batch_rows.c.batch_id == bindparam("of_batch"), batch_rows.c.outcome.is_(None)
    return update(batch_rows).where(*waiting, source).values(changes[column])


_TEXTS: BindParameter[str] = bindparam("texts", type_=String)


def _by_join() -> tuple[ColumnElement[str], ColumnElement[bool]]:
    each = func.json_each(_TEXTS).table_valued("key", "value")
    # Read once: SQLite would read the whole object again for each row.
    named = select(each.c.key, each.c.value).cte("named").prefix_with("MATERIALIZED")
    return named.c.value, batch_rows.c.claim_id == named.c.key


def _by_lookup() -> tuple[ColumnElement[str], ColumnElement[bool]]:
    """PostgreSQL knows neither how many rows a new batch has nor how many names an object has, and would compare each
    row with each name: a hundred million times. A subquery is read once, and finds a name in it by halves."""
    of_row = select(cast(_TEXTS, JSONB)).scalar_subquery().op("->>", return_type=String())(batch_rows.c.claim_id)
    return of_row, of_row.is_not(None)


_CHANGES = {
    (column, is_sqlite): _change_named(column, is_sqlite=is_sqlite)
    for column in get_args(TextOf)
    for is_sqlite in (False, True)
}
