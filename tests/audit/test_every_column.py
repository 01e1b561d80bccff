"""Each column of each table is compared by `audit verify`, or SECURITY.md says that it is not."""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Column, Integer, LargeBinary, Table

from countinghouse.audit.proof import read_proof
from countinghouse.audit.verdict import Verdict
from countinghouse.audit.verifying import verify
from countinghouse.cli.upgrading import KINDS
from countinghouse.core.db import Cost, Database, metadata
from countinghouse.core.times import Moment
from tests.admins.second_factors import Phone, set_up_phone
from tests.audit.sealed import checkpoints_in, seal_and_sign
from tests.audit.test_verifying import work
from tests.databases import Template
from tests.desk import Desk
from tests.event_loop import run
from tests.house.repository import text_of

pytestmark = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)

NAME = re.compile(r"`(\w+)`")
TABLES = {table.name: table for table in metadata.sorted_tables}


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("worked", work)


def not_compared() -> dict[str, set[str]]:
    """The columns by table, as SECURITY.md names them."""
    listed = text_of("SECURITY.md").partition("## What audit verify does not compare")[2]
    found: dict[str, set[str]] = {}
    for line in listed.splitlines():
        if line.startswith("| `"):
            _, tables, columns, _ = line.split("|")
            for table in NAME.findall(tables):
                assert table not in found, table
                every = columns.strip() == "everything"
                named = set(TABLES[table].c.keys()) if every else set(NAME.findall(columns.partition(";")[0]))
                assert named <= set(TABLES[table].c.keys()), (table, named)
                found[table] = named
    return found


class Copy:
    """The desk's database, whose triggers, checks and references are off."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self._folder, self._whole, self._changed = folder, folder / "whole.db", folder / "changed.db"
        seal_and_sign(desk, folder)
        with closing(sqlite3.connect(desk.database.plain_url.removeprefix("sqlite:///"))) as database:
            database.execute("VACUUM INTO ?", (str(self._whole),))
        with closing(sqlite3.connect(self._whole, isolation_level=None)) as database:
            for (trigger,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                database.execute(f"DROP TRIGGER {trigger}")

    def count(self, table: Table) -> int:
        with closing(sqlite3.connect(self._whole)) as database:
            return int(database.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0])

    def problems_with(self, columns: Iterable[Column[Any]]) -> list[str]:
        """What is found after every value of these columns was changed."""
        shutil.copy(self._whole, self._changed)
        with closing(sqlite3.connect(self._changed, isolation_level=None)) as database:
            database.execute("PRAGMA ignore_check_constraints = ON")
            for column in columns:
                change(database, column)
        found = run_verify(f"sqlite:///{self._changed}", self._folder)
        return found.problems


def change(database: sqlite3.Connection, column: Column[Any]) -> None:
    place = f"UPDATE {column.table.name} SET {column.name} = ? WHERE rowid = ?"
    rows = database.execute(f"SELECT rowid, {column.name} FROM {column.table.name}").fetchall()
    for number, value in reversed(rows):
        database.execute(place, (other(column, value, number), number))


def other(column: Column[Any], value: Any, number: int) -> Any:
    """Different for each row, because some are unique."""
    if isinstance(column.type, Moment):
        return None if column.nullable and value is not None else f"2020-01-01T00:00:00.{number:06}Z"
    if isinstance(column.type, JSON):
        return '["a"]'
    if isinstance(column.type, LargeBinary):
        return (value or b"x") + b"1"
    if isinstance(column.type, Boolean):
        return not value
    if isinstance(column.type, Integer):
        return (value or 0) + 1_000_000
    return f"{value or ''}{number}"


def run_verify(url: str, folder: Path) -> Verdict:
    database = Database(url)
    try:
        return run(
            database.read(
                lambda reader: verify(read_proof(reader, KINDS, checkpoints_in(folder)), KINDS),
                Cost.LONG,
                snapshot=True,
            )
        )
    finally:
        database.close()


@pytest.fixture
def copy(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Copy:
    set_up_phone(desk, Phone(monkeypatch), by="asha")
    made = Copy(desk, tmp_path)
    assert made.problems_with([]) == []
    return made


def test_every_column_that_is_not_named_is_compared(copy: Copy) -> None:
    named = not_compared()
    compared = [
        column for table in TABLES.values() for column in table.c if column.name not in named.get(table.name, ())
    ]
    without_rows = {column.table.name for column in compared if copy.count(column.table) == 0}
    assert without_rows == set()
    assert [str(column) for column in compared if copy.problems_with([column]) == []] == []


def test_every_column_that_is_named_is_not_compared(copy: Copy) -> None:
    found = {
        f"{table}.{name}": copy.problems_with([TABLES[table].c[name]])
        for table, names in not_compared().items()
        for name in sorted(names)
        if names != set(TABLES[table].c.keys())
    }
    assert {name: problems for name, problems in found.items() if problems} == {}
    whole = [table for table, names in not_compared().items() if names == set(TABLES[table].c.keys())]
    assert copy.problems_with(column for table in whole for column in TABLES[table].c) == []
