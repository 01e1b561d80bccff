"""After an upgrade, records in the log what its rows did not tell before: of every record, as it is stored then.

Each portion is a transaction that holds its records: a change is either in it, or its own row comes later. Requests of
this version and the previous one go on meanwhile, and an interrupted run is continued by the next one.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from sqlalchemy import bindparam, delete, select, update

from countinghouse.audit.actions import COMMAND, record_many
from countinghouse.audit.proof import portions_of
from countinghouse.audit.records import Kind
from countinghouse.audit.tables import audit_baselines
from countinghouse.core.db import Database, Reader, Statement, Transaction
from countinghouse.core.resource import Verb

# Whoever changes one of them waits for a moment.
RECORDED_TOGETHER = 1_000
# Few enough that a page of such rows on the screen stays small.
IN_A_ROW = 50


class BaselineVerb(Verb):
    RECORDED = "baseline.recorded", "Recorded what the log did not tell"


_kind = audit_baselines.c.kind
_PENDING = Statement(select(_kind))
_REACHED = Statement(select(audit_baselines.c.recorded_up_to).where(_kind == bindparam("of")).with_for_update())
_GO_ON = Statement(update(audit_baselines).where(_kind == bindparam("of")).values(recorded_up_to=bindparam("to")))
_END = Statement(delete(audit_baselines).where(_kind == bindparam("of")))


async def find_pending(reader: Reader) -> list[str]:
    """The kinds of which some records are still to be recorded."""
    return await reader.scalars(_PENDING)


def write_baselines(database: Database, kinds: Sequence[Kind], on_recorded: Callable[[str, int], None]) -> None:
    """Calls `on_recorded` with the name and the number of records of each kind, when it is done."""
    pending = asyncio.run(database.read(find_pending))
    for kind in kinds:
        if kind.name in pending:
            recorded = 0
            while portion := asyncio.run(database.write(partial(_record_portion, kind=kind))):
                recorded += portion
            on_recorded(kind.name, recorded)


async def _record_portion(transaction: Transaction, kind: Kind) -> int:
    # Another process that records the same kind waits here, and then takes the next portion.
    reached = await transaction.scalar(_REACHED, {"of": kind.name})
    if reached is None:
        return 0
    # It begins as an empty text, which a record may have for its id as well.
    portions = portions_of(kind, RECORDED_TOGETHER, is_locked=True)
    found = await transaction.rows(portions.next if reached else portions.first, {"after": reached})
    if not found or found[-1].place == reached:
        await transaction.execute(_END, {"of": kind.name})
        return 0
    rows = {}
    for start in range(0, len(found), IN_A_ROW):
        some = found[start : start + IN_A_ROW]
        states = {row.id: kind.state(row) for row in some}
        records = {row_id: {name: state[name] for name in kind.later} for row_id, state in states.items()}
        # Under the first of them: the log knows rows by the record that they are about.
        rows[some[0].id] = {"kind": kind.name, "records": records}
    await record_many(transaction, COMMAND, BaselineVerb.RECORDED, rows)
    await transaction.execute(_GO_ON, {"of": kind.name, "to": found[-1].place})
    return len(found)
