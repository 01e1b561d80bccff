"""A guarded change: an UPDATE whose WHERE clause is the lock, and rows that are inserted if it updated its row.

On PostgreSQL all of it is one atomic statement, which takes one round trip instead of six. SQLite has no such statement
and does the same in one transaction.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, Table, Update, bindparam, insert, select

from countinghouse.core.db.statement import Statement


@dataclass(frozen=True)
class NewRow:
    """`values` maps each column to the name of its bound value, or to an expression; several rows may use the same
    name."""

    table: Table
    values: Mapping[str, str | ColumnElement[Any]]

    def bound(self) -> dict[str, ColumnElement[Any]]:
        return {
            column: bindparam(value, type_=self.table.c[column].type) if isinstance(value, str) else value
            for column, value in self.values.items()
        }


class Guarded:
    """`key` is the name of the bound value with the row's id; `answer` selects what to return about the changed row."""

    def __init__(
        self,
        table: Table,
        guard: Update,
        *,
        key: str,
        then: Sequence[NewRow],
        answer: Callable[[FromClause], Select[Any]],
    ) -> None:
        self.guard = Statement(guard)
        self.then = [Statement(insert(row.table).inline().values(row.bound())) for row in then]
        self.answer = Statement(answer(table).where(table.c.id == bindparam(key)))
        changed = guard.returning(*table.c).cte("changed")
        written = [
            insert(row.table)
            .from_select(list(row.values), select(*row.bound().values()).select_from(changed))
            .cte(f"written_{place}")
            for place, row in enumerate(then)
        ]
        self.as_one = Statement(answer(changed).add_cte(*written))
