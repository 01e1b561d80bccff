"""A guarded change: an UPDATE whose WHERE clause is the lock, and the rows written beside it if it found its row.

PostgreSQL is told all of it in one statement, which is stored or not as a whole and costs one round trip, not six.
SQLite, which has no such statement, does the same in one transaction.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, FromClause, Select, Table, Update, bindparam, insert, select

from countinghouse.core.quick.statement import Statement


@dataclass(frozen=True)
class NewRow:
    """`values` says for each column by which name its value is bound; a name may stand in several rows."""

    table: Table
    values: Mapping[str, str]

    def bound(self) -> dict[str, BindParameter[Any]]:
        return {column: bindparam(name, type_=self.table.c[column].type) for column, name in self.values.items()}


class Guarded:
    """`key` names the value that the row's id is bound to; `answer` selects what is told about the changed row."""

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
