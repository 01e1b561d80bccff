"""Migrates a database to the schema this code expects. Safe to run on several machines at once."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, String, Table, inspect, select, text

from countinghouse.core.db import Database, Reader, Statement, metadata
from countinghouse.core.indexes import build_indexes
from countinghouse.core.unfinished import UNFINISHED, is_unfinished_on, place_beside, unfinished_file
from countinghouse.core.upgrade_connections import CannotMigrate, lock_tables, patient_transaction

_PACKAGE = Path(__file__).parent.parent

# One row: the oldest migration whose code works with the database as it is now. Migrations only add to the schema, so
# that older instances can still run; the rare one that takes something away raises this.
schema_compatibility = Table("schema_compatibility", metadata, Column("oldest_revision", String(32), primary_key=True))

_NEWER = "The database was made by a newer Countinghouse than this one. Install that version or a newer one."


class SchemaState(Enum):
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


def _alembic(folder: Path) -> Config:
    config = Config()
    config.set_main_option("script_location", str(folder))
    config.set_main_option("path_separator", "os")
    return config


@cache
def _scripts_in(folder: Path) -> ScriptDirectory:
    """Kept, because Alembic executes the file of every migration to learn their order."""
    return ScriptDirectory.from_config(_alembic(folder))


def newest_revision() -> str | None:
    return _scripts_in(migrations_folder()).get_current_head()


def known_revisions() -> frozenset[str]:
    return frozenset(script.revision for script in _scripts_in(migrations_folder()).walk_revisions())


_IN_SQLITE = Statement(text("SELECT count(*) FROM sqlite_master WHERE name = :name"))
_IN_POSTGRES = Statement(text("SELECT count(to_regclass(:name))"))
_REVISION = Statement(text("SELECT version_num FROM alembic_version"))
_OLDEST = select(schema_compatibility.c.oldest_revision)


async def has_table(reader: Reader, table: str) -> bool:
    return bool(await reader.scalar(_IN_SQLITE if reader.is_sqlite else _IN_POSTGRES, {"name": table}))


async def read_revision(reader: Reader) -> str | None:
    """None if the database has never been migrated."""
    if not await has_table(reader, "alembic_version"):
        return None
    revision: str | None = await reader.scalar(_REVISION)
    return revision


async def read_schema_state(reader: Reader) -> SchemaState:
    revision = await read_revision(reader)
    if revision == newest_revision():
        return SchemaState.CURRENT
    if revision is None or revision in known_revisions():
        return SchemaState.BEHIND
    oldest = await reader.scalar(Statement(_OLDEST)) if await has_table(reader, schema_compatibility.name) else None
    return SchemaState.AHEAD if oldest in known_revisions() else SchemaState.TOO_NEW


def _make_private(file: Path) -> None:
    """Other users of the machine must not read bank accounts. SQLite gives its WAL files the same permissions."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise CannotMigrate(f"The database file {file} cannot be created: {error.strerror}.") from error


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
    scripts = _scripts_in(migrations_folder()).iterate_revisions("head", revision or "base")
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
    """All steps in one transaction, so that a failed upgrade leaves the database as it was. Then builds large indexes.

    `on_applied` gets the revision of each step when its statements have run, and the name of each index. A newer
    database with which this code works is left as it is. Only a restore itself may migrate what it has not finished.
    """
    config = _alembic(migrations_folder())
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
        if revision != newest_revision():
            if not database.is_sqlite:
                lock_tables(connection)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    build_indexes(database, on_applied or (lambda _: None))


def _works_with_this_code(newer: Connection) -> bool:
    return (
        inspect(newer).has_table(schema_compatibility.name)
        and newer.execute(_OLDEST).scalar_one_or_none() in known_revisions()
    )
