"""Connections for upgrades: they wait as long as it takes, and take the locks of all tables without a deadlock."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from psycopg.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from countinghouse.core.db import Database
from countinghouse.core.db.connecting import CLIENT_ENCODING
from countinghouse.core.db.sqlite_connection import prepare_connection

# Arbitrary fixed numbers that nothing else on the same server may use.
MIGRATION_LOCK = 7_406_118_203
UPGRADE_WAIT_MILLISECONDS = 600_000
# Shorter than PostgreSQL waits before it ends one of two requests that wait for each other.
LOCK_ATTEMPT_MILLISECONDS = 300
LOCK_PAUSE_SECONDS = 0.3
# What a killed process was doing ends within a second, and not when it is done.
_SESSION = "-c lock_timeout=0 -c statement_timeout=0 -c client_connection_check_interval=1000"

_IN_USE = (
    "Other work kept tables of the database in use for ten minutes: wait for exports and backups to end, and try again."
)
# Roughly in the order in which a request locks them, which saves attempts: tables that triggers write to come after
# those that have triggers, and the audit log comes late.
_OWN_TABLES = text(
    "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema() "
    "AND pg_has_role(tableowner, 'MEMBER') ORDER BY hastriggers DESC, tablename DESC"
)


class CannotMigrate(Exception):
    pass


def _engine(database: Database, **more: Any) -> Engine:
    # Nothing is prepared: behind a pooler, it would remain on a connection that others use next.
    options = {} if database.is_sqlite else {"prepare_threshold": None, "client_encoding": CLIENT_ENCODING, **more}
    return create_engine(database.url, poolclass=NullPool, hide_parameters=True, connect_args=options)


@contextmanager
def patient_transaction(database: Database) -> Iterator[Connection]:
    """For one server at a time. It waits long for locks: another server may be upgrading the database.

    Alembic needs a SQLAlchemy connection.
    """
    engine = _engine(database)
    if database.is_sqlite:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    with engine.begin() as connection:
        if not database.is_sqlite:
            # Not needed on SQLite, where a writer holds the only write lock.
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        yield connection


@contextmanager
def patient_connection(database: Database) -> Iterator[Connection]:
    """To PostgreSQL. Each statement is a transaction, as some have to be."""
    # A pooler refuses the settings of a session, and would give them to others.
    session = {} if database.is_pooled else {"options": _SESSION}
    with _engine(database, **session).connect() as connection:
        yield connection.execution_options(isolation_level="AUTOCOMMIT")


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # SQLAlchemy then begins transactions itself.
    connection.isolation_level = None
    prepare_connection(connection, UPGRADE_WAIT_MILLISECONDS)


def lock_tables(connection: Connection, *named: str) -> None:
    """All tables, or those named, or none of them until the next attempt. Servers go on working during an upgrade.

    A migration that held some and waited for others would end in deadlocks with their requests. And while it waited for
    a table that an export reads, all other requests would wait behind it.
    """
    tables = named or connection.execute(_OWN_TABLES).scalars().all()
    deadline = time.monotonic() + UPGRADE_WAIT_MILLISECONDS / 1000
    while tables:
        try:
            with connection.begin_nested():
                connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_ATTEMPT_MILLISECONDS}"))
                connection.execute(text(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE"))
                connection.execute(text("SET LOCAL lock_timeout = 0"))
        except OperationalError as error:
            if not isinstance(error.orig, LockNotAvailable | DeadlockDetected):
                raise
            if time.monotonic() > deadline:
                raise CannotMigrate(_IN_USE) from error
            time.sleep(LOCK_PAUSE_SECONDS)
        else:
            return
