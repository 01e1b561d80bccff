"""Migrates a database to the schema this code expects. Safe to run on several machines at once."""

import os
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect, text

from countinghouse.core.database import Database
from countinghouse.core.quick import Reader, Statement

# An arbitrary fixed number that nothing else on the same server may use.
MIGRATION_LOCK = 7_406_118_203

_PACKAGE = Path(__file__).parent.parent


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


def current_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()


_TABLE_EXISTS_IN_SQLITE = Statement(text("SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"))
_TABLE_EXISTS_IN_POSTGRES = Statement(text("SELECT count(to_regclass('alembic_version'))"))
_REVISION = Statement(text("SELECT version_num FROM alembic_version"))


def read_revision(reader: Reader) -> str | None:
    """None if the database has never been migrated."""
    exists = _TABLE_EXISTS_IN_SQLITE if reader.is_sqlite else _TABLE_EXISTS_IN_POSTGRES
    if reader.all(exists, {}) != [(1,)]:
        return None
    return next((revision for (revision,) in reader.all(_REVISION, {})), None)


def _make_private(file: Path) -> None:
    """Other users of the machine must not read bank accounts. SQLite gives its WAL files the same permissions."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def migrate(database: Database) -> None:
    """All steps in one transaction, so that a failed upgrade leaves the database as it was."""
    config = _alembic()
    if database.file is not None:
        _make_private(database.file)
    with database.upgrading() as connection:
        if not database.is_sqlite:
            # Not needed on SQLite, where a writer holds the only write lock.
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise CannotMigrate(
                "The database was made by a newer Countinghouse than this one. Install that version or a newer one."
            ) from error
