"""Migrates a database to the schema this code expects. Safe to run on several machines at once."""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.pool import NullPool

from countinghouse.core.db import Database, Reader, Statement

# An arbitrary fixed number that nothing else on the same server may use.
MIGRATION_LOCK = 7_406_118_203
UPGRADE_WAIT_MILLISECONDS = 600_000

_PACKAGE = Path(__file__).parent.parent


_NEWER = "The database was made by a newer Countinghouse than this one. Install that version or a newer one."


class CannotMigrate(Exception):
    pass


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


_TABLE_EXISTS_IN_SQLITE = Statement(text("SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"))
_TABLE_EXISTS_IN_POSTGRES = Statement(text("SELECT count(to_regclass('alembic_version'))"))
_REVISION = Statement(text("SELECT version_num FROM alembic_version"))


async def read_revision(reader: Reader) -> str | None:
    """None if the database has never been migrated."""
    exists = _TABLE_EXISTS_IN_SQLITE if reader.is_sqlite else _TABLE_EXISTS_IN_POSTGRES
    if await reader.scalar(exists) != 1:
        return None
    revision: str | None = await reader.scalar(_REVISION)
    return revision


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


def migrate(database: Database, on_applied: Callable[[str], None] | None = None) -> None:
    """All steps in one transaction, so that a failed upgrade leaves the database as it was.

    `on_applied` gets the revision of each step when its statements have run.
    """
    config = _alembic()
    config.attributes["on_applied"] = on_applied
    if database.file is not None:
        _make_private(database.file)
    with patient_transaction(database) as connection:
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise CannotMigrate(_NEWER) from error
