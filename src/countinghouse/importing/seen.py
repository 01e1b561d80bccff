"""Remembers every row of the current run, on disk: what came twice, and what later rows refer to.

With it a dry run resolves references to rows that it did not store, and needs no more memory for a million rows than
for a thousand.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from countinghouse.core.temporary_sqlite import open_temporary_sqlite
from countinghouse.importing.nouns import NounName

_ASKED_TOGETHER = 500


class SeenRow(NamedTuple):
    """`desk_id` is None for a row that was not imported; `owner_id` is the user of a purchase."""

    source: str
    place: int
    desk_id: str | None
    owner_id: str | None = None


class Seen:
    def __init__(self) -> None:
        self._connection = open_temporary_sqlite()
        self._connection.execute(
            "CREATE TABLE seen (noun TEXT, key TEXT, source TEXT, place INTEGER, desk_id TEXT, owner_id TEXT, "
            "PRIMARY KEY (noun, key)) WITHOUT ROWID"
        )
        self._connection.execute(
            "CREATE TABLE mobiles (mobile TEXT, desk_id TEXT, PRIMARY KEY (mobile, desk_id)) WITHOUT ROWID"
        )

    def close(self) -> None:
        self._connection.close()

    def add(self, noun: str, rows: Iterable[tuple[str, SeenRow]]) -> None:
        self._insert("INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?, ?, ?)", ((noun, key, *row) for key, row in rows))

    def add_mobiles(self, rows: Iterable[tuple[str, str]]) -> None:
        self._insert("INSERT OR IGNORE INTO mobiles VALUES (?, ?)", rows)

    def _insert(self, sql: str, rows: Iterable[tuple[object, ...]]) -> None:
        self._connection.execute("BEGIN")
        self._connection.executemany(sql, rows)
        self._connection.execute("COMMIT")

    def find(self, noun: str, keys: Iterable[str]) -> dict[str, SeenRow]:
        found = {}
        for some in _parts(keys):
            # The statement contains only question marks, as many as there are keys.
            sql = f"SELECT key, source, place, desk_id, owner_id FROM seen WHERE noun = ? AND key IN ({_marks(some)})"  # noqa: S608
            found.update({key: SeenRow(*row) for key, *row in self._connection.execute(sql, (noun, *some))})
        return found

    def find_by_mobile(self, mobiles: Iterable[str]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for some in _parts(mobiles):
            sql = f"SELECT mobile, desk_id FROM mobiles WHERE mobile IN ({_marks(some)})"  # noqa: S608
            for mobile, desk_id in self._connection.execute(sql, some):
                found.setdefault(mobile, set()).add(desk_id)
        return found

    def desk_ids(self, noun: NounName, count: int) -> Iterator[list[str]]:
        """The ids of the imported rows, in portions of at most `count`."""
        rows = self._connection.execute(
            "SELECT DISTINCT desk_id FROM seen WHERE noun = ? AND desk_id IS NOT NULL ORDER BY desk_id", (noun,)
        )
        while portion := rows.fetchmany(count):
            yield [desk_id for (desk_id,) in portion]


def _parts(keys: Iterable[str]) -> Iterator[list[str]]:
    every = list(keys)
    for start in range(0, len(every), _ASKED_TOGETHER):
        yield every[start : start + _ASKED_TOGETHER]


def _marks(values: list[str]) -> str:
    return ", ".join("?" * len(values))
