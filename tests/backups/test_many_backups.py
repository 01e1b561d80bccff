"""Backups while the desk is in use, one after the other, interrupted, and of earlier releases."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from countinghouse.admins.tables import admins
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claims
from countinghouse.core.migrate import newest_revision
from tests.backups.kept import PASSPHRASE, back_up, command, count, work
from tests.contract.rows import fill
from tests.core.earlier_desks import desk_at
from tests.databases import Template
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.servers import server_environment

_SLOW = """
import time
from countinghouse.backups import copying
from countinghouse.cli import app
def never(*_):
    print("begun", flush=True)
    time.sleep(600)
copying.Gzipped.read = never
app()
"""


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("kept", work)


def test_a_backup_in_the_middle_of_moves_is_consistent(
    desk: Desk, database_url: str, blank_url: str, tmp_path: Path
) -> None:
    """The checks at the end of a restore compare claims with their moves, and everything with the totals."""
    is_done = threading.Event()
    moved = 0

    def keep_moving() -> None:
        nonlocal moved
        while not is_done.is_set():
            assert desk.move(desk.add_claim(), "Accepted").status_code == 200
            moved += 1

    mover = threading.Thread(target=keep_moving)
    mover.start()
    try:
        while moved < 5:
            time.sleep(0.01)
        file = back_up(database_url, tmp_path, tmp_path / "desk.backup")
    finally:
        is_done.set()
        mover.join()
    ended = command(blank_url, tmp_path / "new", "restore", file)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "wrong" not in ended.stdout
    assert 5 < count(blank_url, claims) <= count(database_url, claims)


@on_one_engine
def test_only_the_newest_backups_in_a_folder_are_kept(database_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    real = back_up(database_url, tmp_path, tmp_path / "real.backup")
    locked = back_up(database_url, tmp_path, tmp_path / "locked.backup", "--passphrase-stdin", given=f"{PASSPHRASE}\n")
    older = [folder / f"countinghouse-2026010{day}T000000Z.backup" for day in (1, 2, 3)]
    for file, source in zip(older, (real, locked, real), strict=True):
        shutil.copy(source, file)
    (folder / "letter.txt").touch()
    ended = command(database_url, tmp_path, "backup", folder, "--keep", "2")
    assert ended.returncode == 0, ended.stderr
    kept = sorted(file.name for file in folder.iterdir())
    assert kept[0] == older[2].name
    assert re.fullmatch(r"countinghouse-\d{8}T\d{6}Z\.backup", kept[1])
    assert kept[2:] == ["letter.txt"]
    assert [f"Removed {file}." in ended.stdout for file in older] == [True, True, False]
    refused = command(database_url, tmp_path, "backup", tmp_path / "one.backup", "--keep", "2")
    assert (refused.returncode, "give the folder" in refused.stderr) == (1, True)


@on_one_engine
def test_the_new_backup_is_kept_whatever_else_is_in_the_folder(database_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    real = back_up(database_url, tmp_path, tmp_path / "real.backup")

    def named(time: str) -> Path:
        return folder / f"countinghouse-{time}Z.backup"

    ahead = [named("20990101T000000"), named("20990102T000000")]
    for file in ahead:
        shutil.copy(real, file)
    # None of these is a backup that the command has named.
    shutil.copy(real, named("20209901T000000"))
    shutil.copy(real, named("２０２６０１０１T000000"))  # noqa: RUF001 - digits, but not those of a file name
    named("20200101T000000").symlink_to(real)
    named("20200102T000000").mkdir()
    named("20200103T000000").write_text("a letter")
    named("20200104T000000").touch()
    before = {file.name for file in folder.iterdir()}
    old = named("20200105T000000")
    shutil.copy(real, old)

    ended = command(database_url, tmp_path, "backup", folder, "--keep", "1")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (made,) = {file.name for file in folder.iterdir()} - before
    assert f"Wrote {folder / made} " in ended.stdout
    assert ended.stdout.count("Removed ") == 1
    assert f"Removed {old}." in ended.stdout
    for file in ahead:
        assert f"{file} is dated in the future, so it was neither counted nor removed" in ended.stdout
    assert json.loads((tmp_path / "last-backup.json").read_text())["path"] == str(folder / made)


@on_one_engine
def test_a_backup_never_replaces_a_file(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    ended = command(database_url, tmp_path, "backup", tmp_path / "precious")
    assert (ended.returncode, "exists already" in ended.stderr) == (1, True)
    assert (tmp_path / "precious").read_text() == "precious"
    ended = command(database_url, tmp_path, "backup", tmp_path / "none" / "desk.backup")
    assert (ended.returncode, ended.stderr) == (1, f"There is no folder {tmp_path}/none.\n")


@on_one_engine
def test_a_killed_backup_leaves_nothing_under_its_name_and_the_next_one_tidies_up(
    database_url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    env = server_environment(database_url, COUNTINGHOUSE_DATA_DIR=str(tmp_path))
    words = [sys.executable, "-c", _SLOW, "backup", str(folder)]
    with subprocess.Popen(words, env=env, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        back_up(database_url, tmp_path, folder / "beside.backup")
        assert len([*folder.iterdir()]) == 2, "a backup that is still running is left alone"
        os.kill(process.pid, signal.SIGKILL)
    assert [*folder.glob("countinghouse-*")] == []
    back_up(database_url, tmp_path, folder / "next.backup")
    assert {file.name for file in folder.iterdir()} == {"beside.backup", "next.backup"}


def test_a_database_that_is_not_there_is_reported(blank_url: str, tmp_path: Path) -> None:
    ended = command(blank_url, tmp_path, "backup", tmp_path / "desk.backup")
    assert ended.returncode == 1
    assert ended.stderr.startswith(("There is no database at", "There is nothing to back up"))
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("revision", ["0001", "0014"])
def test_an_earlier_release_is_backed_up_as_it_is_and_migrated_when_it_is_restored(
    blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    with desk_at(revision, blank_url, tmp_path, monkeypatch) as desk:
        fill(desk, 40, statuses=("Pending",))
        (asha,) = desk.rows(select(admins.c.id, admins.c.created_at))
        added = {"at": asha.created_at, "actor": "command", "verb": "admin.added", "subject_id": asha.id}
        desk.change(insert(audit_log).values(added | {"after": {"username": "asha"}}))
        file = back_up(blank_url, tmp_path, tmp_path / "desk.backup")
        with desk.database.reading() as connection:
            assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == revision
    checked = command(blank_url, tmp_path, "backup", "--check", file)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"Migrated from {revision} to {newest_revision()} in " in checked.stdout
    assert "claims Pending: 40" in checked.stdout
