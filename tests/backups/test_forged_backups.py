"""Backups whose checksum is right and whose content is not: one sentence, and nothing is left."""

import gzip
import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.backups.kept import back_up, command, is_blank, sign, work
from tests.backups.test_bad_backups import remade
from tests.databases import Template
from tests.desk import Desk
from tests.engines import on_one_engine

Entries = dict[str, bytes]
DATABASE, CHECKPOINTS, MANIFEST = "database.sqlite.gz", "audit-checkpoints.jsonl", "manifest.json"


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("kept", work)


def assert_refused(url: str, folder: Path, file: Path, sentence: str) -> None:
    new = folder / "new"
    ended = command(url, new, "restore", file)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1), ended.stdout + ended.stderr
    assert sentence in ended.stderr
    assert is_blank(url)
    assert not new.exists()


def with_statements(entries: Entries, folder: Path, statements: str) -> bytes:
    """The database, after somebody has changed it."""
    file = folder / "changed.db"
    file.write_bytes(gzip.decompress(entries[DATABASE]))
    connection = sqlite3.connect(file)
    connection.executescript(statements)
    connection.close()
    return gzip.compress(file.read_bytes(), 1)


@on_one_engine
def test_a_database_that_cannot_be_used_is_refused(database_url: str, blank_url: str, tmp_path: Path) -> None:
    file = back_up(database_url, tmp_path / "data", tmp_path / "desk.backup")
    with zipfile.ZipFile(file) as opened:
        entries = {name: opened.read(name) for name in opened.namelist()}
    pages = gzip.decompress(entries[DATABASE])
    torn = bytearray(pages)
    for place in range(4096, len(torn), 5 * 4096):
        torn[place : place + 60] = b"\xff" * 60
    renamed = "ALTER TABLE users RENAME TO others; CREATE VIEW users AS SELECT * FROM others"
    forged = {
        "its database is no SQLite database": gzip.compress(b"hello" * 1000),
        "its database is not as large as its header states": gzip.compress(pages[: len(pages) // 2]),
        "its database is larger than its header states": gzip.compress(pages + bytes(50_000_000)),
        "something follows its database": entries[DATABASE] + gzip.compress(b"more"),
        "The backup is damaged: its database": gzip.compress(bytes(torn)),
        "is not the one that the backup describes": with_statements(entries, tmp_path, renamed),
        "is not at the migration that the backup states": with_statements(
            entries, tmp_path, "INSERT INTO alembic_version VALUES ('0001')"
        ),
        "no such table: alembic_version": with_statements(entries, tmp_path, "DROP TABLE alembic_version"),
    }
    for sentence, database in forged.items():
        bad = remade(file, lambda found, database=database: found.update({DATABASE: database}))  # type: ignore[misc]
        assert_refused(blank_url, tmp_path, bad, sentence)


@on_one_engine
def test_a_database_of_terabytes_is_refused_before_it_is_written(
    database_url: str, blank_url: str, tmp_path: Path
) -> None:
    file = back_up(database_url, tmp_path / "data", tmp_path / "desk.backup")

    def claim_terabytes(entries: Entries) -> None:
        pages = bytearray(gzip.decompress(entries[DATABASE]))
        pages[28:32] = b"\xff" * 4
        entries[DATABASE] = gzip.compress(bytes(pages), 1)

    assert_refused(blank_url, tmp_path, remade(file, claim_terabytes), "The database needs 17,592,186 MB, and where ")


def test_a_missing_or_a_strange_part_is_refused(desk: Desk, database_url: str, blank_url: str, tmp_path: Path) -> None:
    data = sign(desk, tmp_path / "data")
    file = back_up(database_url, data, tmp_path / "desk.backup")

    def claim_to_be_older(entries: Entries) -> None:
        entries[MANIFEST] = json.dumps(json.loads(entries[MANIFEST]) | {"revision": "0001"}).encode()

    changes: dict[str, Callable[[Entries], object]] = {
        "it has no manifest": lambda entries: entries.pop(MANIFEST),
        "audit-checkpoints.jsonl is missing from it": lambda entries: entries.pop(CHECKPOINTS),
        "'../evil' is in it": lambda entries: entries.update({"../evil": b"evil"}),
        "is not at the migration that the backup states": claim_to_be_older,
    }
    for sentence, change in changes.items():
        assert_refused(blank_url, tmp_path, remade(file, lambda found, change=change: change(found)), sentence)  # type: ignore[misc]
    assert not (tmp_path / "evil").exists()


@on_one_engine
def test_checkpoints_that_cannot_be_read_are_wrong(
    desk: Desk, database_url: str, blank_url: str, tmp_path: Path
) -> None:
    data = sign(desk, tmp_path / "data")
    file = back_up(database_url, data, tmp_path / "desk.backup")
    bad = remade(file, lambda entries: entries.update({CHECKPOINTS: b"garbage\n"}))
    ended = command(blank_url, tmp_path / "new", "restore", bad)
    assert ended.returncode == 1
    assert "wrong  The checkpoints in the backup can be read" in ended.stdout
    assert "look into it before you start a server" in ended.stderr
