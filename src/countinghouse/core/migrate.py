"""Migrates a database to the schema this code expects. Safe to run on several machines at once."""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy import Column, Connection, String, Table, create_engine, event, inspect, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from countinghouse.core.db import Database, Reader, Statement, metadata
from countinghouse.core.unfinished import UNFINISHED, is_unfinished_on, place_beside, unfinished_file

# An arbitrary fixed number that nothing else on the same server may use.
MIGRATION_LOCK = 7_406_118_203
UPGRADE_WAIT_MILLISECONDS = 600_000
# Shorter than PostgreSQL waits before it ends one of two requests that wait for each other.
LOCK_ATTEMPT_MILLISECONDS = 300
LOCK_PAUSE_SECONDS = 0.3

_PACKAGE = Path(__file__).parent.parent

# One row: the oldest migration whose code works with the database as it is now. Migrations only add to the schema, so
# that older instances can still run; the rare one that takes something away raises this.
schema_compatibility = Table("schema_compatibility", metadata, Column("oldest_revision", String(32), primary_key=True))

_NEWER = "The database was made by a newer Countinghouse than this one. Install that version or a newer one."
_IN_USE = (
    "Other work kept tables of the database in use for ten minutes: wait for exports and backups to end, and try again."
)


class CannotMigrate(Exception):
    pass


class Standing(Enum):
    """The database, seen from this code."""

    CURRENT = auto()
    # Migrations are pending.
    BEHIND = auto()
    # A newer version has migrated it, and this one still works with it.
    AHEAD = auto()
    TOO_NEW = auto()


def migrations_folder() -> Path:
    installed = _PACKAGE / "migrations"
    return installed if installed.is_dir() else _PACKAGE.parent.parent / "migrations"


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    config.set_main_option("path_separator", "os")
    return config


@cache
def newest_revision() -> str | None:
    return ScriptDirectory.from_config(_alembic()).get_current_head()


@cache
def known_revisions() -> frozenset[str]:
    return frozenset(script.revision for script in ScriptDirectory.from_config(_alembic()).walk_revisions())


_IN_SQLITE = Statement(text("SELECT count(*) FROM sqlite_master WHERE name = :name"))
_IN_POSTGRES = Statement(text("SELECT count(to_regclass(:name))"))
_REVISION = Statement(text("SELECT version_num FROM alembic_version"))
# Roughly in the order in which a request locks them, which saves attempts: tables that triggers write to come after
# those that have triggers, and the audit log comes late.
_OWN_TABLES = text(
    "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema() "
    "AND pg_has_role(tableowner, 'MEMBER') ORDER BY hastriggers DESC, tablename DESC"
)
_OLDEST = select(schema_compatibility.c.oldest_revision)


async def _exists(reader: Reader, table: str) -> bool:
    return bool(await reader.scalar(_IN_SQLITE if reader.is_sqlite else _IN_POSTGRES, {"name": table}))


async def read_revision(reader: Reader) -> str | None:
    """None if the database has never been migrated."""
    if not await _exists(reader, "alembic_version"):
        return None
    revision: str | None = await reader.scalar(_REVISION)
    return revision


async def read_standing(reader: Reader) -> Standing:
    revision = await read_revision(reader)
    if revision == newest_revision():
        return Standing.CURRENT
    if revision is None or revision in known_revisions():
        return Standing.BEHIND
    oldest = await reader.scalar(Statement(_OLDEST)) if await _exists(reader, schema_compatibility.name) else None
    return Standing.AHEAD if oldest in known_revisions() else Standing.TOO_NEW


def _make_private(file: Path) -> None:
    """Other users of the machine must not read bank accounts. SQLite gives its WAL files the same permissions."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


@contextmanager
def patient_transaction(database: Database) -> Iterator[Connection]:
    """For one server at a time. It waits long for locks: another server may be upgrading the database.

    Alembic needs a SQLAlchemy connection.
    """
    # Nothing is prepared: behind a pooler, it would remain on a connection that others use next.
    options = {} if database.is_sqlite else {"prepare_threshold": None}
    engine = create_engine(database.url, poolclass=NullPool, hide_parameters=True, connect_args=options)
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


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # SQLAlchemy then begins transactions itself.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {UPGRADE_WAIT_MILLISECONDS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


@dataclass(frozen=True)
class Step:
    """A migration that is still to be applied."""

    revision: str
    title: str
    # The tables whose rows it reads or rewrites, and the seconds it took for a million of them, by engine; None if
    # nobody has measured it.
    tables: tuple[str, ...]
    seconds_per_million: Mapping[str, float] | None


def list_steps(revision: str | None) -> list[Step]:
    """What leads from this revision to the newest one, in order."""
    if revision is not None and revision not in known_revisions():
        raise CannotMigrate(_NEWER)
    scripts = ScriptDirectory.from_config(_alembic()).iterate_revisions("head", revision or "base")
    costs = json.loads((migrations_folder() / "costs.json").read_text())
    steps = []
    for script in scripts:
        cost = costs.get(script.revision)
        title = (script.doc or "").partition("\n")[0]
        tables = tuple(cost.get("tables", ())) if cost is not None else ()
        seconds = {name: cost.get(name, 0.0) for name in ("sqlite", "postgresql")} if cost is not None else None
        steps.append(Step(script.revision, title, tables, seconds))
    return steps[::-1]


def migrate(
    database: Database, on_applied: Callable[[str], None] | None = None, *, is_being_restored: bool = False
) -> None:
    """All steps in one transaction, so that a failed upgrade leaves the database as it was.

    `on_applied` gets the revision of each step when its statements have run. A newer database with which this code
    works is left as it is. Only a restore itself may migrate what it has not finished.
    """
    config = _alembic()
    config.attributes["on_applied"] = on_applied
    if database.file is not None:
        if unfinished_file(place_beside(database.file)).exists():
            raise CannotMigrate(UNFINISHED)
        _make_private(database.file)
    with patient_transaction(database) as connection:
        if not database.is_sqlite and not is_being_restored and is_unfinished_on(connection):
            raise CannotMigrate(UNFINISHED)
        revision = MigrationContext.configure(connection).get_current_revision()
        if revision is not None and revision not in known_revisions():
            if _works_with_this_code(connection):
                return
            raise CannotMigrate(_NEWER)
        if not database.is_sqlite and revision != ScriptDirectory.from_config(config).get_current_head():
            _lock_tables(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _lock_tables(connection: Connection) -> None:
    """All tables, or none of them until the next attempt. Older servers go on working during an upgrade.

    A migration that held some and waited for others would end in deadlocks with their requests. And while it waited for
    a table that an export reads, all other requests would wait behind it.
    """
    tables = connection.execute(_OWN_TABLES).scalars().all()
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


def _works_with_this_code(newer: Connection) -> bool:
    return (
        inspect(newer).has_table(schema_compatibility.name)
        and newer.execute(_OLDEST).scalar_one_or_none() in known_revisions()
    )
