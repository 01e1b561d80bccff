"""Planning a batch: which claims it holds, each at which version, and which of them cannot move and why.

Running the batch touches only the rows stored here.
"""

from datetime import timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, func, insert, select, update

from countinghouse.admins.permissions import refuse_unless
from countinghouse.admins.queries import Admin
from countinghouse.audit.actions import Actor, record
from countinghouse.batches.choosing import BatchRequest, BatchTarget, choose_rows, refuse_sizes
from countinghouse.batches.queries import BLOCKED, CHANGED, UNDOABLE_TARGET, get_batch
from countinghouse.batches.resource import BatchVerb
from countinghouse.batches.tables import batch_rows, batches
from countinghouse.claims.lifecycle import Target, find_move, moves_to, permissions_for
from countinghouse.claims.queries import IS_LAST_MOVE
from countinghouse.claims.rules import LastMove, find_refusal, is_alone, select_returned_by
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.db import Statement, Transaction, is_unreadable
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.ids import new_id
from countinghouse.core.listing.portions import Portions
from countinghouse.core.times import iso, now
from countinghouse.policy.queries import Policy, read_policy

# A plan this old can no longer be run, and the audit log still shows that it was planned.
KEEP_UNCONFIRMED = timedelta(days=1)
# The targets on the way to a payment.
PAYING: tuple[Target, ...] = ("Accepted", "Paid")
UNREADABLE = (
    "Its account number or bank code cannot be read: another program stored it in another encoding. Let that program "
    "correct it, or ask the client and add a new claim."
)
# Few enough that other requests wait only for milliseconds: on PostgreSQL this runs on the event loop.
JUDGED_TOGETHER = 500


async def plan_batch(transaction: Transaction, actor: Actor, admin: Admin, request: BatchRequest) -> str:
    """Returns the id of the batch. No claim moves yet."""
    chosen_by = request.chosen_by()
    if request.except_ and request.query is None:
        raise InvalidInput({"except": "except is allowed only together with query."})
    await _sweep(transaction, admin)
    target, reason = await _find_target(transaction, admin, request)
    refuse_unless(admin.role, permissions_for(target))
    batch_id, at = new_id(), await transaction.now()
    batch = {"id": batch_id, "admin_id": admin.id, "target": target, "reason": reason, "created_at": at}
    await transaction.execute(insert(batches).values(batch | {"retry_of": request.retry_of}))
    await choose_rows(transaction, batch_id, request)
    ((count, amount),) = await transaction.all(_SIZE, {"of_batch": batch_id})
    refuse_sizes(chosen_by, count)
    await _mark_unmovable(transaction, actor, batch_id, target)
    after = {
        "status": target,
        "reason": reason,
        "claims": count,
        "paise": int(amount),
        "retryOf": request.retry_of,
        "undoOf": request.undo_of,
    }
    logged = {name: value for name, value in after.items() if value is not None}
    await record(transaction, actor, BatchVerb.PLANNED, batch_id, after=logged)
    return batch_id


_SIZE = select(func.count(), func.coalesce(func.sum(batch_rows.c.amount_paise), 0)).where(
    batch_rows.c.batch_id == bindparam("of_batch")
)


async def _find_target(transaction: Transaction, admin: Admin, request: BatchRequest) -> tuple[Target, str | None]:
    if request.undo_of is not None:
        _refuse_undo(await get_batch(transaction, admin.id, request.undo_of), request)
        return "Pending", None
    target, reason = request.status, request.reason
    if request.retry_of is not None:
        target, reason = _target_of_retry(await get_batch(transaction, admin.id, request.retry_of), request)
    if target is None:
        raise InvalidInput({"status": "status is required."})
    if reason is None and any(move.needs_reason for move in moves_to(target)):
        raise InvalidInput({"reason": f"reason is required for {target}."})
    return target, reason


def _target_of_retry(batch: Row[Any], request: BatchRequest) -> tuple[BatchTarget, str | None]:
    _refuse_running(batch)
    if batch.target == "Pending":
        raise InvalidInput({"retryOf": "That batch undid another one. Send undoOf with the other one again."})
    if request.status not in (None, batch.target):
        raise InvalidInput({"status": f"status must be {batch.target}, as in the batch that is retried."})
    return batch.target, request.reason or batch.reason


def _refuse_undo(batch: Row[Any], request: BatchRequest) -> None:
    _refuse_running(batch)
    if batch.target != UNDOABLE_TARGET:
        raise InvalidInput(
            {"undoOf": f"Only a batch of Accepts can be undone; that one moved claims to {batch.target}."}
        )
    for name in ("status", "reason"):
        if getattr(request, name) is not None:
            raise InvalidInput({name: f"{name} is not allowed together with undoOf."})


def _refuse_running(batch: Row[Any]) -> None:
    if batch.ended_at is None:
        raise Conflict("batch_not_ended", "That batch has not ended yet. Let it finish first.")


_STANDINGS = Portions(
    select(
        batch_rows.c.version.label("seen"),
        batch_rows.c.amount_paise,
        claims.c.status,
        claims.c.version,
        claims.c.account_no,
        claims.c.ifsc,
        claim_transitions.c.moved_by,
        claim_transitions.c.moved_at,
        claim_transitions.c.reason,
        select_returned_by(claims).label("returned_by"),
    )
    .join_from(batch_rows, claims, batch_rows.c.claim_id == claims.c.id)
    .outerjoin(claim_transitions, IS_LAST_MOVE)
    .where(batch_rows.c.batch_id == bindparam("of_batch")),
    batch_rows.c.place,
    JUDGED_TOGETHER,
)
_MARK_UNMOVABLE = Statement(
    update(batch_rows)
    .where(batch_rows.c.batch_id == bindparam("of_batch"), batch_rows.c.place == bindparam("at_place"))
    .values(outcome=bindparam("how"), why=bindparam("sentence"), ended_at=bindparam("at"))
)


async def _mark_unmovable(transaction: Transaction, actor: Actor, batch_id: str, target: Target) -> None:
    """Marks the rows that cannot move, with the reason. Each move checks all of this again when it runs."""
    policy, alone = await read_policy(transaction), await is_alone(transaction, actor)
    at = now()
    async for rows in _STANDINGS.rows(transaction, {"of_batch": batch_id}):
        unmovable = []
        for row in rows:
            how, sentence = _why_not(row, target, policy, actor, alone=alone)
            if how is not None:
                marked = {"of_batch": batch_id, "at_place": row.place, "how": how, "sentence": sentence, "at": at}
                unmovable.append(marked)
        await transaction.execute(_MARK_UNMOVABLE, unmovable)


def _why_not(
    row: Row[Any], target: Target, policy: Policy, actor: Actor, *, alone: bool
) -> tuple[str | None, str | None]:
    by = f"{row.moved_by} moved it to {row.status} at {iso(row.moved_at)}" if row.moved_by else f"It is {row.status}"
    if row.version != row.seen:
        return CHANGED, f"{by}, after you had loaded it."
    if row.status == target:
        return BLOCKED, f"{by}; it is already {target}." if row.moved_by else f"It is already {target}."
    move = find_move(row.status, target)
    if move is None:
        return BLOCKED, f"{by}; from there it cannot become {target}."
    if target in PAYING and (is_unreadable(row.account_no) or is_unreadable(row.ifsc)):
        return BLOCKED, UNREADABLE
    last_move = LastMove(row.moved_by, row.moved_at, row.reason, None) if row.moved_by else None
    refusal = find_refusal(
        move,
        policy,
        actor,
        row.amount_paise,
        last_move,
        # References are sent with the confirmation.
        has_reference=True,
        returned_by=None if alone else row.returned_by,
    )
    return (BLOCKED, refusal.message) if refusal else (None, None)


async def _sweep(transaction: Transaction, admin: Admin) -> None:
    old = select(batches.c.id).where(
        batches.c.admin_id == admin.id,
        batches.c.confirmed_at.is_(None),
        batches.c.created_at < await transaction.now() - KEEP_UNCONFIRMED,
    )
    for batch_id in await transaction.scalars(old):
        await transaction.execute(delete(batch_rows).where(batch_rows.c.batch_id == batch_id))
        await transaction.execute(delete(batches).where(batches.c.id == batch_id))
