"""What the lines read so far say about each record. On disk: ten million rows need no more memory than a few."""

import json
import math
from collections.abc import Iterator

from countinghouse.audit.checkpoints import Checkpoint
from countinghouse.audit.records import State
from countinghouse.core.temporary_sqlite import open_temporary_sqlite


class LoggedStates:
    def __init__(self) -> None:
        self._connection = open_temporary_sqlite()
        self._connection.execute(
            "CREATE TABLE states (kind TEXT, id TEXT, state TEXT, seq INTEGER, is_found INTEGER DEFAULT 0, "
            "PRIMARY KEY (kind, id)) WITHOUT ROWID"
        )
        self._connection.execute("CREATE TABLE checkpoints (count INTEGER, seal TEXT, at TEXT)")
        self._connection.execute("CREATE INDEX by_count ON checkpoints (count)")
        # Rows without a seal that nothing expects, and what was accepted of them.
        self._connection.execute("CREATE TABLE unexpected (seq INTEGER PRIMARY KEY, at TEXT, digest TEXT, named TEXT)")
        self._connection.execute(
            "CREATE TABLE accepted (seq INTEGER, digest TEXT, by_seq INTEGER, PRIMARY KEY (seq, digest)) WITHOUT ROWID"
        )
        self._connection.execute("BEGIN")

    def close(self) -> None:
        self._connection.close()

    def set(self, kind: str, record_id: str, state: State, seq: int) -> None:
        written = json.dumps(state)
        self._connection.execute("REPLACE INTO states VALUES (?, ?, ?, ?, 0)", (kind, record_id, written, seq))

    def find(self, kind: str, record_id: str) -> tuple[State, int] | None:
        """The state of the record, and the number of the row that says so."""
        sql = "SELECT state, seq FROM states WHERE kind = ? AND id = ?"
        found = self._connection.execute(sql, (kind, record_id)).fetchone()
        return found and (json.loads(found[0]), found[1])

    def mark_found(self, kind: str, record_id: str) -> None:
        self._connection.execute("UPDATE states SET is_found = 1 WHERE kind = ? AND id = ?", (kind, record_id))

    def missing(self) -> Iterator[tuple[str, str, int]]:
        """The kind and the id of every record that was not found, and the number of the row that says so."""
        yield from self._connection.execute("SELECT kind, id, seq FROM states WHERE NOT is_found ORDER BY seq")

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

    def add_unexpected(self, seq: int, at: str, digest: str, named: str) -> None:
        self._connection.execute("REPLACE INTO unexpected VALUES (?, ?, ?, ?)", (seq, at, digest, named))

    def first_unexpected_above(self, top: int) -> tuple[int, str] | None:
        """Its number and its time."""
        sql = "SELECT seq, at FROM unexpected WHERE seq > ? ORDER BY seq LIMIT 1"
        found: tuple[int, str] | None = self._connection.execute(sql, (top,)).fetchone()
        return found

    def add_accepted(self, seq: int, digest: str, by_seq: int) -> None:
        self._connection.execute("REPLACE INTO accepted VALUES (?, ?, ?)", (seq, digest, by_seq))

    def unexpected_below(self, top: int) -> Iterator[tuple[int, str, bool]]:
        """The number and the name of each, and whether it was accepted as it is."""
        sql = (
            "SELECT seq, named, EXISTS (SELECT 1 FROM accepted WHERE accepted.seq = unexpected.seq "
            "AND accepted.digest = unexpected.digest) FROM unexpected WHERE seq < ? ORDER BY seq"
        )
        yield from self._connection.execute(sql, (top,))

    def accepted_and_gone(self) -> Iterator[tuple[int, int]]:
        """The number of each row that was accepted and is no longer there, and of the row that says so."""
        sql = "SELECT seq, min(by_seq) FROM accepted WHERE seq NOT IN (SELECT seq FROM unexpected) GROUP BY seq"
        yield from self._connection.execute(sql)
