"""Where backups are written: each appears under its name only when it is complete, and the oldest are removed."""

import fcntl
import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from countinghouse.backups.archive import IDENTITY
from countinghouse.backups.copying import sync_folder
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.times import iso, now

LAST_BACKUP = "last-backup.json"
_UNFINISHED = ".countinghouse-backup-"
_TIME = "%Y%m%dT%H%M%SZ"
_NAMED = re.compile(r"countinghouse-([0-9]{8}T[0-9]{6}Z)\.backup")
# What follows the header of a ZIP: the name of its first entry. A backup begins with one of these.
_ZIP_HEADER = 30
_FIRST_ENTRIES = (IDENTITY.encode(), b"database.")
_LONGEST_FIRST_ENTRY = max(map(len, _FIRST_ENTRIES))


def file_for(path: Path, at: datetime) -> Path:
    """In a folder, the file is named after its time."""
    if path.is_symlink() and not path.exists():
        raise InvalidInput({"path": f"{path} is a link to {path.readlink()}, which does not exist."})
    file = path / f"countinghouse-{at:{_TIME}}.backup" if path.is_dir() else path
    if not file.parent.is_dir():
        raise InvalidInput({"path": f"There is no folder {file.parent}."})
    if file.exists():
        raise Conflict("backup_exists", f"{file} exists already. A backup never replaces another file.")
    return file


@contextmanager
def unfinished_file(path: Path) -> Iterator[Path]:
    """A file that gets the name `path` at the end. Beside it is room for what the backup needs meanwhile."""
    with temporary_folder(path.parent, _UNFINISHED) as folder:
        unfinished = folder / path.name
        yield unfinished
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        if path.exists() or path.is_symlink():
            raise Conflict("backup_exists", f"{path} exists already. A backup never replaces another file.")
        unfinished.rename(path)
        sync_folder(path.parent)


@contextmanager
def temporary_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Removed at the end. One that a killed process has left is removed by the next one."""
    _sweep(parent, prefix)
    with tempfile.TemporaryDirectory(dir=parent, prefix=prefix) as made:
        folder = Path(made)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder


def _sweep(parent: Path, prefix: str) -> None:
    """A lock ends with its process."""
    for left in parent.glob(f"{prefix}*"):
        with suppress(OSError), (left / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)


def remove_oldest(folder: Path, keep: int, written: Path) -> list[str]:
    """Keeps `written` in any case. Returns sentences about what happened to the other backups."""
    notes = []
    until = now()
    backups = []
    for file in sorted(folder.iterdir()):
        at = _time_in_name(file)
        if at is None or not _is_backup(file):
            continue
        if at > until:
            notes.append(
                f"{file} is dated in the future, so it was neither counted nor removed: check the clock, "
                "then rename the file."
            )
        else:
            backups.append(file)
    for file in backups[:-keep]:
        if file != written:
            file.unlink(missing_ok=True)
            notes.append(f"Removed {file}.")
    return notes


def _time_in_name(file: Path) -> datetime | None:
    """None if it is no name that `file_for` gives."""
    found = _NAMED.fullmatch(file.name)
    try:
        return datetime.strptime(found[1], _TIME).replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def _is_backup(file: Path) -> bool:
    """Others may have named a file in the same way, or made a link or a folder."""
    try:
        if not stat.S_ISREG(file.lstat().st_mode):
            return False
        with file.open("rb") as opened:
            start = opened.read(_ZIP_HEADER + _LONGEST_FIRST_ENTRY)
    except OSError:
        return False
    return start.startswith(b"PK\x03\x04") and start[_ZIP_HEADER:].startswith(_FIRST_ENTRIES)


def note_last_backup(data_dir: Path, at: datetime, file: Path) -> None:
    """For `doctor` and the metrics. Raises FileNotFoundError if the file is gone."""
    noted = {"at": iso(at), "path": str(file.resolve()), "bytes": file.stat().st_size}
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = data_dir / f"{LAST_BACKUP}.{os.getpid()}"
    unfinished.write_text(json.dumps(noted) + "\n")
    unfinished.replace(data_dir / LAST_BACKUP)
