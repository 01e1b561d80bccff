"""The rows of a long list in a file, so that SQLite's snapshot ends however slowly a client reads.

While a snapshot is open, SQLite's write-ahead log cannot begin again: each move would add 100 KB to it.
"""

import marshal
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from threading import Condition

from countinghouse.core.db.statement import Cells
from countinghouse.core.errors import Busy

# The last of the disk is for changes.
LEAST_FREE_BYTES = 64_000_000


class DiskAlmostFull(Busy):
    def __init__(self) -> None:
        super().__init__(retry_after_seconds=60)
        self.code = "disk_almost_full"
        self.message = "The disk of the server is almost full, so no long list can be read. Free some space first."


def refuse_if_almost_full(folder: Path) -> None:
    if shutil.disk_usage(folder).free < LEAST_FREE_BYTES:
        raise DiskAlmostFull


class Spool:
    """One thread fills it, another takes from it. The file has no name, so it is gone when the process is."""

    def __init__(self, folder: Path) -> None:
        refuse_if_almost_full(folder)
        self._folder = folder
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - open until the list is sent
        self._changed = Condition()
        # How long each chunk is that was written and not taken yet.
        self._lengths: deque[int] = deque()
        self._taken = 0
        self._is_full = False
        self._failure: BaseException | None = None

    def fill(self, chunks: Iterable[list[Cells]]) -> None:
        try:
            for rows in chunks:
                self._add(rows)
        except BaseException as error:
            self._failure = error
        with self._changed:
            self._is_full = True
            self._changed.notify_all()

    def _add(self, rows: list[Cells]) -> None:
        refuse_if_almost_full(self._folder)
        chunk = marshal.dumps(rows)
        self._file.write(chunk)
        self._file.flush()
        with self._changed:
            self._lengths.append(len(chunk))
            self._changed.notify_all()

    def take(self) -> list[Cells]:
        """The next chunk, as soon as it is there; empty at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._lengths or self._is_full)
            if not self._lengths:
                if self._failure is not None:
                    raise self._failure
                return []
            length = self._lengths.popleft()
        chunk = os.pread(self._file.fileno(), length, self._taken)
        self._taken += length
        rows: list[Cells] = marshal.loads(chunk)  # noqa: S302 - nobody else can reach the file
        return rows

    def close(self) -> None:
        self._file.close()
