"""Running a batch in small steps, and leaving it. Any number of callers may run it, and each row runs once.

A row's outcome is stored in the transaction that moves its claim. If the process dies, both are stored or neither, and
the next caller continues with the remaining rows.
"""

import asyncio
import sqlite3
import time
from typing import Any

import psycopg
import structlog
from psycopg.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy import Row, bindparam, exists, select, update

from countinghouse.admins.queries import Admin
from countinghouse.audit.actions import Actor, record
from countinghouse.batches.confirming import confirm_as_planned
from countinghouse.batches.queries import (
    DONE,
    FAILED,
    SKIPPED,
    BatchProgress,
    get_batch,
    read_outcome,
    read_progress,
)
from countinghouse.batches.resource import BatchVerb
from countinghouse.batches.tables import batch_rows, batches
from countinghouse.batches.warnings import find_new_warnings
from countinghouse.claims.actions import MoveRequest, move_claim
from countinghouse.claims.lifecycle import Target, sources_of
from countinghouse.claims.tables import claim_tallies, claims
from countinghouse.core.db import DATABASE_ERRORS, Cost, Database, Statement, Transaction, TransactionEnded
from countinghouse.core.errors import Conflict, Refusal
from countinghouse.core.listing.sql import number
from countinghouse.core.times import now

log = structlog.get_logger()

ROWS_A_TRANSACTION = 50
# How long one call works: short enough to show progress, and to be repeated after a lost reply.
SECONDS_A_CALL = 1.0
# Pause while other transactions hold all remaining rows.
PAUSE_SECONDS = 0.05
LONGEST_WHY = 500

COULD_NOT_STORE = "This claim could not be saved. Try again."
LEFT_SO = "You left this batch half done, and this claim stayed as it was."


async def run_batch(database: Database, actor: Actor, admin: Admin, batch_id: str) -> BatchProgress:
    """Works for about a second. The first call confirms the batch as planned, unless it is confirmed already.

    Calls after its end return the same answer again.
    """
    until = time.monotonic() + SECONDS_A_CALL
    batch = await database.write(lambda transaction: confirm_as_planned(transaction, actor, admin, batch_id))
    runner = _Runner(actor, batch, until)
    is_ended = batch.ended_at is not None
    while not is_ended:
        began = time.monotonic()
        has_found = await runner.run_some(database)
        left = until - time.monotonic()
        if left <= 0 or not has_found:
            is_ended = await database.write(lambda transaction: end_batch(transaction, actor, batch_id))
        if left <= 0:
            break
        if not has_found:
            await asyncio.sleep(min(left, PAUSE_SECONDS))
        elif database.is_sqlite:
            # Other processes poll for SQLite's only write lock, so they must find it free about half of the time.
            await asyncio.sleep(min(left, time.monotonic() - began))
    return await database.read(lambda reader: read_progress(reader, admin.id, batch_id), Cost.MEDIUM, snapshot=True)


_HAS_LEFT = exists().where(batch_rows.c.batch_id == batches.c.id, batch_rows.c.outcome.is_(None))
_END = Statement(
    update(batches)
    .where(batches.c.id == bindparam("batch_id"), batches.c.ended_at.is_(None), ~_HAS_LEFT)
    .values(ended_at=bindparam("at"))
)


async def end_batch(transaction: Transaction, actor: Actor, batch_id: str) -> bool:
    """Returns whether the batch has ended, now or earlier. A batch ends once, when no row is left."""
    if await transaction.execute(_END, {"batch_id": batch_id, "at": now()}) == 1:
        outcome = await read_outcome(transaction, batch_id)
        await record(transaction, actor, BatchVerb.ENDED, batch_id, after=dict(outcome))
        return True
    return bool(await transaction.scalar(select(batches.c.ended_at).where(batches.c.id == batch_id)))


# Skips rows that another transaction has locked: waiting for them could end in a deadlock.
_PICK = Statement(
    select(
        batch_rows.c.place,
        batch_rows.c.claim_id,
        batch_rows.c.version,
        batch_rows.c.reference,
        batch_rows.c.seen,
        claims.c.version.label("version_now"),
        claims.c.user_id,
        claims.c.amount_paise,
    )
    .join_from(batch_rows, claims, batch_rows.c.claim_id == claims.c.id)
    .where(batch_rows.c.batch_id == bindparam("of_batch"), batch_rows.c.outcome.is_(None))
    .order_by(batch_rows.c.place)
    .limit(number(ROWS_A_TRANSACTION))
    .with_for_update(key_share=True, skip_locked=True)
)
_MARK = Statement(
    update(batch_rows)
    .where(
        batch_rows.c.batch_id == bindparam("of_batch"),
        batch_rows.c.place == bindparam("at_place"),
        batch_rows.c.outcome.is_(None),
    )
    .values(outcome=bindparam("how"), why=bindparam("sentence"), ended_at=bindparam("at"))
)


class _Runner:
    """The work of one call on one batch."""

    def __init__(self, actor: Actor, batch: Row[Any], until: float) -> None:
        self.actor = actor
        self.batch = batch
        self.until = until
        # Rows that met a lock conflict once. A row that meets a second one has failed.
        self.stuck: set[int] = set()

    async def run_some(self, database: Database) -> bool:
        """Runs one transaction. Returns whether it found any rows to run."""
        try:
            return await database.write(self._run_rows)
        except DATABASE_ERRORS as error:
            if not _is_lock_conflict(error):
                raise
            log.warning("batch_waited_in_vain", batch=self.batch.id)
            return False

    async def _run_rows(self, transaction: Transaction) -> bool:
        await _lock_tallies(transaction, self.batch.target)
        rows = await transaction.rows(_PICK, {"of_batch": self.batch.id})
        new = await find_new_warnings(transaction, rows) if rows and self.batch.target == "Paid" else {}
        for row in rows:
            await self._run_row(transaction, row, new.get(row.claim_id))
            if time.monotonic() >= self.until:
                break
        return bool(rows)

    async def _run_row(self, transaction: Transaction, row: Row[Any], new_warning: Conflict | None) -> None:
        try:
            async with transaction.savepoint():
                if await self._mark(transaction, row, DONE):
                    # If somebody moved the claim meanwhile, the move says who, which explains more.
                    if new_warning is not None and row.version_now == row.version:
                        raise new_warning
                    await self._move(transaction, row)
        except Refusal as refusal:
            await self._mark(transaction, row, SKIPPED, refusal.message)
        except DATABASE_ERRORS as error:
            if _is_connection_lost(error):
                raise
            if _is_lock_conflict(error) and row.place not in self.stuck:
                self.stuck.add(row.place)
                return
            log.error("batch_row_failed", batch=self.batch.id, claim=row.claim_id, error=str(error))
            await self._mark(transaction, row, FAILED, COULD_NOT_STORE)

    async def _move(self, transaction: Transaction, row: Row[Any]) -> None:
        request = MoveRequest(
            self.batch.target,
            version=row.version,
            reason=self.batch.reason,
            reference=row.reference,
            batch_id=self.batch.id,
        )
        await move_claim(transaction, self.actor, row.claim_id, request)
        if row.version_now != row.version:
            # Repeating one's own move succeeds, but this batch did not make that move.
            message = f"You moved this claim to {self.batch.target} yourself, after this batch was planned."
            raise Conflict("claim_cannot_move", message)

    async def _mark(self, transaction: Transaction, row: Row[Any], how: str, sentence: str | None = None) -> bool:
        """Returns whether the row was still waiting."""
        why = sentence[:LONGEST_WHY] if sentence else None
        marked = {"of_batch": self.batch.id, "at_place": row.place, "how": how, "sentence": why, "at": now()}
        return await transaction.execute(_MARK, marked) == 1


async def _lock_tallies(transaction: Transaction, target: Target) -> None:
    """Locks all tallies that this transaction's moves will change, before the first move and in the triggers' order.

    Otherwise it would lock one by one what others lock in that order at once, and the two could deadlock.
    """
    touched = (target, *sources_of(target))
    await transaction.all(
        select(claim_tallies.c.status)
        .where(claim_tallies.c.day == "", claim_tallies.c.status.in_(touched))
        .order_by(claim_tallies.c.status)
        .with_for_update()
    )


def _is_lock_conflict(error: Exception) -> bool:
    """Whether another transaction held a needed lock, so that a retry may succeed."""
    if isinstance(error, sqlite3.OperationalError):
        return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return isinstance(error, DeadlockDetected | LockNotAvailable)


def _is_connection_lost(error: Exception) -> bool:
    """Errors that PostgreSQL reports have a code; after those, the transaction continues from its savepoint."""
    is_lost = isinstance(error, psycopg.OperationalError) and error.sqlstate is None
    return is_lost or isinstance(error, TransactionEnded)


# Waits for the rows that a runner has locked. They have moved by then and are not skipped.
_SKIP_THE_REST = (
    update(batch_rows)
    .where(batch_rows.c.batch_id == bindparam("of_batch"), batch_rows.c.outcome.is_(None))
    .values(outcome=SKIPPED, why=LEFT_SO, ended_at=bindparam("at"))
)


async def leave_batch(transaction: Transaction, actor: Actor, admin: Admin, batch_id: str) -> BatchProgress:
    """Ends the batch half done: claims that have moved stay moved, the others stay as they are, with the reason."""
    batch = await get_batch(transaction, admin.id, batch_id, for_change=True)
    if batch.confirmed_at is None:
        message = "This batch was never confirmed: no claim has moved, and there is nothing to stop."
        raise Conflict("batch_not_confirmed", message)
    if batch.ended_at is None:
        rest = await transaction.execute(_SKIP_THE_REST, {"of_batch": batch_id, "at": now()})
        await record(transaction, actor, BatchVerb.LEFT, batch_id, after={"claims": rest})
        await end_batch(transaction, actor, batch_id)
    return await read_progress(transaction, admin.id, batch_id)
