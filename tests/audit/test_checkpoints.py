"""The key outside the database, and the file of what it has signed."""

import threading
from pathlib import Path

import pytest

from countinghouse.audit.checkpoints import Checkpoints, NoKey, public_of
from countinghouse.audit.sealing import Head
from tests.audit.sealed import checkpoints_in

HEAD = Head(3, "ab" * 32)


def test_the_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(public_of(checkpoints_in(folder).key))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert [file.name for file in folder.iterdir()] == ["audit-key.pem"]
    assert (folder / "audit-key.pem").stat().st_mode & 0o777 == 0o600
    assert checkpoints_in(folder).find_public_key() == found[0]


def test_a_checkpoint_is_signed_and_any_change_of_it_shows(tmp_path: Path) -> None:
    checkpoints = checkpoints_in(tmp_path)
    made = checkpoints.write(HEAD)
    assert [one for _, one in checkpoints.read()] == [made]
    assert made.is_signed_by(public_of(checkpoints.key))
    for name, other in (
        ("count", 2),
        ("seal", "cd" * 32),
        ("at", "2026-11-15T02:52:36.120Z"),
        ("signature", "00" * 64),
    ):
        assert not type(made)(**made.as_json | {name: other}).is_signed_by(public_of(checkpoints.key))
    assert not made.is_signed_by(public_of(checkpoints_in(tmp_path / "other").key))


def test_a_line_that_was_cut_off_spoils_no_other(tmp_path: Path) -> None:
    checkpoints = checkpoints_in(tmp_path)
    checkpoints.write(HEAD)
    content = checkpoints.file.read_bytes()
    checkpoints.file.write_bytes(content + content[:40])
    made = checkpoints.write(HEAD)
    assert [one is None for _, one in checkpoints.read()] == [False, True, False]
    assert [one for _, one in checkpoints.read()][-1] == made


@pytest.mark.parametrize("content", ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_a_damaged_key_is_refused_and_not_replaced(tmp_path: Path, content: str) -> None:
    checkpoints = Checkpoints(tmp_path / "key.pem", tmp_path / "checkpoints.jsonl")
    checkpoints.key_file.write_text(content)
    with pytest.raises(NoKey, match="cannot be read"):
        checkpoints.write(HEAD)
    assert checkpoints.key_file.read_text() == content


def test_no_new_key_signs_behind_checkpoints_of_a_key_that_is_missing(tmp_path: Path) -> None:
    """As after a plain backup was restored on a new machine: `verify` would take the older ones for forged."""
    made = checkpoints_in(tmp_path).write(HEAD)
    key = checkpoints_in(tmp_path).key_file
    away = key.rename(tmp_path / "away.pem")
    with pytest.raises(NoKey, match="Copy that key to"):
        checkpoints_in(tmp_path).write(HEAD)
    assert not key.exists()
    away.rename(key)
    assert checkpoints_in(tmp_path).write(HEAD).key == made.key
