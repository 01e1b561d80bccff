"""The folders of jobs. They hold files of customers, so none is left by a job that was killed.

A job keeps its folder locked for as long as it runs, and the system drops the lock however it ends.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "countinghouse-import-"
_LOCKED_PREFIX = f"{_PREFIX}job-"
# Those of earlier versions have no lock. No import takes as long.
_OLD_SECONDS = 24 * 3600


@contextmanager
def job_folder() -> Iterator[Path]:
    folder, lock = _make_locked()
    try:
        yield folder
    finally:
        remove_folder(folder)
        os.close(lock)


def remove_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def remove_left_folders() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # Another process may remove it at the same moment, or it belongs to somebody else.
        with suppress(OSError):
            _remove_if_left(folder)


def _make_locked() -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_LOCKED_PREFIX))
        lock = _open_folder(folder)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists():
            return folder, lock
        # Another process took it for one that was left, in the moment before it was locked.
        os.close(lock)


def _remove_if_left(folder: Path) -> None:
    if folder.lstat().st_uid != os.geteuid():
        return
    lock = _open_folder(folder)
    try:
        if folder.name.startswith(_LOCKED_PREFIX):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove_folder(folder)
        elif time.time() - folder.stat().st_mtime > _OLD_SECONDS:
            remove_folder(folder)
    finally:
        os.close(lock)


def _open_folder(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
