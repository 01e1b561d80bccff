"""Reads from a replica, once it has replayed everything that the primary had when the request came. Decision 0027."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

import psycopg
import structlog
from psycopg.errors import ObjectNotInPrerequisiteState, QueryCanceled
from sqlalchemy import text

from countinghouse.core.db.connection import DatabaseSilent, DeadlineConnection
from countinghouse.core.db.costs import Cost
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

# Where the primary's log ends. A commit is in it before its client gets an answer, and before others see its rows.
_POSITION = Statement(text("SELECT CAST(pg_current_wal_flush_lsn() AS text)"))
# On a primary there is nothing to replay, and this is NULL.
_IS_REPLAYED = Statement(text("SELECT coalesce(pg_last_wal_replay_lsn() >= CAST(:position AS pg_lsn), false)"))
_IDENTITY = Statement(text("SELECT CAST(system_identifier AS text) FROM pg_control_system()"))
_IS_REPLICA = Statement(text("SELECT pg_is_in_recovery()"))


class ReplicaUnfit(Exception):
    """The replica cannot answer now; the primary can."""


class ReplicaPool(Postgres):
    """Hands out a connection only when the server behind it has replayed the log up to `after`."""

    async def take(self, after: str | None = None) -> DeadlineConnection:
        if after is None:
            return await super().take()
        connection = None
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                connection = await super().take()
                is_fresh = await self._catches_up(connection, after)
        except TimeoutError as error:
            raise ReplicaUnfit("it does not answer") from error
        except BaseException:
            if connection is not None:
                connection.close_now()
            raise
        if not is_fresh:
            self.put_back(connection, None)
            raise ReplicaUnfit("it is behind")
        return connection

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

    @property
    def is_in_use(self) -> bool:
        return time.monotonic() >= self._unused_until

    async def read(self, work: Callable[[Reader], Awaitable[T]], cost: Cost, *, snapshot: bool) -> T:
        after = await self._position()
        if after is not None:
            try:
                return await self.pool.read(work, cost, snapshot=snapshot, after=after)
            except (psycopg.Error, ReplicaUnfit) as error:
                self._leave_out(error)
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
                except (psycopg.Error, ReplicaUnfit) as error:
                    self._leave_out(error)
            if rows is None:
                rows = await opened.enter_async_context(self._primary.stream(choose, silence_seconds))
            yield rows

    async def _position(self) -> str | None:
        """None if the replica is not to be asked."""
        if not self.is_in_use:
            return None
        try:
            position: str = await self._primary.read(
                lambda reader: reader.scalar(_POSITION), Cost.SHORT, snapshot=False
            )
        except ObjectNotInPrerequisiteState:
            # During a failover the primary's URL may lead to a replica.
            return None
        return position

    def _leave_out(self, error: Exception) -> None:
        """Raises what the primary should not repeat: it would double the wait."""
        if isinstance(error, QueryCanceled) or not isinstance(
            error, psycopg.OperationalError | psycopg.InterfaceError | ReplicaUnfit
        ):
            raise error
        is_behind = isinstance(error, ReplicaUnfit) and error.__cause__ is None
        seconds = BEHIND_SECONDS if is_behind else AWAY_SECONDS
        self._unused_until = time.monotonic() + seconds
        log.warning("replica_not_used", reason=" ".join(str(error).split()), seconds=seconds)
        if isinstance(error, DatabaseSilent):
            raise error

    async def find_problems(self) -> list[str]:
        """What an operator should know about it, as sentences."""
        try:
            async with asyncio.timeout(DESCRIBE_SECONDS):
                found = await self.pool.read(_describe, Cost.SHORT, snapshot=False)
        except (psycopg.Error, TimeoutError) as error:
            return [f"It does not answer, so the primary does its work: {' '.join(str(error).split()) or 'timeout'}"]
        known = await self._primary.read(_describe, Cost.SHORT, snapshot=False)
        if found[0] != known[0]:
            return [
                "COUNTINGHOUSE_REPLICA_URL leads to another cluster than COUNTINGHOUSE_DATABASE_URL: correct it now."
            ]
        if not found[1]:
            return ["COUNTINGHOUSE_REPLICA_URL leads to a primary, so it is not used."]
        return []


async def _describe(reader: Reader) -> tuple[str, bool]:
    return str(await reader.scalar(_IDENTITY)), bool(await reader.scalar(_IS_REPLICA))
