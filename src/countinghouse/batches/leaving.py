"""Leaving a batch half done: claims that have moved stay moved; the others stay as they are, each with the reason."""

from sqlalchemy import bindparam, update

from countinghouse.admins.queries import Admin
from countinghouse.audit.actions import Actor, record
from countinghouse.batches.queries import SKIPPED, BatchProgress, get_batch, read_progress
from countinghouse.batches.resource import BatchVerb
from countinghouse.batches.running import end_batch
from countinghouse.batches.tables import batch_rows
from countinghouse.core.db import Transaction
from countinghouse.core.errors import Conflict
from countinghouse.core.times import now

LEFT_SO = "You left this batch half done, and this claim stayed as it was."

# Waits for the rows that a runner has locked. They have moved by then and are not skipped.
_SKIP_THE_REST = (
    update(batch_rows)
    .where(batch_rows.c.batch_id == bindparam("of_batch"), batch_rows.c.outcome.is_(None))
    .values(outcome=SKIPPED, why=LEFT_SO, ended_at=bindparam("at"))
)


async def leave_batch(transaction: Transaction, actor: Actor, admin: Admin, batch_id: str) -> BatchProgress:
    """Ends the batch in its current state. If it has ended already, returns the same answer again."""
    batch = await get_batch(transaction, admin.id, batch_id, for_change=True)
    if batch.confirmed_at is None:
        message = "This batch was never confirmed: no claim has moved, and there is nothing to stop."
        raise Conflict("batch_not_confirmed", message)
    if batch.ended_at is None:
        rest = await transaction.execute(_SKIP_THE_REST, {"of_batch": batch_id, "at": now()})
        await record(transaction, actor, BatchVerb.LEFT, batch_id, after={"claims": rest})
        await end_batch(transaction, actor, batch_id)
    return await read_progress(transaction, admin.id, batch_id)
