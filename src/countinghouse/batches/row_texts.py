"""Stores one text for each of many waiting rows of a batch, by claim."""

import json
from collections.abc import Mapping
from typing import Any, Literal, get_args

from sqlalchemy import JSON, BindParameter, String, Update, bindparam, cast, func, select, update

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
    texts: BindParameter[str] = bindparam("texts", type_=String)
    pairs = func.json_each(texts) if is_sqlite else func.json_each_text(cast(texts, JSON))
    each = pairs.table_valued("key", "value")
    # Read once: SQLite would read the whole object again for each row.
    named = select(each.c.key, each.c.value).cte("named").prefix_with("MATERIALIZED")
    changes: dict[TextOf, dict[str, Any]] = {
        "reference": {"reference": named.c.value},
        "seen": {"seen": named.c.value},
        "why": {"outcome": SKIPPED, "why": named.c.value, "ended_at": bindparam("at")},
        "removed": {"outcome": REMOVED, "ended_at": bindparam("at")},
    }
    return (
        update(batch_rows)
        .where(
            batch_rows.c.batch_id == bindparam("of_batch"),
            batch_rows.c.claim_id == named.c.key,
            batch_rows.c.outcome.is_(None),
        )
        .values(changes[column])
    )


_CHANGES = {
    (column, is_sqlite): _change_named(column, is_sqlite=is_sqlite)
    for column in get_args(TextOf)
    for is_sqlite in (False, True)
}
