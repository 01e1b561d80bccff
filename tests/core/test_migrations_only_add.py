"""Older instances run on while a newer one migrates, so a migration only adds; one that takes away has to say so."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, inspect, select

from countinghouse.core import migrate as machinery
from countinghouse.core.migrate import migrations_folder, newest_revision, schema_compatibility
from countinghouse.core.upgrade_connections import patient_transaction
from tests.direct_database import DirectDatabase

# By table and column: its type, and whether an insert has to name it.
Columns = dict[tuple[str, str], tuple[str, bool]]

STEP = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "x1", "{after}"


def upgrade():
    {statement}
"""


def _columns(connection: Connection) -> Columns:
    found = inspect(connection)

    def needs_value(column: Any) -> bool:
        return not (column["nullable"] or column["default"] or column.get("identity") or column.get("autoincrement"))

    return {
        (table, column["name"]): (str(column["type"]), needs_value(column))
        for table in found.get_table_names()
        for column in found.get_columns(table)
    }


def _taken_away(before: Columns, after: Columns) -> list[str]:
    """What code that knows only `before` would fail on."""
    known = {table for table, _ in before}
    gone = [f"{table}.{name} is gone" for table, name in before.keys() - after.keys()]
    changed = [
        f"{key[0]}.{key[1]} has another type" for key in before.keys() & after.keys() if before[key][0] != after[key][0]
    ]
    needed = [
        f"{table}.{name} needs a value"
        for (table, name), (_, is_needed) in after.items()
        if is_needed and table in known and not before.get((table, name), ("", False))[1]
    ]
    return sorted(gone + changed + needed)


def find_contractions(database: DirectDatabase) -> dict[str, list[str]]:
    """Applies migrations. Returns what each takes away, unless it says which code works without it.

    Only those after 0023, since which the database can say that.
    """
    found: dict[str, list[str]] = {}
    states: list[tuple[Columns, str]] = []
    config = machinery._alembic(machinery.migrations_folder())
    with patient_transaction(database) as connection:

        def compare(revision: str) -> None:
            if not inspect(connection).has_table(schema_compatibility.name):
                return
            oldest = connection.execute(select(schema_compatibility.c.oldest_revision)).scalar_one()
            states.append((_columns(connection), oldest))
            (before, was), (after, became) = states[-2:] if len(states) > 1 else states * 2
            if was == became and (taken := _taken_away(before, after)):
                found[revision] = taken

        compare("the database as it is")
        config.attributes.update(connection=connection, on_applied=compare)
        command.upgrade(config, "head")
    return found


def test_migrations_take_nothing_away_without_saying_so(blank_url: str) -> None:
    database = DirectDatabase(blank_url)
    try:
        assert find_contractions(database) == {}
    finally:
        database.close()


RAISE = f"op.execute(\"UPDATE schema_compatibility SET oldest_revision = '{newest_revision()}x'\")"


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize(
    ("statement", "taken"),
    [
        ('op.drop_column("claims", "address")', ["claims.address is gone"]),
        (
            'op.drop_table("step_up_grants")',
            [f"step_up_grants.{name} is gone" for name in ("confirms", "expires_at", "session_hash")],
        ),
        (
            'op.alter_column("users", "mobile", new_column_name="phone")',
            ["users.mobile is gone", "users.phone needs a value"],
        ),
        ('op.execute("ALTER TABLE sessions ALTER device SET NOT NULL")', ["sessions.device needs a value"]),
        ('op.add_column("users", sa.Column("email", sa.Text, nullable=False))', ["users.email needs a value"]),
        ('op.alter_column("users", "mobile", type_=sa.Text)', ["users.mobile has another type"]),
        ('op.add_column("users", sa.Column("email", sa.Text, nullable=False, server_default=""))', []),
        ('op.create_table("notes", sa.Column("note", sa.Text, nullable=False))', []),
        (f'op.drop_column("claims", "address"); {RAISE}', []),
    ],
)
def test_what_older_code_would_fail_on_is_found(
    database: DirectDatabase, statement: str, taken: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "migrations"
    shutil.copytree(migrations_folder(), copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "versions/x1.py").write_text(STEP.format(after=newest_revision(), statement=statement))
    monkeypatch.setattr(machinery, "migrations_folder", lambda: copy)
    assert find_contractions(database) == ({"x1": taken} if taken else {})
