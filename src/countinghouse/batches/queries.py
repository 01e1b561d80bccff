"""Reading batches: which admin owns them and how far each has come."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, Literal

from sqlalchemy import Row, bindparam, exists, func, select
from typing_extensions import TypedDict

from countinghouse.admins.queries import get_own
from countinghouse.batches.tables import batch_rows, batches
from countinghouse.claims.lifecycle import Target
from countinghouse.claims.tables import claims
from countinghouse.core.db import Reader, Statement
from countinghouse.core.errors import NotFound
from countinghouse.core.examples import Example, described
from countinghouse.core.listing.sql import number, written
from countinghouse.core.times import iso

# A plan older than this is out of date; the admin has to look at a new one.
PLAN_LASTS = timedelta(minutes=15)

# The outcomes of a row. The first two are set during planning, and both are shown to the admin as skipped.
CHANGED, BLOCKED, DONE, SKIPPED, FAILED = "changed", "blocked", "done", "skipped", "failed"
# The admin removed the claim before confirming: it counts as if it had never been chosen.
REMOVED = "removed"
NOT_IN_PLAN = (CHANGED, BLOCKED)
UNDONE = (CHANGED, BLOCKED, SKIPPED, FAILED)

# The only batches that can be undone.
UNDOABLE_TARGET: Target = "Accepted"
# What the batch's own move gave its claim. A claim that has another one was moved since.
VERSION_AFTER = batch_rows.c.version + number(1)

# The outcomes that an admin can list as problems.
Problem = Literal["skipped", "failed"]


@described
class BatchOutcome(TypedDict):
    done: Annotated[int, Example(450)]
    skipped: Annotated[int, Example(2)]
    failed: Annotated[int, Example(1)]
    left: Annotated[int, Example(47)]


@described
class BatchProgress(TypedDict):
    outcome: BatchOutcome
    endedAt: Annotated[str | None, Example(None)]
    # Whether there is something that `undoOf` would move back.
    canUndo: Annotated[bool, Example(False)]


@described
class UnfinishedBatch(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000007")]
    status: Annotated[Target, Example("Accepted")]
    count: Annotated[int, Example(500)]
    outcome: BatchOutcome


# False only for removed rows.
IS_CHOSEN = func.coalesce(batch_rows.c.outcome, written("")) != written(REMOVED)
_UNFINISHED = Statement(
    select(batches)
    .where(batches.c.admin_id == bindparam("of"), batches.c.confirmed_at.is_not(None), batches.c.ended_at.is_(None))
    .order_by(batches.c.created_at, batches.c.id)
)
_TALLY = Statement(
    select(batch_rows.c.outcome, func.count())
    .where(batch_rows.c.batch_id == bindparam("batch_id"), IS_CHOSEN)
    .group_by(batch_rows.c.outcome)
)
_HAS_UNDOABLE = Statement(
    select(
        exists().where(
            batch_rows.c.batch_id == bindparam("batch_id"),
            batch_rows.c.outcome == written(DONE),
            claims.c.id == batch_rows.c.claim_id,
            claims.c.version == VERSION_AFTER,
            claims.c.status == written(UNDOABLE_TARGET),
        )
    )
)


async def get_batch(reader: Reader, admin_id: str, batch_id: str, *, for_change: bool = False) -> Row[Any]:
    missing = NotFound("batch_not_found", "There is no such batch. Choose the claims again.")
    return await get_own(reader, batches, admin_id, batch_id, missing, for_change=for_change)


async def has_unfinished(reader: Reader, admin_id: str) -> bool:
    return bool(await reader.all(_UNFINISHED, {"of": admin_id}))


async def list_unfinished(reader: Reader, admin_id: str) -> list[UnfinishedBatch]:
    rows = await reader.rows(_UNFINISHED, {"of": admin_id})
    counts: list[dict[str | None, int]] = [dict(await reader.all(_TALLY, {"batch_id": row.id})) for row in rows]
    return [
        {"_id": row.id, "status": row.target, "count": sum(every.values()), "outcome": to_outcome(every)}
        for row, every in zip(rows, counts, strict=True)
    ]


async def read_outcome(reader: Reader, batch_id: str) -> BatchOutcome:
    return to_outcome(dict(await reader.all(_TALLY, {"batch_id": batch_id})))


async def read_progress(reader: Reader, admin_id: str, batch_id: str) -> BatchProgress:
    batch = await get_batch(reader, admin_id, batch_id)
    outcome = await read_outcome(reader, batch_id)
    can_undo = batch.ended_at is not None and batch.target == UNDOABLE_TARGET and outcome["done"] > 0
    return {
        "outcome": outcome,
        "endedAt": iso(batch.ended_at) if batch.ended_at else None,
        "canUndo": can_undo and bool(await reader.scalar(_HAS_UNDOABLE, {"batch_id": batch_id})),
    }


def to_outcome(counts: Mapping[str | None, int]) -> BatchOutcome:
    return {
        "done": counts.get(DONE, 0),
        "skipped": sum(counts.get(outcome, 0) for outcome in (*NOT_IN_PLAN, SKIPPED)),
        "failed": counts.get(FAILED, 0),
        "left": counts.get(None, 0),
    }
