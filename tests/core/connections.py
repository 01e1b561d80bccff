"""How many database connections a program holds."""

import sqlite3
from contextlib import suppress
from pathlib import Path

import psycopg

from countinghouse.core.db import Database
from countinghouse.core.db.sqlite import Sqlite

COUNT = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'countinghouse'"
)


def in_use(database: Database) -> int:
    """Open connections outside the pool: a call or a stream holds them. No other process may use the database."""
    engine = database._engine
    if isinstance(engine, Sqlite):
        return sum(map(_is_open, list(engine._open))) - len(engine._idle)
    return count_open(database) - len(engine._idle)


def count_open(database: Database) -> int:
    """Idle ones too; on SQLite also those of the test itself."""
    if database.file is not None:
        return sum(_leads_to(descriptor, database.file) for descriptor in Path("/proc/self/fd").iterdir())
    url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url) as watcher:
        found = watcher.execute(COUNT).fetchone()
    assert found is not None
    return int(found[0])


def _leads_to(descriptor: Path, file: Path) -> bool:
    with suppress(FileNotFoundError):
        return descriptor.readlink() == file
    return False


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        return connection.total_changes >= 0
    except sqlite3.ProgrammingError:
        return False
