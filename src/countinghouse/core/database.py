"""The database on either engine: how connections are opened, and where a transaction begins and ends."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Any
from weakref import WeakSet

from sqlalchemy import URL, Connection, Engine, MetaData, create_engine, event, make_url
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from countinghouse.core.lanes import Lane
from countinghouse.core.quick import Quick
from countinghouse.core.quick.connection import DeadlineConnection
from countinghouse.core.quick.postgres import PostgresQuick, is_closed_by_server
from countinghouse.core.quick.sqlite import SqliteQuick, decode_leniently

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

# A lock that is not granted in five seconds is reported to the admin instead of hanging the request.
LOCK_WAIT_MILLISECONDS = 5_000
UPGRADE_WAIT_MILLISECONDS = 600_000
STATEMENT_MILLISECONDS = 60_000
# A little longer than any caller waits for a quick statement, so that PostgreSQL cancels an abandoned statement.
QUICK_STATEMENT_MILLISECONDS = 8_000
ABANDONED_TRANSACTION_MILLISECONDS = 300_000
CONNECT_SECONDS = 2
# TCP keepalive, on both sides. PostgreSQL's own default is two hours: until then, each connection that the network has
# lost would count against `max_connections` and keep its locks.
KEEPALIVE_IDLE_SECONDS, KEEPALIVE_INTERVAL_SECONDS, KEEPALIVE_COUNT = 5, 2, 3
DEAD_PEER_SECONDS = KEEPALIVE_IDLE_SECONDS + KEEPALIVE_INTERVAL_SECONDS * KEEPALIVE_COUNT
# A request gives up when PostgreSQL sends nothing for this long. Commands and migrations wait without a limit.
REQUEST_SILENCE_SECONDS = 7.0

# A whole list holds a connection for as long as its client reads, so few run at once and one caller cannot take all.
STREAMS = 6
STREAMS_PER_CALLER = 4

_SNAPSHOT: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


class Database:
    """`silence_seconds`: how long a transaction waits while PostgreSQL sends nothing; None waits forever."""

    def __init__(self, url: str, *, silence_seconds: float | None = None) -> None:
        parsed = make_url(url)
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        self.file = Path(parsed.database) if self.is_sqlite and parsed.database else None
        # Set when the process is about to stop: every call that still waits for the database then ends.
        self.closing = Event()
        self.streams = Lane(STREAMS, places_per_caller=STREAMS_PER_CALLER, most_waiting=12, most_waiting_per_caller=4)
        self._sqlite_connections: WeakSet[_SqliteConnection] = WeakSet()
        if self.is_sqlite:
            self.engine = self._sqlite_engine(url)
            self.quick: Quick = SqliteQuick(lambda: self._connect_sqlite(parsed), lambda: self.closing.is_set())
        else:
            self.engine = self._postgres_engine(url, silence_seconds)
            self.quick = PostgresQuick(lambda: self._connect_postgres(parsed), self.engine.dialect)

    @contextmanager
    def reading(self, *, silence_seconds: float | None = None) -> Iterator[Connection]:
        """One read transaction on a snapshot, taken at its first query."""
        with self._connected(silence_seconds) as connection:
            # SQLite readers always have a snapshot; PostgreSQL needs REPEATABLE READ.
            # Closing the connection ends the transaction. There is nothing to commit, and a lost connection could not.
            yield connection if self.is_sqlite else connection.execution_options(**_SNAPSHOT)

    @contextmanager
    def writing(self, *, silence_seconds: float | None = None) -> Iterator[Connection]:
        """One transaction: committed when the block succeeds, rolled back when it raises."""
        with self._connected(silence_seconds) as connection:
            writer = connection.execution_options(writes=True)
            with writer.begin():
                yield writer

    @contextmanager
    def upgrading(self) -> Iterator[Connection]:
        """The transaction for migrations. It waits longer for locks: another server may be upgrading the same file."""
        with self.engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            if self.is_sqlite:
                driver.execute(f"PRAGMA busy_timeout = {UPGRADE_WAIT_MILLISECONDS}")
            try:
                writer = connection.execution_options(writes=True)
                with writer.begin():
                    yield writer
            finally:
                if self.is_sqlite:
                    driver.execute(f"PRAGMA busy_timeout = {LOCK_WAIT_MILLISECONDS}")

    @contextmanager
    def _connected(self, silence_seconds: float | None) -> Iterator[Connection]:
        with self.engine.connect() as connection:
            if silence_seconds is not None and not self.is_sqlite:
                driver: Any = connection.connection.driver_connection
                driver.silence_seconds = silence_seconds
            yield connection

    def close(self) -> None:
        """Ends every call that still waits for the database. A connection in use is closed when it is returned."""
        self.closing.set()
        self.quick.close()
        event.listen(self.engine, "checkin", _close_for_good)
        self.engine.dispose()
        for connection in list(self._sqlite_connections):
            # Still in use: its statement ends with an error in its own thread. Closed connections are skipped. This
            # comes last, because an interrupted connection does not checkpoint SQLite's WAL into the database file.
            with suppress(sqlite3.ProgrammingError):
                connection.interrupt()
        # Open connections keep the old event, which stays set. If the database is used again, it opens new connections.
        self.closing = Event()

    def _sqlite_engine(self, url: str) -> Engine:
        engine = create_engine(
            url,
            pool_size=16,
            max_overflow=32,
            pool_timeout=5,
            hide_parameters=True,
            connect_args={"factory": _SqliteConnection},
        )

        @event.listens_for(engine, "connect")
        def _on_connect(connection: _SqliteConnection, _record: Any) -> None:
            self._prepare_sqlite(connection)
            connection.text_factory = decode_leniently

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            # A writer takes the write lock at once: upgrading a read to a write fails if its snapshot is stale.
            writes = connection.get_execution_options().get("writes", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

        return engine

    def _connect_sqlite(self, url: URL) -> sqlite3.Connection:
        # Passed between threads, but never used by two at once.
        connection = sqlite3.connect(
            url.database or ":memory:", check_same_thread=False, cached_statements=256, factory=_SqliteConnection
        )
        self._prepare_sqlite(connection)
        return connection

    def _prepare_sqlite(self, connection: "_SqliteConnection") -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA busy_timeout = {LOCK_WAIT_MILLISECONDS}")
        self._sqlite_connections.add(connection)

    def _postgres_engine(self, url: str, silence_seconds: float | None) -> Engine:
        # Of the 20 connections, streams and exports hold at most ten, which leaves ten for requests.
        engine = create_engine(
            url,
            pool_size=10,
            max_overflow=10,
            # Keeps statement values out of the log.
            hide_parameters=True,
            pool_timeout=5,
            connect_args=_postgres_options(STATEMENT_MILLISECONDS),
        )

        @event.listens_for(engine, "do_connect")
        def _connect(_dialect: Any, _record: Any, args: tuple[Any, ...], options: dict[str, Any]) -> DeadlineConnection:
            return self._prepared(DeadlineConnection.connect(*args, **options))

        @event.listens_for(engine, "checkout")
        def _check(connection: DeadlineConnection, _record: Any, _proxy: Any) -> None:
            # Detects a server restart before the connection is used; the pool then opens a new one.
            if connection.closed or is_closed_by_server(connection):
                raise DisconnectionError
            connection.silence_seconds = silence_seconds

        return engine

    def _connect_postgres(self, url: URL) -> DeadlineConnection:
        conninfo = url.set(drivername="postgresql").render_as_string(hide_password=False)
        options = _postgres_options(QUICK_STATEMENT_MILLISECONDS)
        return self._prepared(DeadlineConnection.connect(conninfo, autocommit=True, **options))

    def _prepared(self, connection: DeadlineConnection) -> DeadlineConnection:
        connection.closing = self.closing
        return connection


class _SqliteConnection(sqlite3.Connection):
    """Unlike its base class, it supports weak references."""


def _close_for_good(_connection: Any, entry: ConnectionPoolEntry) -> None:
    entry.close()


def _postgres_options(statement_milliseconds: int) -> dict[str, Any]:
    # A page is too short for JIT compilation or for caching join lookups to pay off.
    options = (
        f"-c lock_timeout={LOCK_WAIT_MILLISECONDS} -c statement_timeout={statement_milliseconds}"
        f" -c idle_in_transaction_session_timeout={ABANDONED_TRANSACTION_MILLISECONDS} -c timezone=UTC"
        f" -c tcp_keepalives_idle={KEEPALIVE_IDLE_SECONDS} -c tcp_keepalives_interval={KEEPALIVE_INTERVAL_SECONDS}"
        f" -c tcp_keepalives_count={KEEPALIVE_COUNT} -c tcp_user_timeout={DEAD_PEER_SECONDS * 1000}"
        " -c jit=off -c enable_memoize=off"
    )
    return {
        "options": options,
        "connect_timeout": CONNECT_SECONDS,
        "application_name": "countinghouse",
        # The operating system detects a peer that vanished without closing the connection, on idle connections too.
        "keepalives": 1,
        "keepalives_idle": KEEPALIVE_IDLE_SECONDS,
        "keepalives_interval": KEEPALIVE_INTERVAL_SECONDS,
        "keepalives_count": KEEPALIVE_COUNT,
        "tcp_user_timeout": DEAD_PEER_SECONDS * 1000,
    }
