"""Where a backup is read from and written to: what is no file is refused, and a full disk leaves nothing."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.backups.kept import PASSPHRASE, back_up, command, is_blank, work
from tests.backups.trouble import fill_disk
from tests.databases import Template
from tests.engines import on_one_engine

ENOUGH_FOR_A_BEGINNING = 40_000


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("kept", work)


@on_one_engine
def test_what_is_no_file_is_refused(database_url: str, blank_url: str, tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for path in (pipe, folder, Path("/dev/zero")):
        for words in (("restore",), ("backup", "--check")):
            ended = command(blank_url, tmp_path / "new", *words, path)
            assert (ended.returncode, ended.stderr) == (1, f"The backup cannot be read: {path} is not a file.\n")
    ended = command(database_url, tmp_path / "data", "backup", pipe)
    assert (ended.returncode, "exists already" in ended.stderr) == (1, True)
    assert is_blank(blank_url)


@on_one_engine
def test_a_folder_that_is_not_there_and_a_link_to_nothing_are_refused(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    refused = {
        f"{tmp_path}/none/": f"There is no folder {tmp_path}/none/",
        f"{tmp_path}/none/desk.backup": f"There is no folder {tmp_path}/none.",
        f"{tmp_path}/link": f"{tmp_path}/link is a link to {tmp_path}/nothing, which does not exist.",
    }
    for path, sentence in refused.items():
        ended = command(database_url, tmp_path / "data", "backup", path)
        assert (ended.returncode, ended.stderr) == (1, f"{sentence}\n")
    assert [found.name for found in tmp_path.iterdir()] == ["link"]


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_a_full_disk_is_reported_in_one_sentence(
    database_url: str, blank_url: str, tmp_path: Path, is_encrypted: bool
) -> None:
    words, given = (("--passphrase-stdin",), f"{PASSPHRASE}\n") if is_encrypted else ((), "")
    folder = tmp_path / "backups"
    folder.mkdir()
    full = partial(fill_disk, ENOUGH_FOR_A_BEGINNING)
    ended = command(database_url, tmp_path / "data", "backup", folder, *words, given=given, before=full)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1), ended.stderr
    assert f"The backup cannot be written to {folder}: " in ended.stderr
    assert [*folder.iterdir()] == []
    if database_url.startswith("sqlite"):
        file = back_up(database_url, tmp_path / "data", folder / "desk.backup", *words, given=given)
        ended = command(blank_url, tmp_path / "new", "restore", file, *words, given=given, before=full)
        assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "File too large.\n")
        assert is_blank(blank_url)
