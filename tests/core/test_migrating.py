"""Migrating a database to the schema that the code expects."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import CheckConstraint, Column, ForeignKeyConstraint, Inspector, Table, UniqueConstraint, inspect, text

import countinghouse.main  # noqa: F401 - importing it registers every package's tables
from countinghouse.core.db import metadata
from countinghouse.core.migrate import SchemaState, migrate, newest_revision, read_revision, read_schema_state
from countinghouse.core.upgrade_connections import CannotMigrate
from countinghouse.settings import Settings
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.direct_database import DirectDatabase
from tests.event_loop import run

# One process that has imported everything forks into three, so that all start at the same moment.
MIGRATE_TOGETHER = """
import os, sys
import countinghouse.main
from countinghouse.core.db import Database
from countinghouse.core.migrate import migrate
children = []
for _ in range(3):
    child = os.fork()
    if not child:
        migrate(Database(sys.argv[1]))
        sys.exit()
    children.append(child)
sys.exit(sum(os.waitpid(child, 0)[1] != 0 for child in children))
"""

OPEN_TOGETHER = """
import os, sqlite3, sys
from countinghouse.core.db.sqlite_connection import prepare_connection
failed = 0
for number in range(100):
    children = []
    for _ in range(6):
        child = os.fork()
        if not child:
            connection = sqlite3.connect(f"{sys.argv[1]}/{number}.db", isolation_level=None)
            prepare_connection(connection, 20_000)
            connection.execute("CREATE TABLE IF NOT EXISTS one (x)")
            os._exit(0)
        children.append(child)
    failed += sum(os.waitpid(child, 0)[1] != 0 for child in children)
sys.exit(failed)
"""

# SQLAlchemy cannot read these on SQLite. Their names are read without it.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Skipped unsupported reflection of expression-based index",
    "ignore:autogenerate skipping metadata-specified expression-based index",
)


def _schema(database: DirectDatabase) -> dict[str, Any]:
    with database.reading() as connection:
        inspector = inspect(connection)
        return {
            table: (str(inspector.get_columns(table)), _names_in_database(inspector, table))
            for table in inspector.get_table_names()
        }


_ENGINE_SPECIFIC = re.compile(
    r"(ix_)?(claims|purchases|users|payout_references)_(search|pieces)(_\w+)?|letter_places"
    r"|rows_in_the_way|(claim|purchase|user)_tallies_(unfolded|fold)"
)


def _is_declared(name: str | None, _kind: str, _parents: Any) -> bool:
    """False for what searches and triggers need: it differs by engine, and our table definitions cannot express it."""
    return name is None or _ENGINE_SPECIFIC.fullmatch(name) is None


def _has_columns_only(thing: Any, _name: str | None, kind: str, _is_reflected: bool, _other: Any) -> bool:
    """PostgreSQL stores expressions in its own words, and Alembic compares texts."""
    return kind != "index" or all(isinstance(part, Column) for part in thing.expressions)


def _names_in_database(inspector: Inspector, table: str) -> dict[str, set[str | None]]:
    return {
        "check": {found["name"] for found in inspector.get_check_constraints(table)},
        "unique": {found["name"] for found in inspector.get_unique_constraints(table)},
        "foreign": {found["name"] for found in inspector.get_foreign_keys(table)},
        "index": {name for name in _indexes_in_database(inspector, table) if _is_declared(name, "index", {})},
    }


def _indexes_in_database(inspector: Inspector, table: str) -> Iterator[str | None]:
    if inspector.dialect.name == "sqlite":
        # The inspector leaves out those of expressions.
        made = "SELECT name FROM pragma_index_list(?) WHERE origin = 'c'"
        return (row[0] for row in inspector.bind.exec_driver_sql(made, (table,)))  # type: ignore[union-attr]
    # PostgreSQL lists the index behind a unique constraint as well.
    return (found["name"] for found in inspector.get_indexes(table) if not found.get("duplicates_constraint"))


def _declared_names(table: Table) -> dict[str, set[str]]:
    kinds = {"check": CheckConstraint, "unique": UniqueConstraint, "foreign": ForeignKeyConstraint}
    declared = {
        kind: {str(one.name) for one in table.constraints if isinstance(one, cls)} for kind, cls in kinds.items()
    }
    return declared | {"index": {str(index.name) for index in table.indexes}}


def test_migrations_create_the_declared_tables(database: DirectDatabase) -> None:
    with database.reading() as connection:
        included = {"include_name": _is_declared, "include_object": _has_columns_only}
        context = MigrationContext.configure(connection, opts={"compare_type": True, **included})
        assert compare_metadata(context, metadata) == []


def test_every_declared_constraint_and_index_exists(database: DirectDatabase) -> None:
    with database.reading() as connection:
        made = {name: _names_in_database(inspect(connection), name) for name in metadata.tables}
    assert made == {name: _declared_names(table) for name, table in metadata.tables.items()}


def test_several_processes_can_migrate_a_blank_database_at_once(blank_url: str) -> None:
    url = Settings(database_url=blank_url, _env_file=None).database
    ended = subprocess.run(
        [sys.executable, "-c", MIGRATE_TOGETHER, url], stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )
    assert (ended.stderr, ended.returncode) == ("", 0)
    database = DirectDatabase(blank_url)
    assert run(database.read(read_revision)) == newest_revision()
    database.close()


def test_many_processes_can_open_a_new_file_at_once(tmp_path: Path) -> None:
    """SQLite itself does not wait for another connection that is switching the file to its write-ahead log."""
    ended = subprocess.run(
        [sys.executable, "-c", OPEN_TOGETHER, str(tmp_path)], stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )
    assert (ended.stderr, ended.returncode) == ("", 0)


def test_migrating_twice_changes_nothing(database: DirectDatabase) -> None:
    before = _schema(database)
    migrate(database)
    assert _schema(database) == before


def make_newer(database: DirectDatabase, works_with: str | None) -> None:
    """As a later release would, which says that code with the migration `works_with` still works."""
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        connection.execute(text("DELETE FROM schema_compatibility"))
        if works_with is not None:
            connection.execute(text("INSERT INTO schema_compatibility VALUES (:oldest)"), {"oldest": works_with})


@pytest.mark.parametrize("works_with", ["9998", None])
def test_a_newer_database_is_refused_and_left_unchanged(database: DirectDatabase, works_with: str | None) -> None:
    make_newer(database, works_with)
    before = _schema(database)
    with pytest.raises(CannotMigrate, match="made by a newer Countinghouse"):
        migrate(database)
    assert _schema(database) == before
    assert run(database.read(read_revision)) == "9999"


def test_a_newer_database_without_a_word_about_older_versions_is_refused(database: DirectDatabase) -> None:
    make_newer(database, None)
    with database.writing() as connection:
        connection.execute(text("DROP TABLE schema_compatibility"))
    with pytest.raises(CannotMigrate, match="made by a newer Countinghouse"):
        migrate(database)
    assert run(database.read(read_schema_state)) is SchemaState.TOO_NEW


def test_a_newer_database_that_works_with_this_version_is_used_as_it_is(database: DirectDatabase) -> None:
    make_newer(database, newest_revision())
    before = _schema(database)
    migrate(database)
    assert _schema(database) == before
    assert run(database.read(read_revision)) == "9999"
    assert run(database.read(read_schema_state)) is SchemaState.AHEAD


def test_the_server_is_ready_only_when_migrated_but_always_alive(blank_url: str) -> None:
    desk = Desk(Settings(database_url=blank_url, _env_file=None), {})
    try:
        answer = desk.get("/readyz", by=None)
        assert_refused(answer, 503, "not_migrated")
        assert answer.headers["retry-after"] == "5"
        assert desk.get("/healthz", by=None).json() == {"status": "alive"}
        migrate(desk.database)
        assert desk.get("/readyz", by=None).json() == {"status": "ready"}
        make_newer(desk.database, newest_revision())
        assert desk.get("/readyz", by=None).json() == {"status": "ready"}
        make_newer(desk.database, "9998")
        answer = desk.get("/readyz", by=None)
        assert_refused(answer, 503, "not_upgraded")
        assert answer.headers["retry-after"] == "5"
        assert desk.get("/healthz", by=None).json() == {"status": "alive"}
    finally:
        desk.close()


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_new_sqlite_file_is_readable_only_by_its_owner(blank_url: str) -> None:
    database = DirectDatabase(blank_url)
    migrate(database)
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
        assert database.file is not None
        files = [*database.file.parent.glob(f"{database.file.name}*")]
        assert len(files) > 1, "the log stands beside the database"
        assert {oct(file.stat().st_mode & 0o777) for file in files} == {"0o600"}
