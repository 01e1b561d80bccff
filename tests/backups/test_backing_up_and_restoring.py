"""A backup contains everything, and is restored into an empty place."""

import gzip
import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import update

from countinghouse.audit.tables import audit_log
from countinghouse.settings import Settings
from tests.audit.sealed import audit, checkpoints_in, seal_and_sign
from tests.backups.kept import PASSPHRASE, back_up, command, contents, is_blank, recorded, sign, work
from tests.contract.rows import CLAIMS
from tests.core.tallies import assert_searches_are_true, assert_tallies_are_true
from tests.databases import Place, Template
from tests.desk import Desk
from tests.engines import on_one_engine

_RENAME = update(audit_log).where(audit_log.c.seq == 3).values(actor="somebody")


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("kept", work)


def test_everything_is_restored_and_checked(
    desk: Desk, database_url: str, blank_url: str, tmp_path: Path, template: Template
) -> None:
    data = sign(desk, tmp_path / "data")
    before, logged = contents(database_url), desk.audit()
    file = back_up(database_url, data, tmp_path / "desk.backup")
    claims = desk.get(CLAIMS).json()
    checked = command(database_url, data, "backup", "--check", file)
    assert (checked.returncode, "wrong" in checked.stdout) == (0, False), checked.stdout + checked.stderr
    ended = command(blank_url, tmp_path / "new", "restore", file)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "fine   The totals agree with the backup" in ended.stdout
    assert "fine   No claim was paid twice" in ended.stdout
    assert f"fine   The audit log is unaltered ({len(logged)} rows sealed)" in ended.stdout
    assert "claims Paid: 1\n" in ended.stdout
    assert contents(blank_url) == before
    restored = Desk(Settings(database_url=blank_url, _env_file=None), template.tokens)
    try:
        assert restored.get(CLAIMS).json() == claims
        assert restored.move(restored.add_claim(), "Accepted").status_code == 200
        assert [row.seq for row in restored.audit()] == [*range(1, len(logged) + 4)], "the numbering continues"
        assert_tallies_are_true(restored.database)
        assert_searches_are_true(restored.database)
    finally:
        restored.close()


def test_a_backup_is_private_and_is_noted_for_doctor(database_url: str, tmp_path: Path) -> None:
    file = back_up(database_url, tmp_path, tmp_path / "desk.backup")
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    noted = json.loads((tmp_path / "last-backup.json").read_text())
    assert noted == {"at": noted["at"], "path": str(file), "bytes": file.stat().st_size}
    assert noted["at"].endswith("Z")
    assert {found.name for found in tmp_path.iterdir()} == {"desk.backup", "last-backup.json"}


def test_the_audit_log_tells_of_a_backup_and_of_a_restore(database_url: str, blank_url: str, tmp_path: Path) -> None:
    file = back_up(database_url, tmp_path, tmp_path / "desk.backup")
    checksum = file.read_bytes()[-64:].decode()
    made = {"file": str(file), "bytes": file.stat().st_size, "encrypted": False}
    assert recorded(database_url) == [("command", "backup.made", checksum, made)]
    ended = command(blank_url, tmp_path / "new", "restore", file)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    # The backup does not have its own row.
    ((actor, verb, subject, details),) = recorded(blank_url)
    assert (actor, verb, subject) == ("command", "backup.restored", checksum)
    assert details == {"file": str(file), "madeAt": details["madeAt"], "encrypted": False, "totalsAgree": True}


def test_a_target_that_has_anything_is_refused_and_left_unchanged(
    database_url: str, tmp_path: Path, place: Place, migrated: Template
) -> None:
    file = back_up(database_url, tmp_path, tmp_path / "desk.backup")
    target = place.copied(migrated)
    before = contents(target)
    ended = command(target, tmp_path / "new", "restore", file)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert "A backup is restored only" in ended.stderr
    assert contents(target) == before
    place.remove(target)
    assert not (tmp_path / "new").exists()


@on_one_engine
def test_a_log_that_another_database_left_is_refused(database_url: str, blank_url: str, tmp_path: Path) -> None:
    file = back_up(database_url, tmp_path, tmp_path / "desk.backup")
    Path(f"{blank_url.removeprefix('sqlite:///')}-wal").write_bytes(b"pages of another database")
    ended = command(blank_url, tmp_path, "restore", file)
    assert (ended.returncode, "-wal" in ended.stderr) == (3, True)


def test_an_encrypted_backup_has_the_key_of_the_audit_log_and_a_plain_one_does_not(
    desk: Desk, database_url: str, blank_url: str, tmp_path: Path
) -> None:
    data = sign(desk, tmp_path / "data")
    plain = back_up(database_url, data, tmp_path / "plain.backup")
    file = back_up(
        database_url, data, tmp_path / "desk.backup", "--encrypt", "--passphrase-stdin", given=f"{PASSPHRASE}\n"
    )
    secret = (data / "audit-key.pem").read_bytes()
    for made in (plain, file):
        assert secret.splitlines()[1] not in made.read_bytes()
    assert b"claims Paid" in plain.read_bytes()
    assert b"claims Paid" not in file.read_bytes()
    wrong = command(blank_url, tmp_path / "new", "restore", file, "--passphrase-stdin", given="another passphrase\n")
    assert (wrong.returncode, wrong.stderr) == (1, "The passphrase is not the one of this backup.\n")
    unasked = command(blank_url, tmp_path / "new", "restore", file)
    assert (unasked.returncode, "--passphrase-stdin" in unasked.stderr) == (1, True)
    assert is_blank(blank_url)
    ended = command(blank_url, tmp_path / "new", "restore", file, "--passphrase-stdin", given=f"{PASSPHRASE}\n")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert (tmp_path / "new" / "audit-key.pem").read_bytes() == secret
    assert oct((tmp_path / "new" / "audit-key.pem").stat().st_mode & 0o777) == "0o600"
    assert audit(blank_url, tmp_path / "new", "verify").returncode == 0
    assert contents(blank_url) == contents(database_url)


@on_one_engine
def test_a_passphrase_that_is_easily_guessed_is_refused(database_url: str, tmp_path: Path) -> None:
    ended = command(database_url, tmp_path, "backup", tmp_path / "b", "--passphrase-stdin", given="short\n")
    assert (ended.returncode, ended.stderr) == (1, "The passphrase needs at least 10 characters.\n")
    assert [*tmp_path.iterdir()] == []


def test_checkpoints_from_after_the_backup_are_kept_aside(
    desk: Desk, database_url: str, blank_url: str, tmp_path: Path
) -> None:
    data = sign(desk, tmp_path / "data")
    file = back_up(database_url, data, tmp_path / "desk.backup")
    desk.add_claim_moved_to("Accepted")
    seal_and_sign(desk, data)
    newer = (data / "audit-checkpoints.jsonl").read_bytes()
    ended = command(blank_url, data, "restore", file)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (aside,) = data.glob("audit-checkpoints.jsonl.before-restore-*")
    assert aside.read_bytes() == newer
    assert len([*checkpoints_in(data).read()]) == 1
    assert f"Keep {aside}" in ended.stdout
    assert audit(blank_url, data, "verify").returncode == 0


def test_an_altered_log_is_found_when_it_is_restored(
    desk: Desk, database_url: str, blank_url: str, tmp_path: Path
) -> None:
    data = sign(desk, tmp_path / "data")
    desk.let_history_be_altered("audit_log")
    desk.change(_RENAME)
    file = back_up(database_url, data, tmp_path / "desk.backup")
    for ended in (
        command(database_url, data, "backup", "--check", file),
        command(blank_url, tmp_path / "new", "restore", file),
    ):
        assert ended.returncode == 1
        assert "wrong  The audit log is unaltered" in ended.stdout


@on_one_engine
def test_standard_programs_can_read_a_backup(database_url: str, tmp_path: Path) -> None:
    """So that a backup outlives this program."""
    file = back_up(database_url, tmp_path, tmp_path / "desk.backup")
    with zipfile.ZipFile(file) as opened:
        assert opened.testzip() is None
        (tmp_path / "by-hand.db").write_bytes(gzip.decompress(opened.read("database.sqlite.gz")))
        assert json.loads(opened.read("manifest.json"))["totals"]["claims Paid"] == 1
    with sqlite3.connect(tmp_path / "by-hand.db") as connection:
        assert connection.execute("SELECT count(*) FROM claims WHERE status = 'Paid'").fetchone() == (1,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
