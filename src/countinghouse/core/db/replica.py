"""Reads from a replica, once it has replayed everything that the primary had when the request came. Decision 0027."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

import psycopg
import structlog
from psycopg.errors import InsufficientPrivilege, QueryCanceled
from sqlalchemy import text

from countinghouse.core.db.connection import DatabaseSilent, DeadlineConnection
from countinghouse.core.db.costs import Cost
from countinghouse.core.db.position import Position
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

# Asked of both servers, for every list: what an address leads to may change at any time. A commit is in the primary's
# log before its client gets an answer, and before others see its rows. A replica writes the timeline down some time
# after it has begun to follow it, never before. After a promotion, `pg_last_wal_replay_lsn` keeps its last value.
_POSITION = Statement(
    text(
        "SELECT CAST(s.system_identifier AS text), CAST(d.oid AS bigint), CAST(d.datname AS text), "
        "CASE WHEN pg_is_in_recovery() THEN (SELECT to_hex(greatest(c.timeline_id, r.min_recovery_end_timeline)) "
        "FROM pg_control_checkpoint() c, pg_control_recovery() r) "
        "ELSE left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) END, pg_is_in_recovery(), "
        "CAST(CASE WHEN pg_is_in_recovery() THEN coalesce(pg_last_wal_replay_lsn(), '0/0') "
        "ELSE pg_current_wal_flush_lsn() END AS text) "
        "FROM pg_control_system() s, pg_database d WHERE d.datname = current_database()"
    )
)
GRANT = "GRANT EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint(), pg_control_recovery() TO its role"


class ReplicaUnfit(Exception):
    """The replica cannot answer now; the primary can."""


class ReplicaDiffers(ReplicaUnfit):
    """Its rows are not those of the primary, or nobody can tell."""


class ReplicaPool(Postgres):
    """Hands out a connection only when it leads to a copy of the primary that has replayed the log up to `after`.

    Through a pooler, the next transaction may be on another server. So the connection is handed out with its
    transaction open, and is held: what follows is read on the server that was checked.
    """

    async def take(self, after: Position | None = None) -> DeadlineConnection:
        if after is None:
            return await super().take()
        connection = None
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                connection = await super().take()
                connection.is_held = connection.is_pooled
                is_fresh = await self._catches_up(connection, after)
                if connection.is_held and not is_fresh:
                    await connection.release()
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

    async def _catches_up(self, connection: DeadlineConnection, after: Position) -> bool:
        """Raises if it is no copy of the primary."""
        reader = PostgresReader(connection, self.dialect)
        give_up_at, pause = time.monotonic() + CATCH_UP_SECONDS, 0.001
        while True:
            found = await _read_position(reader)
            difference = _find_difference(found, after)
            if difference is not None:
                raise ReplicaDiffers(difference)
            if found.lsn >= after.lsn:
                return True
            if time.monotonic() > give_up_at:
                return False
            await asyncio.sleep(pause)
            pause *= 2


class Replica:
    """The primary answers what the replica cannot."""

    def __init__(self, primary: Postgres, pool: ReplicaPool) -> None:
        self.pool = pool
        self._primary = primary
        self._unused_until = 0.0
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
            found = await self._primary.read(_read_position, Cost.SHORT, snapshot=False)
        except ReplicaDiffers as error:
            self._leave_out(error)
            return None
        # During a failover the primary's URL may lead to a replica.
        return None if found.is_replica else found

    def _leave_out(self, error: Exception) -> None:
        """Raises what the primary should not repeat: it would double the wait."""
        if isinstance(error, QueryCanceled) or not isinstance(
            error, psycopg.OperationalError | psycopg.InterfaceError | ReplicaUnfit
        ):
            raise error
        reason = " ".join(str(error).split())
        is_known = reason == self._difference
        is_different = isinstance(error, ReplicaDiffers)
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
                found = await self.pool.read(_read_position, Cost.SHORT, snapshot=False)
            known = await self._primary.read(_read_position, Cost.SHORT, snapshot=False)
        except ReplicaDiffers as error:
            return [f"It is not used, because {error}."]
        except (psycopg.Error, TimeoutError) as error:
            return [f"It does not answer, so the primary does its work: {' '.join(str(error).split()) or 'timeout'}"]
        difference = _find_difference(found, known)
        if found[:2] != known[:2] or not found.is_replica:
            return [f"It is not used, because {difference}: correct COUNTINGHOUSE_REPLICA_URL now."]
        if difference is not None:
            return [
                f"It is not used, because {difference}. After a failover this may take minutes; if it lasts, "
                "build the replica again from the primary."
            ]
        return []


def _find_difference(found: Position, primary: Position) -> str | None:
    """Why the replica is no copy of the primary, or None."""
    if found.system != primary.system:
        return "it leads to another cluster than COUNTINGHOUSE_DATABASE_URL"
    if found.oid != primary.oid:
        return f"it leads to the database {found.name}, not to {primary.name}"
    if not found.is_replica:
        return "it leads to a primary, not to a replica"
    if found.timeline != primary.timeline:
        return f"it is on timeline {found.timeline} of the log, the primary on {primary.timeline}"
    return None


async def _read_position(reader: Reader) -> Position:
    try:
        ((system, oid, name, timeline, is_replica, lsn),) = await reader.all(_POSITION)
    except InsufficientPrivilege as error:
        raise ReplicaDiffers(
            f"nobody can tell whether it follows the primary ({error.diag.message_primary}): {GRANT}"
        ) from error
    high, low = lsn.split("/")
    return Position(system, oid, name, int(timeline, 16), is_replica, int(high, 16) << 32 | int(low, 16))
