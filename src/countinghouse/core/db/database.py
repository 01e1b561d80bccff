"""The database on either engine. A room passes its work as an `async` function of a reader or a transaction."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

from sqlalchemy import MetaData, make_url

from countinghouse.core.db.costs import Cost
from countinghouse.core.db.postgres import Postgres
from countinghouse.core.db.reader import Change, Reader, Transaction
from countinghouse.core.db.replica import Replica, ReplicaPool
from countinghouse.core.db.rows import Chosen, Rows
from countinghouse.core.db.sqlite import Sqlite
from countinghouse.core.lanes import Lane
from countinghouse.settings import Settings

T = TypeVar("T")
Work = Coroutine[Any, Any, T]

# Constraint names are spelled out so that a migration can name what it changes, on both engines.
metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

# A whole list holds a connection for as long as its client reads, so few run at once and one caller cannot take all.
STREAMS = 6
STREAMS_PER_CALLER = 4
# How long a list waits for its next rows.
STREAM_SILENCE_SECONDS = 7.0


class Database:
    """`is_patient`: waits as long as the database works, for commands. A request gives up after seconds.

    `is_pooled`: between the desk and PostgreSQL is a pooler in transaction mode, such as pgBouncer. `replica_url`: a
    replica of PostgreSQL that answers lists.
    """

    def __init__(
        self, url: str, *, is_patient: bool = True, is_pooled: bool = False, replica_url: str | None = None
    ) -> None:
        parsed = make_url(url)
        self.url = parsed
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        self.file = Path(parsed.database) if self.is_sqlite and parsed.database else None
        # Set when the process is about to stop: every call that still waits for the database then ends.
        self.closing = Event()
        self.streams = Lane(STREAMS, places_per_caller=STREAMS_PER_CALLER, most_waiting=12, most_waiting_per_caller=4)
        self._is_patient = is_patient
        self.is_pooled = is_pooled
        self._replica_url = make_url(replica_url) if replica_url else None
        self._engine = self._new_engine()
        self._replica = self._new_replica()

    @classmethod
    def from_settings(cls, settings: Settings, *, is_patient: bool = True) -> "Database":
        return cls(
            settings.database,
            is_patient=is_patient,
            is_pooled=settings.transaction_pooling,
            replica_url=settings.replica,
        )

    @property
    def lanes(self) -> dict[str, Lane]:
        """By name, for the metrics. On PostgreSQL, a place in use is a connection in use."""
        own = {cost.name.lower(): lane for cost, lane in self._engine.lanes.items()} | {"streams": self.streams}
        lanes = self._replica.pool.lanes if self._replica is not None else {}
        return own | {f"replica_{cost.name.lower()}": lane for cost, lane in lanes.items()}

    def _new_engine(self) -> Postgres | Sqlite:
        if self.is_sqlite:
            return Sqlite(self.url, self.closing, is_patient=self._is_patient)
        return Postgres(self.url, self.closing, is_patient=self._is_patient, is_pooled=self.is_pooled)

    def _new_replica(self) -> Replica | None:
        if self._replica_url is None or not isinstance(self._engine, Postgres):
            return None
        pool = ReplicaPool(self._replica_url, self.closing, is_patient=self._is_patient, is_pooled=self.is_pooled)
        return Replica(self._engine, pool)

    @property
    def replica(self) -> Replica | None:
        return self._replica

    async def read(self, work: Callable[[Reader], Work[T]], cost: Cost = Cost.SHORT, *, snapshot: bool = False) -> T:
        """With `snapshot`, all statements of `work` see the same rows. `work` may run twice, if the first connection
        turns out to be dead."""
        return await self._engine.read(work, cost, snapshot=snapshot)

    async def read_list(self, work: Callable[[Reader], Work[T]], cost: Cost) -> T:
        """For lists and totals: like `read`, and from a replica if there is one that has all changes."""
        return await (self._replica or self._engine).read(work, cost, snapshot=False)

    async def change(self, work: Callable[[Change], Work[T]]) -> T:
        """Each statement of `work` is atomic, and `work` is never retried."""
        return await self._engine.change(work)

    async def write(self, work: Callable[[Transaction], Work[T]], *, silence_seconds: float | None = None) -> T:
        """One transaction: committed before this returns, rolled back if `work` raises. Never retried.

        `silence_seconds` is how long it waits for one statement, if that may take longer than usual.
        """
        return await self._engine.write(work, silence_seconds)

    def stream(
        self, choose: Callable[[Reader], Work[Chosen]], *, silence_seconds: float = STREAM_SILENCE_SECONDS
    ) -> AbstractAsyncContextManager[Rows]:
        """`choose` runs in the snapshot that the rows come from. Enter a lane first: it holds a connection. Like
        `read_list`, from a replica if possible."""
        return (self._replica or self._engine).stream(choose, silence_seconds)

    def refuse_stream_if_no_space(self) -> None:
        """For an answer that begins before its rows are read. On SQLite a long list is read into a file first."""
        if isinstance(self._engine, Sqlite):
            self._engine.refuse_stream_if_no_space()

    def close(self) -> None:
        """Ends every call that still waits for the database. A connection in use is closed when it is returned."""
        self.closing.set()
        self._engine.close()
        if self._replica is not None:
            self._replica.pool.close()
        # Open connections keep the old event, which stays set. If the database is used again, it opens new connections.
        self.closing = Event()
        self._engine = self._new_engine()
        self._replica = self._new_replica()
