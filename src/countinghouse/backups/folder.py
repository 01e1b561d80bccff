"""Where backups are written: each appears under its name only when it is complete, and the oldest are removed."""

import fcntl
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from countinghouse.backups.copying import sync_folder
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.times import iso

LAST_BACKUP = "last-backup.json"
_UNFINISHED = ".countinghouse-backup-"
_NAMED = re.compile(r"countinghouse-\d{8}T\d{6}Z\.backup")


def file_for(path: Path, at: datetime) -> Path:
    """In a folder, the file is named after its time."""
    file = path / f"countinghouse-{at:%Y%m%dT%H%M%SZ}.backup" if path.is_dir() else path
    if not file.parent.is_dir():
        raise InvalidInput({"path": f"There is no folder {file.parent}."})
    if file.exists():
        raise Conflict("backup_exists", f"{file} exists already. A backup never replaces another file.")
    return file


@contextmanager
def unfinished_file(path: Path) -> Iterator[Path]:
    """A file that gets the name `path` at the end. Beside it is room for what the backup needs meanwhile."""
    _sweep(path.parent)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=_UNFINISHED) as made:
        folder = Path(made)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            unfinished = folder / path.name
            yield unfinished
            with unfinished.open("rb") as written:
                os.fsync(written.fileno())
            if path.exists():
                raise Conflict("backup_exists", f"{path} exists already. A backup never replaces another file.")
            unfinished.rename(path)
            sync_folder(path.parent)


def _sweep(folder: Path) -> None:
    """Removes what a killed backup has left. A lock ends with its process."""
    for left in folder.glob(f"{_UNFINISHED}*"):
        with suppress(OSError), (left / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)


def remove_oldest(folder: Path, keep: int) -> list[Path]:
    """Only files that a backup into this folder has named. The names sort by time."""
    named = sorted(file for file in folder.iterdir() if _NAMED.fullmatch(file.name))
    removed = named[:-keep]
    for file in removed:
        file.unlink()
    return removed


def note_last_backup(data_dir: Path, at: datetime, file: Path) -> None:
    """For `doctor` and the metrics."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    noted = {"at": iso(at), "path": str(file.resolve()), "bytes": file.stat().st_size}
    unfinished = data_dir / f"{LAST_BACKUP}.{os.getpid()}"
    unfinished.write_text(json.dumps(noted) + "\n")
    unfinished.replace(data_dir / LAST_BACKUP)
