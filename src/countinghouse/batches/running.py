"""Running a batch in small steps. Any number of callers may run it, and each row runs once.

A row's outcome is stored in the transaction that moves its claim. If the process dies, both are stored or neither, and
the next caller continues with the remaining rows.
"""

import sqlite3
import time
from typing import Any

import structlog
from psycopg.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy import Connection, Row, Select, bindparam, exists, select, update
from sqlalchemy.exc import DBAPIError, OperationalError

from countinghouse.admins.queries import Admin
from countinghouse.audit.actions import Actor, record
from countinghouse.batches.queries import (
    DONE,
    FAILED,
    PLAN_LASTS,
    SKIPPED,
    BatchProgress,
    get_batch,
    read_outcome,
    read_progress,
)
from countinghouse.batches.resource import BatchVerb
from countinghouse.batches.tables import batch_rows, batches
from countinghouse.claims.actions import MoveRequest, move_claim
from countinghouse.claims.lifecycle import Target, sources_of
from countinghouse.claims.tables import claim_tallies, claims
from countinghouse.core.database import Database
from countinghouse.core.errors import Conflict, Refusal
from countinghouse.core.listing.sql import number
from countinghouse.core.quick import ConnectionChange
from countinghouse.core.times import now

log = structlog.get_logger()

ROWS_A_TRANSACTION = 50
# How long one call works: short enough to show progress, and to be repeated after a lost reply.
SECONDS_A_CALL = 1.0
# Pause while other transactions hold all remaining rows.
PAUSE_SECONDS = 0.05
LONGEST_WHY = 500

COULD_NOT_STORE = "This claim could not be saved. Try again."


def run_batch(database: Database, actor: Actor, admin: Admin, batch_id: str) -> BatchProgress:
    """Works for about a second. The first call confirms the batch; calls after its end return the same answer again."""
    until = time.monotonic() + SECONDS_A_CALL
    with database.writing() as connection:
        batch = _confirm(connection, actor, get_batch(connection, admin.id, batch_id))
    runner = _Runner(actor, batch, until)
    is_ended = batch.ended_at is not None
    while not is_ended:
        began = time.monotonic()
        has_found = runner.run_some(database)
        left = until - time.monotonic()
        if left <= 0 or not has_found:
            with database.writing() as connection:
                is_ended = end_batch(connection, actor, batch_id)
        if left <= 0:
            break
        if not has_found:
            time.sleep(min(left, PAUSE_SECONDS))
        elif database.is_sqlite:
            # Others poll for SQLite's only write lock, so they must find it free about half of the time.
            time.sleep(min(left, time.monotonic() - began))
    with database.reading() as connection:
        return read_progress(connection, admin.id, batch_id)


_CONFIRM = (
    update(batches)
    .where(
        batches.c.id == bindparam("batch_id"),
        batches.c.confirmed_at.is_(None),
        batches.c.created_at > bindparam("oldest"),
    )
    .values(confirmed_at=bindparam("at"))
)
_HAS_LEFT = exists().where(batch_rows.c.batch_id == batches.c.id, batch_rows.c.outcome.is_(None))
_END = (
    update(batches)
    .where(batches.c.id == bindparam("batch_id"), batches.c.ended_at.is_(None), ~_HAS_LEFT)
    .values(ended_at=bindparam("at"))
)


def _confirm(connection: Connection, actor: Actor, batch: Row[Any]) -> Row[Any]:
    if batch.confirmed_at is not None:
        return batch
    at = now()
    if connection.execute(_CONFIRM, {"batch_id": batch.id, "oldest": at - PLAN_LASTS, "at": at}).rowcount == 1:
        record(connection, actor, BatchVerb.CONFIRMED, batch.id, after={"status": batch.target})
    batch = get_batch(connection, batch.admin_id, batch.id)
    if batch.confirmed_at is None:
        raise Conflict("batch_expired", "This preview is too old to be confirmed. Make a new one and check it again.")
    return batch


def end_batch(connection: Connection, actor: Actor, batch_id: str) -> bool:
    """Returns whether the batch has ended, now or earlier. A batch ends once, when no row is left."""
    if connection.execute(_END, {"batch_id": batch_id, "at": now()}).rowcount == 1:
        record(connection, actor, BatchVerb.ENDED, batch_id, after=dict(read_outcome(connection, batch_id)))
        return True
    return bool(connection.execute(select(batches.c.ended_at).where(batches.c.id == batch_id)).scalar_one())


# Skips rows that another transaction has locked: waiting for them could end in a deadlock.
_PICK: Select[Any] = (
    select(batch_rows.c.place, batch_rows.c.claim_id, batch_rows.c.version, claims.c.version.label("version_now"))
    .join_from(batch_rows, claims, batch_rows.c.claim_id == claims.c.id)
    .where(batch_rows.c.batch_id == bindparam("of_batch"), batch_rows.c.outcome.is_(None))
    .order_by(batch_rows.c.place)
    .limit(number(ROWS_A_TRANSACTION))
    .with_for_update(key_share=True, skip_locked=True)
)
_MARK = (
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

    def run_some(self, database: Database) -> bool:
        """Runs one transaction. Returns whether it found any rows to run."""
        try:
            with database.writing() as connection:
                _lock_tallies(connection, self.batch.target)
                rows = connection.execute(_PICK, {"of_batch": self.batch.id}).all()
                for row in rows:
                    self._run_row(connection, row)
                    if time.monotonic() >= self.until:
                        break
                return bool(rows)
        except OperationalError as error:
            if not _is_lock_conflict(error):
                raise
            log.warning("batch_waited_in_vain", batch=self.batch.id)
            return False

    def _run_row(self, connection: Connection, row: Row[Any]) -> None:
        try:
            with connection.begin_nested():
                if self._mark(connection, row, DONE):
                    self._move(connection, row)
        except Refusal as refusal:
            self._mark(connection, row, SKIPPED, refusal.message)
        except DBAPIError as error:
            if error.connection_invalidated:
                raise
            if _is_lock_conflict(error) and row.place not in self.stuck:
                self.stuck.add(row.place)
                return
            log.error("batch_row_failed", batch=self.batch.id, claim=row.claim_id, error=str(error.orig))
            self._mark(connection, row, FAILED, COULD_NOT_STORE)

    def _move(self, connection: Connection, row: Row[Any]) -> None:
        request = MoveRequest(self.batch.target, version=row.version, reason=self.batch.reason, batch_id=self.batch.id)
        move_claim(ConnectionChange(connection), self.actor, row.claim_id, request)
        if row.version_now != row.version:
            # Repeating one's own move succeeds, but this batch did not make that move.
            message = f"You moved this claim to {self.batch.target} yourself, after this batch was planned."
            raise Conflict("claim_cannot_move", message)

    def _mark(
        self,
        connection: Connection,
        row: Row[Any],
        how: str,
        sentence: str | None = None,
    ) -> bool:
        """Returns whether the row was still waiting."""
        why = sentence[:LONGEST_WHY] if sentence else None
        marked = {"of_batch": self.batch.id, "at_place": row.place, "how": how, "sentence": why, "at": now()}
        return connection.execute(_MARK, marked).rowcount == 1


def _lock_tallies(connection: Connection, target: Target) -> None:
    """Locks all tallies that this transaction's moves will change, before the first move and in the triggers' order.

    Otherwise it would lock one by one what others lock in that order at once, and the two could deadlock.
    """
    touched = (target, *sources_of(target))
    connection.execute(
        select(claim_tallies.c.status)
        .where(claim_tallies.c.day == "", claim_tallies.c.status.in_(touched))
        .order_by(claim_tallies.c.status)
        .with_for_update()
    )


def _is_lock_conflict(error: DBAPIError) -> bool:
    """Whether another transaction held a needed lock, so that a retry may succeed."""
    if isinstance(error.orig, sqlite3.OperationalError):
        return error.orig.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return isinstance(error.orig, DeadlockDetected | LockNotAvailable)
