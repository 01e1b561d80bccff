"""A backup that is damaged, truncated or made by another program is refused before anything is written."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from countinghouse.backups.archive import ArchiveWriter, BadBackup, opened_archive
from tests.backups.kept import PASSPHRASE, back_up, command, is_blank, work
from tests.databases import Template
from tests.engines import on_one_engine


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("kept", work)


def reason(file: Path) -> str | None:
    """Why it is refused; None if it is not."""
    try:
        with opened_archive(file, lambda: PASSPHRASE, lambda *_: None):
            return None
    except BadBackup as bad:
        return str(bad)


def remade(file: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """With a right checksum, as somebody who means it would do."""
    with zipfile.ZipFile(file) as opened:
        entries = {name: opened.read(name) for name in opened.namelist()}
    change(entries)
    made = file.with_name("remade.backup")
    with made.open("wb") as written:
        archive = ArchiveWriter(written, None)
        for name, content in entries.items():
            (file.parent / "entry").write_bytes(content)
            with (file.parent / "entry").open("rb") as entry:
                archive.add(name, entry)
        archive.finish()
    return made


@on_one_engine
@pytest.mark.parametrize("is_encrypted", [False, True])
def test_any_changed_byte_and_any_missing_end_is_found(database_url: str, tmp_path: Path, is_encrypted: bool) -> None:
    words = ("--passphrase-stdin",) if is_encrypted else ()
    file = back_up(database_url, tmp_path, tmp_path / "desk.backup", *words, given=f"{PASSPHRASE}\n")
    content = file.read_bytes()
    damaged = tmp_path / "damaged.backup"
    random = Random(1)  # noqa: S311 - reproducible on purpose
    size = len(content)
    for place in [*range(40), *range(size - 400, size), *(random.randrange(size) for _ in range(200))]:
        flipped = bytearray(content)
        flipped[place] ^= 1 << random.randrange(8)
        damaged.write_bytes(flipped)
        assert reason(damaged), f"byte {place} of {size}"
    for length in [*range(40), *range(size - 200, size), *(random.randrange(size) for _ in range(100))]:
        damaged.write_bytes(content[:length])
        assert reason(damaged), f"{length} of {size} bytes"
    damaged.write_bytes(content + b"\0")
    assert reason(damaged)


def test_the_reason_is_named_and_nothing_is_written(database_url: str, blank_url: str, tmp_path: Path) -> None:
    file = back_up(database_url, tmp_path, tmp_path / "desk.backup")
    content = file.read_bytes()
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    bad = {
        "The backup is damaged: its content does not match its checksum.": flipped,
        "The backup is incomplete or damaged: its checksum, which is at its end, is missing.": content[:-1000],
        f"{tmp_path}/bad.backup is no backup of Countinghouse, or its beginning is damaged.": b"SQLite format 3",
    }
    for sentence, damaged in bad.items():
        (tmp_path / "bad.backup").write_bytes(damaged)
        for words in (("restore",), ("backup", "--check")):
            ended = command(blank_url, tmp_path / "new", *words, tmp_path / "bad.backup")
            assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", f"{sentence}\n")
    ended = command(blank_url, tmp_path / "new", "restore", tmp_path / "none.backup")
    assert (ended.returncode, ended.stderr) == (
        1,
        f"The backup cannot be read: No such file or directory: {tmp_path}/none.backup\n",
    )
    assert is_blank(blank_url)
    assert not (tmp_path / "new").exists()


def test_a_backup_of_a_newer_version_or_of_another_engine_is_refused(
    database_url: str, blank_url: str, tmp_path: Path
) -> None:
    file = back_up(database_url, tmp_path, tmp_path / "desk.backup")

    def edited(**changes: str) -> Path:
        def edit(entries: dict[str, bytes]) -> None:
            entries["manifest.json"] = json.dumps(json.loads(entries["manifest.json"]) | changes).encode()

        return remade(file, edit)

    newer = command(blank_url, tmp_path / "new", "restore", edited(revision="9999"))
    assert (newer.returncode, "made by a newer Countinghouse" in newer.stderr) == (1, True)
    later = command(blank_url, tmp_path / "new", "restore", edited(format="countinghouse-backup-2"))
    assert (later.returncode, "a newer version may have made it" in later.stderr) == (1, True)
    elsewhere = f"sqlite:///{tmp_path}/elsewhere.db" if "postgresql" in blank_url else "postgresql://127.0.0.1:1/none"
    other = command(elsewhere, tmp_path / "new", "restore", file)
    assert (other.returncode, "and the target is another database" in other.stderr) == (1, True)
    assert is_blank(blank_url)
    assert not (tmp_path / "elsewhere.db").exists()


def test_a_restore_that_fails_in_the_middle_leaves_the_target_empty(
    database_url: str, blank_url: str, tmp_path: Path
) -> None:
    """The checksum is right, and the database inside is cut off: half of it could be restored."""
    file = back_up(database_url, tmp_path, tmp_path / "desk.backup")

    def cut(entries: dict[str, bytes]) -> None:
        name = next(name for name in entries if name.startswith("database."))
        entries[name] = entries[name][: len(entries[name]) * 9 // 10]

    ended = command(blank_url, tmp_path / "new", "restore", remade(file, cut))
    assert ended.returncode == 1
    assert "database is incomplete" in ended.stderr or "pg_restore failed" in ended.stderr
    assert is_blank(blank_url)
    assert command(blank_url, tmp_path / "new", "restore", file).returncode == 0


def test_totals_that_differ_are_named(database_url: str, blank_url: str, tmp_path: Path) -> None:
    file = back_up(database_url, tmp_path, tmp_path / "desk.backup")

    def edit(entries: dict[str, bytes]) -> None:
        manifest = json.loads(entries["manifest.json"])
        manifest["totals"]["claims Paid"] += 1
        entries["manifest.json"] = json.dumps(manifest).encode()

    ended = command(blank_url, tmp_path / "new", "restore", remade(file, edit))
    assert ended.returncode == 1
    assert "wrong  The totals agree with the backup\n       claims Paid: 1 in the database, 2 in the" in ended.stdout
