"""Reads from a replica, once it has replayed everything that the primary had when the request came. Decision 0027."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from threading import Event
from typing import TypeVar
from weakref import WeakKeyDictionary

import psycopg
import structlog
from psycopg.errors import InsufficientPrivilege, ObjectNotInPrerequisiteState, QueryCanceled
from sqlalchemy import URL, text

from countinghouse.core.db.connection import DatabaseSilent, DeadlineConnection
from countinghouse.core.db.costs import Cost
from countinghouse.core.db.position import Identity, Position
from countinghouse.core.db.postgres import Postgres, PostgresReader
from countinghouse.core.db.reader import Reader
from countinghouse.core.db.rows import Chosen, Rows
from countinghouse.core.db.statement import Statement

T = TypeVar("T")
log = structlog.get_logger()

# How long a list waits for the replica to replay the newest changes; usually it takes a millisecond or two.
CATCH_UP_SECONDS = 0.1
# How long opening a connection to the replica and asking it may take.
CHECK_SECONDS = 0.4
# How long the primary then answers instead, without asking the replica again.
BEHIND_SECONDS, AWAY_SECONDS = 1.0, 5.0

# For an operator who asks.
DESCRIBE_SECONDS = 5.0

# Where the primary's log ends, and its timeline, which changes in a failover. A commit is in the log before its client
# gets an answer, and before others see its rows.
_POSITION = Statement(
    text("SELECT CAST(lsn AS text), left(pg_walfile_name(lsn), 8) FROM pg_current_wal_flush_lsn() AS lsn")
)
# On a primary there is nothing to replay, and this is NULL.
_IS_REPLAYED = Statement(text("SELECT coalesce(pg_last_wal_replay_lsn() >= CAST(:position AS pg_lsn), false)"))
_IS_REPLICA = Statement(text("SELECT pg_is_in_recovery()"))
# A replica writes the timeline down some time after it has begun to follow it, never before.
_IDENTITY = Statement(
    text(
        "SELECT CAST(s.system_identifier AS text), CAST(d.oid AS bigint), CAST(d.datname AS text), "
        "CASE WHEN pg_is_in_recovery() THEN to_hex(greatest(c.timeline_id, r.min_recovery_end_timeline)) "
        "ELSE left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) END "
        "FROM pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r, pg_database d "
        "WHERE d.datname = current_database()"
    )
)
GRANT = "GRANT EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint(), pg_control_recovery() TO its role"


class ReplicaUnfit(Exception):
    """The replica cannot answer now; the primary can."""


class ReplicaDiffers(ReplicaUnfit):
    """Its rows are not those of the primary, or nobody can tell."""


class ReplicaPool(Postgres):
    """Hands out a connection only when it leads to a copy of the primary that has replayed the log up to `after`."""

    def __init__(self, url: URL, closing: Event, *, is_patient: bool, is_pooled: bool) -> None:
        super().__init__(url, closing, is_patient=is_patient, is_pooled=is_pooled)
        self._identities: WeakKeyDictionary[DeadlineConnection, Identity] = WeakKeyDictionary()

    async def take(self, after: Position | None = None) -> DeadlineConnection:
        if after is None:
            return await super().take()
        connection = None
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                connection = await super().take()
                await self._compare(connection, after.primary)
                is_fresh = await self._catches_up(connection, after.lsn)
        except TimeoutError as error:
            if connection is not None:
                connection.close_now()
            raise ReplicaUnfit("it does not answer") from error
        except BaseException:
            if connection is not None:
                connection.close_now()
            raise
        if not is_fresh:
            self.put_back(connection, None)
            raise ReplicaUnfit("it is behind")
        return connection

    async def _compare(self, connection: DeadlineConnection, primary: Identity) -> None:
        """Asks once for each connection, and again after the primary has changed."""
        if self._identities.get(connection) == primary:
            return
        found = await _identify(PostgresReader(connection, self.dialect))
        difference = _find_difference(found, primary)
        if difference is not None:
            raise ReplicaDiffers(difference)
        self._identities[connection] = found

    async def _catches_up(self, connection: DeadlineConnection, after: str) -> bool:
        reader = PostgresReader(connection, self.dialect)
        give_up_at, pause = time.monotonic() + CATCH_UP_SECONDS, 0.001
        while not await reader.scalar(_IS_REPLAYED, {"position": after}):
            if time.monotonic() > give_up_at:
                return False
            await asyncio.sleep(pause)
            pause *= 2
        return True


class Replica:
    """The primary answers what the replica cannot."""

    def __init__(self, primary: Postgres, pool: ReplicaPool) -> None:
        self.pool = pool
        self._primary = primary
        self._unused_until = 0.0
        self._identity: Identity | None = None
        self._difference: str | None = None

    @property
    def is_in_use(self) -> bool:
        return time.monotonic() >= self._unused_until

    async def read(self, work: Callable[[Reader], Awaitable[T]], cost: Cost, *, snapshot: bool) -> T:
        after = await self._position()
        if after is not None:
            try:
                found = await self.pool.read(work, cost, snapshot=snapshot, after=after)
            except (psycopg.Error, ReplicaUnfit) as error:
                self._leave_out(error)
            else:
                self._difference = None
                return found
        return await self._primary.read(work, cost, snapshot=snapshot)

    @asynccontextmanager
    async def stream(
        self, choose: Callable[[Reader], Awaitable[Chosen]], silence_seconds: float
    ) -> AsyncIterator[Rows]:
        after = await self._position()
        rows: Rows | None = None
        async with AsyncExitStack() as opened:
            if after is not None:
                try:
                    rows = await opened.enter_async_context(self.pool.stream(choose, silence_seconds, after=after))
                    self._difference = None
                except (psycopg.Error, ReplicaUnfit) as error:
                    self._leave_out(error)
            if rows is None:
                rows = await opened.enter_async_context(self._primary.stream(choose, silence_seconds))
            yield rows

    async def _position(self) -> Position | None:
        """None if the replica is not to be asked."""
        if not self.is_in_use:
            return None
        try:
            return await self._primary.read(self._read_position, Cost.SHORT, snapshot=False)
        except ObjectNotInPrerequisiteState:
            # During a failover the primary's URL may lead to a replica.
            return None
        except ReplicaDiffers as error:
            self._leave_out(error)
            return None

    async def _read_position(self, reader: Reader) -> Position:
        ((lsn, timeline),) = await reader.all(_POSITION)
        if self._identity is None:
            self._identity = await _identify(reader)
        return Position(lsn, self._identity._replace(timeline=int(timeline, 16)))

    def _leave_out(self, error: Exception) -> None:
        """Raises what the primary should not repeat: it would double the wait."""
        if isinstance(error, QueryCanceled) or not isinstance(
            error, psycopg.OperationalError | psycopg.InterfaceError | ReplicaUnfit
        ):
            raise error
        reason = " ".join(str(error).split())
        is_known = reason == self._difference
        is_different = isinstance(error, ReplicaDiffers)
        if is_different:
            # Perhaps it is the primary that was replaced.
            self._identity = None
        self._difference = reason if is_different else None
        is_behind = isinstance(error, ReplicaUnfit) and not is_different and error.__cause__ is None
        seconds = BEHIND_SECONDS if is_behind else AWAY_SECONDS
        self._unused_until = time.monotonic() + seconds
        if not is_known:
            log.warning("replica_not_used", reason=reason, seconds=seconds)
        if isinstance(error, DatabaseSilent):
            raise error

    async def find_problems(self) -> list[str]:
        """What an operator should know about it, as sentences."""
        try:
            async with asyncio.timeout(DESCRIBE_SECONDS):
                found, is_replica = await self.pool.read(_describe, Cost.SHORT, snapshot=False)
            known, _ = await self._primary.read(_describe, Cost.SHORT, snapshot=False)
        except ReplicaDiffers as error:
            return [f"It is not used, because {error}."]
        except (psycopg.Error, TimeoutError) as error:
            return [f"It does not answer, so the primary does its work: {' '.join(str(error).split()) or 'timeout'}"]
        difference = _find_difference(found, known)
        if found[:2] != known[:2]:
            return [f"It is not used, because {difference}: correct COUNTINGHOUSE_REPLICA_URL now."]
        if not is_replica:
            return ["COUNTINGHOUSE_REPLICA_URL leads to a primary, so it is not used."]
        if difference is not None:
            return [
                f"It is not used, because {difference}. After a failover this may take minutes; if it lasts, "
                "build the replica again from the primary."
            ]
        return []


def _find_difference(found: Identity, primary: Identity) -> str | None:
    """Why the replica is no copy of the primary, or None."""
    if found.system != primary.system:
        return "it leads to another cluster than COUNTINGHOUSE_DATABASE_URL"
    if found.oid != primary.oid:
        return f"it leads to the database {found.name}, not to {primary.name}"
    if found.timeline != primary.timeline:
        return f"it is on timeline {found.timeline} of the log, the primary on {primary.timeline}"
    return None


async def _identify(reader: Reader) -> Identity:
    try:
        ((system, oid, name, timeline),) = await reader.all(_IDENTITY)
    except InsufficientPrivilege as error:
        raise ReplicaDiffers(
            f"nobody can tell whether it follows the primary ({error.diag.message_primary}): {GRANT}"
        ) from error
    return Identity(system, oid, name, int(timeline, 16))


async def _describe(reader: Reader) -> tuple[Identity, bool]:
    return await _identify(reader), bool(await reader.scalar(_IS_REPLICA))
