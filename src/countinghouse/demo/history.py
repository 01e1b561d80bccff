"""The made-up history of what admins did."""

import heapq
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Table

from countinghouse.audit.actions import Actor
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, payout_references
from countinghouse.core.db import Transaction
from countinghouse.core.db.bulk import Cells, insert_rows
from countinghouse.core.resource import Verb
from countinghouse.core.times import stored_text

Rows = Mapping[Table, Cells]
NO_ROWS: Rows = {}
# Of the audit log: what was before or after.
Part = Mapping[str, Any] | None


class History:
    """Keeps only events later than the rows written so far: a few days' worth, whatever the size."""

    def __init__(self) -> None:
        # The number orders events of the same millisecond: the one added first comes first.
        self._ahead: list[tuple[datetime, int, dict[Table, Cells]]] = []
        self.added = 0

    def add(
        self, at: datetime, actor: Actor, verb: Verb, subject_id: str, before: Part, after: Part, more: Rows = NO_ROWS
    ) -> None:
        """`more` are the rows that the real action would have inserted besides its audit row."""
        logged: Cells = {
            "at": stored_text(at),
            "actor": actor.name,
            "address": actor.address,
            "verb": verb.value,
            "subject_id": subject_id,
            "before": None if before is None else json.dumps(before),
            "after": None if after is None else json.dumps(after),
        }
        heapq.heappush(self._ahead, (at, self.added, {audit_log: logged, **more}))
        self.added += 1

    async def write_until(self, transaction: Transaction, at: datetime) -> None:
        rows: dict[Table, list[Cells]] = {claim_transitions: [], payout_references: [], audit_log: []}
        while self._ahead and self._ahead[0][0] <= at:
            for table, row in heapq.heappop(self._ahead)[2].items():
                rows[table].append(row)
        for table, happened in rows.items():
            await insert_rows(transaction, table, happened)
