"""The parts of a list's declaration, and the shape of one of its queries."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    FromClause,
    Select,
    String,
    Table,
    bindparam,
    cast,
    func,
    select,
)

from countinghouse.core.listing.searching import SearchIndex
from countinghouse.core.listing.sql import number, unindexed, written
from countinghouse.core.masking import Holds


@dataclass(frozen=True)
class Order:
    """The sort columns of a list, ending with the id. `via` is another table whose index gives the order."""

    keys: tuple[Column[Any], ...]
    via: Table | None = None

    @property
    def may_reveal(self) -> bool:
        """Whether it sorts by a text in which account and mobile numbers are masked, be it only those of its row."""
        first = self.keys[0]
        return isinstance(first.type, String) and first.info.get("holds") is not Holds.NOTHING


@dataclass(frozen=True)
class Shape:
    """Everything that distinguishes one statement from another, except its bound values."""

    filters: tuple[str, ...]
    is_searching: bool = False
    # For a search: the index that finds all matching rows at once. Without it, the search checks row by row.
    search_index: SearchIndex | None = None
    # For a search: check only this many rows, in list order.
    reach: int = 0
    is_among: bool = False
    # Too many rows pass the narrowing filters to sort them, as SQLite would do: scan the list in order instead.
    is_wide: bool = False
    sort: str = ""
    has_cursor: bool = False
    has_skip: bool = False
    limit: int = 0
    has_total: bool = False
    # True: find and limit the rows before joining. False: join row by row until the page is full.
    limits_first: bool = True

    @property
    def is_known(self) -> bool:
        """Whether the rows are found by their ids, and not by scanning the list."""
        return self.is_among or self.search_index is not None


@dataclass(frozen=True)
class Tallies:
    """Running totals that triggers maintain, per day and per group if the list has one. An empty day means all time.

    A list without a table of tallies is counted whenever it is asked for its totals: fine for thousands of rows.
    """

    table: Table | None = None
    sums: tuple[str, ...] = ()
    group: str | None = None

    @property
    def kept(self) -> Table:
        if self.table is None:
            raise TypeError("this list has no tallies")
        return self.table

    def part(self, rows: FromClause) -> ColumnElement[Any]:
        """The group of each row. A list without groups has one part."""
        return (rows.c[self.group] if self.group else written("")).label("part")

    def sums_of(self, rows: FromClause) -> list[ColumnElement[Any]]:
        return [func.coalesce(func.sum(rows.c[name]), number(0)) for name in self.sums]

    def select_counts(self, rows: FromClause, *first: ColumnElement[Any]) -> Select[Any]:
        """For each part: `first`, the number of rows, and their sums."""
        part = self.part(rows)
        counted = select(part, *first, func.count(), *self.sums_of(rows)).select_from(rows)
        # `unindexed` prevents SQLite from scanning the group column's whole index just to avoid a sort.
        return counted.group_by(unindexed(part)) if self.group else counted

    def select_entries(self, shape: Shape) -> Select[Any]:
        kept = self.kept.c
        # PostgreSQL sums into its numeric type, which is slow to read.
        entries = cast(func.coalesce(func.sum(kept.entries), number(0)), BigInteger)
        every = select(entries).where(kept.day == written(""))
        if self.group in shape.filters:
            every = every.where(kept[self.group] == bindparam(self.group))
        return every
