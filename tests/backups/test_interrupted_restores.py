"""A restore that was killed leaves nothing that a server would start on, and can simply be run again."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.audit.sealed import audit
from tests.backups.kept import PASSPHRASE, back_up, command, contents, sign, work
from tests.backups.trouble import STOPPED, stop_at
from tests.databases import Template
from tests.desk import Desk
from tests.servers import free_port, server_environment
from tests.waiting import eventually
from tests.warm import WarmProcess

# While the database is loaded, on either engine.
LOADING = {True: "backups.copying._Pages", False: "backups.copying.restoring"}
CHECKING = "cli.backups._verify"
PLACING = "backups.restoring.sync_folder"


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("kept", work)


@contextmanager
def stopped_restore(url: str, folder: Path, file: Path, step: str) -> Iterator[WarmProcess]:
    """A restore that never gets beyond one of its steps. It is killed at the end."""
    given, out, err = (file.with_name(name) for name in ("given", "out", "err"))
    given.write_text(f"{PASSPHRASE}\n")
    for written in (out, err):
        written.write_text("")
    env = server_environment(url, COUNTINGHOUSE_DATA_DIR=str(folder))
    words = ("restore", str(file), "--passphrase-stdin")
    process = WarmProcess(words, env=env, cwd=file.parent, given=given, out=out, err=err, before=partial(stop_at, step))
    try:
        eventually(lambda: STOPPED in out.read_text())
        yield process
    finally:
        process.kill()
        process.wait(60)


def killed_restore(url: str, folder: Path, file: Path, step: str) -> None:
    with stopped_restore(url, folder, file, step):
        pass


@pytest.fixture
def file(database_url: str, tmp_path: Path) -> Path:
    return back_up(database_url, tmp_path / "data", tmp_path / "desk.backup")


def is_sqlite(url: str) -> bool:
    return url.startswith("sqlite")


def restore(url: str, folder: Path, file: Path) -> "subprocess.CompletedProcess[str]":
    return command(url, folder, "restore", file, "--passphrase-stdin", given=f"{PASSPHRASE}\n")


def test_nothing_starts_on_what_a_killed_restore_has_left(
    database_url: str, blank_url: str, tmp_path: Path, file: Path
) -> None:
    new = tmp_path / "new"
    for step in (LOADING[is_sqlite(blank_url)], CHECKING):
        killed_restore(blank_url, new, file, step)
        served = command(blank_url, new, "serve", "--port", str(free_port()))
        assert served.returncode == 1, step
        assert "A restore into this database has not ended" in served.stderr
        assert "run `countinghouse restore` again" in served.stderr
    for words in (("doctor",), ("backup", tmp_path / "half.backup"), ("migrate",), ("audit", "verify")):
        ended = command(blank_url, new, *words)
        assert ended.returncode in (1, 2), words
        assert "A restore into this database has not ended" in ended.stdout + ended.stderr, words
    ended = restore(blank_url, new, file)
    assert (ended.returncode, "wrong" in ended.stdout) == (0, False), ended.stdout + ended.stderr
    assert "Removed what a restore that was interrupted had left." in ended.stdout
    assert contents(blank_url) == contents(database_url)
    assert [*new.glob("*restoring*")] == [], "nothing is left beside the database"
    assert command(blank_url, new, "doctor").returncode == 0


def test_the_database_is_ready_after_the_key_and_the_checkpoints(
    desk: Desk, database_url: str, blank_url: str, tmp_path: Path
) -> None:
    data, new = sign(desk, tmp_path / "data"), tmp_path / "new"
    words = ("--passphrase-stdin",)
    file = back_up(database_url, data, tmp_path / "desk.backup", *words, given=f"{PASSPHRASE}\n")
    killed_restore(blank_url, new, file, PLACING)
    assert (new / "audit-checkpoints.jsonl").exists()
    early = audit(blank_url, new, "verify")
    assert (early.returncode, "has not ended" in early.stderr) == (2, True)
    ended = restore(blank_url, new, file)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert [*new.glob("*before-restore*")] == [], "the checkpoints that are there are those of the backup"
    assert (new / "audit-key.pem").read_bytes() == (data / "audit-key.pem").read_bytes()
    assert audit(blank_url, new, "verify").returncode == 0
    again = restore(blank_url, new, file)
    assert (again.returncode, "A backup is restored only" in again.stderr) == (3, True)


def test_a_second_restore_leaves_the_first_alone(blank_url: str, tmp_path: Path, file: Path) -> None:
    new = tmp_path / "new"
    with stopped_restore(blank_url, new, file, CHECKING):
        second = restore(blank_url, new, file)
        assert (second.returncode, second.stdout) == (1, "")
        assert "Another restore into this database is running." in second.stderr
        served = command(blank_url, new, "serve", "--port", str(free_port()))
        assert (served.returncode, "has not ended" in served.stderr) == (1, True)


def test_ctrl_c_leaves_the_target_empty(blank_url: str, tmp_path: Path, file: Path) -> None:
    new = tmp_path / "new"
    with stopped_restore(blank_url, new, file, CHECKING) as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(60) != 0
    assert contents(blank_url) == {}
    assert not new.exists()
