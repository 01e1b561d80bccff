"""A migration that fails halfway leaves the database unchanged, on both engines."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError

from countinghouse.core import migrate as machinery
from countinghouse.core.migrate import migrate, migrations_folder, newest_revision, read_revision
from tests.direct_database import DirectDatabase
from tests.event_loop import run

STEP = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{after}"


def upgrade():
    op.create_table("{table}", sa.Column("id", sa.Integer, primary_key=True))
    op.add_column("users", sa.Column("{table}", sa.Integer))
    op.execute("{last}")
"""
WORKS = "INSERT INTO users (id, created_at, username, mobile) VALUES ('b', '2026-11-15T02:52:36.120Z', 'Ravi', '1')"
# Of the product. A test adds its steps behind it.
NEWEST = newest_revision()
FAILS = "INSERT INTO no_such_table VALUES (1)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the migrations, to which a test can add more."""
    copy = tmp_path / "migrations"
    shutil.copytree(migrations_folder(), copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(machinery, "migrations_folder", lambda: copy)
    return copy


def _add_step(folder: Path, revision: str, after: str | None, table: str, last: str) -> None:
    step = STEP.format(revision=revision, after=after, table=table, last=last)
    (folder / "versions" / f"{revision}_step.py").write_text(step)


def _tables(database: DirectDatabase) -> set[str]:
    with database.reading() as connection:
        return set(inspect(connection).get_table_names())


def test_a_migration_that_succeeds_is_applied(database: DirectDatabase, folder: Path) -> None:
    _add_step(folder, "x1", NEWEST, "extra", WORKS)
    migrate(database)
    assert "extra" in _tables(database)


def test_a_failed_migration_rolls_back_the_earlier_ones_of_the_same_run(database: DirectDatabase, folder: Path) -> None:
    before = _tables(database)
    _add_step(folder, "x1", NEWEST, "extra", WORKS)
    _add_step(folder, "x2", "x1", "more", FAILS)
    with pytest.raises(DBAPIError, match="no_such_table"):
        migrate(database)
    assert _tables(database) == before
    assert run(database.read(read_revision)) == NEWEST
    with database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM users")).scalar_one() == 0
        assert "extra" not in {column["name"] for column in inspect(connection).get_columns("users")}


def test_a_failed_first_migration_leaves_no_tables(blank_url: str, folder: Path) -> None:
    _add_step(folder, "x1", NEWEST, "extra", FAILS)
    database = DirectDatabase(blank_url)
    try:
        with pytest.raises(DBAPIError, match="no_such_table"):
            migrate(database)
        assert _tables(database) == set()
    finally:
        database.close()
