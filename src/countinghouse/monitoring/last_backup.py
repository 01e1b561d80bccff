"""When the last backup was made, as `countinghouse backup` notes it beside the data."""

import json
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

FILE_NAME = "last-backup.json"


class LastBackup(NamedTuple):
    at: datetime
    path: str
    size: int


def read_last_backup(data_dir: Path) -> LastBackup | None:
    """None if there was none. Raises ValueError if the note cannot be understood."""
    try:
        noted = json.loads((data_dir / FILE_NAME).read_text())
    except FileNotFoundError:
        return None
    try:
        at = datetime.fromisoformat(noted["at"])
        found = LastBackup(at, str(noted["path"]), int(noted["bytes"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{FILE_NAME} cannot be read") from error
    if at.tzinfo is None:
        raise ValueError(f"{FILE_NAME} names no time zone")
    return found
