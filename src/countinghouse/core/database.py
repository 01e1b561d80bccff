"""One database, two engines: how connections are opened, and where a transaction begins and ends."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, MetaData, create_engine, event, make_url
from sqlalchemy.pool import ConnectionPoolEntry

from countinghouse.core.quick import Quick
from countinghouse.core.quick.postgres import PostgresQuick
from countinghouse.core.quick.sqlite import SqliteQuick

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

# A lock that is not had in five seconds is reported to the admin instead of hanging the request.
LOCK_WAIT_MILLISECONDS = 5_000
STATEMENT_MILLISECONDS = 60_000
ABANDONED_TRANSACTION_MILLISECONDS = 300_000

_SNAPSHOT: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


class Database:
    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        self.file = Path(parsed.database) if self.is_sqlite and parsed.database else None
        self.engine = _sqlite_engine(url) if self.is_sqlite else _postgres_engine(url)
        self.quick: Quick = _sqlite_quick(parsed) if self.is_sqlite else _postgres_quick(parsed, self.engine)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One transaction that sees the database as it was at its first look, however long it takes."""
        with self.engine.connect() as connection:
            # SQLite's readers have this by nature; PostgreSQL must be asked.
            # It ends with the connection: there is nothing to commit, and a lost connection could not.
            yield connection if self.is_sqlite else connection.execution_options(**_SNAPSHOT)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: committed when the block ends well, undone when it raises."""
        with self.engine.connect() as connection:
            writer = connection.execution_options(writes=True)
            with writer.begin():
                yield writer

    def close(self) -> None:
        """What a thread still reads with is left to it, and closes when it is given back."""
        self.quick.close()
        event.listen(self.engine, "checkin", _close_for_good)
        self.engine.dispose()


def _close_for_good(_connection: Any, entry: ConnectionPoolEntry) -> None:
    entry.close()


def _sqlite_engine(url: str) -> Engine:
    engine = create_engine(url, pool_size=16, max_overflow=32, pool_timeout=10, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: Any) -> None:
        _prepare_sqlite(connection)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A writer takes the write lock at once: a read that turns into a write could find its snapshot stale.
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _prepare_sqlite(connection: sqlite3.Connection) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA busy_timeout = {LOCK_WAIT_MILLISECONDS}")


def _sqlite_quick(url: URL) -> Quick:
    def connect() -> sqlite3.Connection:
        # Handed from thread to thread, but never used by two at once.
        connection = sqlite3.connect(url.database or ":memory:", check_same_thread=False, cached_statements=256)
        _prepare_sqlite(connection)
        return connection

    return SqliteQuick(connect)


def _postgres_connection() -> dict[str, Any]:
    # No page is long enough to be worth compiling, or to find the same parent twice.
    options = (
        f"-c lock_timeout={LOCK_WAIT_MILLISECONDS} -c statement_timeout={STATEMENT_MILLISECONDS}"
        f" -c idle_in_transaction_session_timeout={ABANDONED_TRANSACTION_MILLISECONDS} -c timezone=UTC"
        " -c jit=off -c enable_memoize=off"
    )
    return {"options": options, "connect_timeout": 5, "application_name": "countinghouse"}


def _postgres_engine(url: str) -> Engine:
    return create_engine(
        url,
        pool_size=10,
        max_overflow=10,
        # What a statement carries is nobody's business in a log.
        hide_parameters=True,
        pool_timeout=10,
        connect_args=_postgres_connection(),
    )


def _postgres_quick(url: URL, engine: Engine) -> Quick:
    conninfo = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return PostgresQuick(conninfo, engine.dialect, _postgres_connection())
