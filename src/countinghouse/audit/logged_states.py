"""What the lines read so far have told, on disk: a log of ten million rows needs no more memory than a short one."""

import json
import math
import sqlite3
from collections.abc import Iterator

from countinghouse.audit.checkpoints import Checkpoint
from countinghouse.audit.records import State

# In KiB; the rest is in a temporary file, which the operating system deletes with the process.
_CACHE = 16_384


class Told:
    def __init__(self) -> None:
        # The empty name makes a temporary file.
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        for setting in (f"cache_size = -{_CACHE}", "journal_mode = OFF", "synchronous = OFF"):
            self._connection.execute(f"PRAGMA {setting}")
        self._connection.execute(
            "CREATE TABLE told (kind TEXT, id TEXT, state TEXT, seq INTEGER, is_met INTEGER DEFAULT 0, "
            "PRIMARY KEY (kind, id)) WITHOUT ROWID"
        )
        self._connection.execute("CREATE TABLE checkpoints (count INTEGER, seal TEXT, at TEXT)")
        self._connection.execute("CREATE INDEX by_count ON checkpoints (count)")
        self._connection.execute("BEGIN")

    def close(self) -> None:
        self._connection.close()

    def set(self, kind: str, record_id: str, state: State, seq: int) -> None:
        written = json.dumps(state)
        self._connection.execute("REPLACE INTO told VALUES (?, ?, ?, ?, 0)", (kind, record_id, written, seq))

    def find(self, kind: str, record_id: str) -> tuple[State, int] | None:
        """The state of the record, and the number of the row that told it."""
        sql = "SELECT state, seq FROM told WHERE kind = ? AND id = ?"
        found = self._connection.execute(sql, (kind, record_id)).fetchone()
        return found and (json.loads(found[0]), found[1])

    def meet(self, kind: str, record_id: str) -> None:
        self._connection.execute("UPDATE told SET is_met = 1 WHERE kind = ? AND id = ?", (kind, record_id))

    def unmet(self) -> Iterator[tuple[str, str, int]]:
        """The kind and the id of every record that was told and not met, and the number of the row that told it."""
        yield from self._connection.execute("SELECT kind, id, seq FROM told WHERE NOT is_met ORDER BY seq")

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        values = (checkpoint.count, checkpoint.seal, checkpoint.at)
        self._connection.execute("INSERT INTO checkpoints VALUES (?, ?, ?)", values)

    def checkpoints_at(self, count: int) -> list[tuple[str, str]]:
        """The seal and the time of each checkpoint at this length of the chain."""
        return self._connection.execute("SELECT seal, at FROM checkpoints WHERE count = ?", (count,)).fetchall()

    def next_checkpoint(self, count: int) -> float:
        """The length of the chain at the next checkpoint after this one."""
        sql = "SELECT min(count) FROM checkpoints WHERE count > ?"
        (found,) = self._connection.execute(sql, (count,)).fetchone()
        return math.inf if found is None else float(found)

    def longest(self) -> tuple[int, str]:
        """The largest count of a checkpoint, and its time."""
        sql = "SELECT count, at FROM checkpoints ORDER BY count DESC LIMIT 1"
        found: tuple[int, str] = self._connection.execute(sql).fetchone() or (0, "")
        return found
