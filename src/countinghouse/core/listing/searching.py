"""How `q` is searched: row by row, or through a text index, which is different on each engine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    FromClause,
    Select,
    Table,
    TextClause,
    and_,
    bindparam,
    column,
    exists,
    not_,
    or_,
    select,
    table,
    text,
    union,
    union_all,
)
from sqlalchemy.sql.functions import FunctionElement

from countinghouse.core.listing.sql import (
    NestedLoopJoin,
    contains,
    contains_unindexed,
    digits_in,
    has_other_digits,
    like_pattern,
    number,
)
from countinghouse.core.masking import FEWEST_OWN_DIGITS

# Where matches are found, the id of each, and the conditions for a match.
_Found = tuple[FromClause, ColumnElement[str], list[ColumnElement[bool] | TextClause]]

# A trigram index cannot find shorter words. For those all rows are read, but without sorting or joining them.
_SHORTEST_INDEXED = 3
# SQLite has a second index, of four-letter pieces. A piece occurs in a tenth as many rows as a trigram.
_SHORTEST_IN_PIECES = 4
# Each piece is one more index lookup. After three, so few rows are left that checking them costs less than a fourth.
_MOST_PIECES = 3


class SearchIndex(Enum):
    NONE = auto()
    POSTGRES = auto()
    SQLITE_BY_PIECES = auto()
    SQLITE_BY_TRIGRAMS = auto()
    SQLITE_BY_WORDS = auto()


def words_of(q: str) -> dict[str, str]:
    """The values to bind without an index."""
    pattern = like_pattern(q)
    # Without the wildcards at both ends, the text has to be the whole of what is found.
    return {"pattern": pattern, "told": pattern[1:-1] if any(map(str.isdigit, q)) else pattern, "whole": q}


def search_values(q: str, search_index: SearchIndex) -> dict[str, str]:
    """The values to bind in a statement that searches for `q`."""
    values = words_of(q)
    match search_index:
        case SearchIndex.POSTGRES:
            values["pieces"] = _pattern_of_pieces(q)
        case SearchIndex.SQLITE_BY_PIECES:
            values["match"] = _match_of_pieces(q)
        case SearchIndex.SQLITE_BY_TRIGRAMS:
            values["match"] = f'"{q.replace(chr(34), chr(34) * 2)}"'
    return values


@dataclass(frozen=True)
class Parent:
    """A table that each row belongs to, and its searched columns."""

    table: Table
    foreign_key: Column[str]
    searched: tuple[Column[str], ...] = ()


@dataclass(frozen=True)
class Child:
    """A table whose rows belong to a row of the list. A match in any child row finds the list's row."""

    table: Table
    foreign_key: Column[str]
    searched: tuple[Column[str], ...]


@dataclass(frozen=True)
class Search:
    table: Table
    searched: tuple[Column[str], ...]
    parents: tuple[Parent, ...]
    children: tuple[Child, ...]
    has_index: bool = True
    # Searched columns of which only the whole word matches: parts of a masked number would reveal it digit by digit.
    matched_whole: frozenset[ColumnElement[Any]] = frozenset()
    # Searched texts in which numbers are masked. Of one that may hold a number, words with a digit must be the whole.
    masked: frozenset[ColumnElement[Any]] = frozenset()
    # Columns that identify a row, each with a unique index of its own: the whole word finds it.
    identifying: tuple[Column[str], ...] = ()

    def index_for(self, q: str, is_sqlite: bool) -> SearchIndex:
        if not self.has_index:
            return SearchIndex.NONE
        if not is_sqlite:
            return SearchIndex.POSTGRES
        if len(q) >= _SHORTEST_IN_PIECES:
            return SearchIndex.SQLITE_BY_PIECES
        return SearchIndex.SQLITE_BY_TRIGRAMS if len(q) >= _SHORTEST_INDEXED else SearchIndex.SQLITE_BY_WORDS

    def columns(self) -> Iterator[Column[str]]:
        yield from self.searched
        for parent in self.parents:
            yield from parent.searched
        for child in self.children:
            yield from child.searched

    def is_in(self, rows: FromClause) -> ColumnElement[bool]:
        """Whether a row matches. `rows` is the table or a subquery of it, joined with the searched parents."""
        own = (self._matches(searched, rows.c[searched.name]) for searched in self.searched)
        theirs = (self._matches(searched) for parent in self.parents for searched in parent.searched)
        below = (
            exists().where(child.foreign_key == rows.c.id, or_(*map(self._matches, child.searched)))
            for child in self.children
        )
        named = (rows.c[one.name] == bindparam("whole") for one in self.identifying)
        return or_(*own, *theirs, *below, *named)

    def _matches(
        self,
        searched: Column[str],
        cell: ColumnElement[str] | None = None,
        pattern: str = "pattern",
        is_part: type[FunctionElement[bool]] = contains,
    ) -> ColumnElement[bool]:
        """Whether the searched column matches; `cell` is the column where it is read from a subquery."""
        cell = searched if cell is None else cell
        if searched in self.matched_whole:
            return cell == bindparam("whole")
        matches = is_part(cell, bindparam(pattern))
        if searched not in self.masked:
            return matches
        # Numbers are masked in the digits of every script. How many a text has is counted only for those from 0 to 9.
        has_no_number = and_(digits_in(cell) < number(FEWEST_OWN_DIGITS), not_(has_other_digits(cell)))
        return and_(matches, or_(has_no_number, contains_unindexed(cell, bindparam("told"))))

    def select_found(
        self,
        search_index: SearchIndex,
        columns: Sequence[Column[Any]] = (),
        conditions: Sequence[ColumnElement[bool]] = (),
        most: int | None = None,
    ) -> Select[Any]:
        """The id and these columns of each matching row.

        With `most`, it may return duplicates: a row can match in several columns or several children. Of very many
        matches it returns more than `most`, but not all. Removing duplicates would make PostgreSQL read all of them.
        """
        finds = [
            select(row_id.label("id"), *columns).select_from(source).where(*is_found, *conditions)
            for source, row_id, is_found in self._sources(search_index, needs_row=bool(columns or conditions))
        ]
        if most is None:
            return select(*union(*finds).subquery().c)
        limited = [find.limit(number(most + 1)).subquery() for find in finds]
        return select(*union_all(*(select(*find.c) for find in limited)).subquery().c)

    def _sources(self, search_index: SearchIndex, *, needs_row: bool) -> Iterator[_Found]:
        """Each table with searched columns, joined to the list's row if that is needed."""
        rows = self.table
        for one in self.identifying:
            yield rows, rows.c.id, [one == bindparam("whole")]
        if self.searched:
            words, words_id, is_found = self._find_in(rows, self.searched, search_index)
            is_row_there = words is rows or not needs_row
            yield words if is_row_there else NestedLoopJoin(words, rows, rows.c.id == words_id), words_id, is_found
        for parent in self.parents:
            if parent.searched:
                words, words_id, is_found = self._find_in(parent.table, parent.searched, search_index)
                yield NestedLoopJoin(words, rows, parent.foreign_key == words_id), rows.c.id, is_found
        for child in self.children:
            words, words_id, is_found = self._find_in(child.table, child.searched, search_index)
            if words is not child.table:
                words = NestedLoopJoin(words, child.table, child.table.c.id == words_id)
            if needs_row:
                words = NestedLoopJoin(words, rows, rows.c.id == child.foreign_key)
            yield words, child.foreign_key, is_found

    def _find_in(self, owner: Table, searched: Sequence[Column[str]], search_index: SearchIndex) -> _Found:
        """The matching rows of one table: the index finds the pieces in any order, then each row is checked."""
        if search_index is SearchIndex.NONE:
            return owner, owner.c.id, [or_(*map(self._matches, searched))]
        if search_index is SearchIndex.POSTGRES:
            has_pieces = or_(*(self._matches(word, pattern="pieces") for word in searched))
            return (
                owner,
                owner.c.id,
                [has_pieces, or_(*(self._matches(word, is_part=contains_unindexed) for word in searched))],
            )
        words = table(f"{owner.name}_search", column("rowid"), column("id"), column("words"))
        is_found: list[ColumnElement[bool] | TextClause] = [
            contains(words.c.words, bindparam("pattern")),
            *self._is_row_matching(owner, searched, words.c.id),
        ]
        if search_index is SearchIndex.SQLITE_BY_TRIGRAMS:
            return words, words.c.id, [text(f"{words.name} MATCH :match"), *is_found]
        if search_index is SearchIndex.SQLITE_BY_PIECES:
            by_pieces = table(f"{owner.name}_pieces", column("rowid"))
            joined = NestedLoopJoin(by_pieces, words, words.c.rowid == by_pieces.c.rowid)
            return joined, words.c.id, [text(f"{by_pieces.name} MATCH :match"), *is_found]
        return words, words.c.id, is_found

    def _is_row_matching(
        self, owner: Table, searched: Sequence[Column[str]], words_id: ColumnElement[str]
    ) -> list[ColumnElement[bool]]:
        """SQLite's index has the columns of a row in one text, so whole words are compared in the row itself."""
        if (self.matched_whole | self.masked).isdisjoint(searched):
            return []
        rows = owner.alias()
        return [
            exists().where(rows.c.id == words_id, or_(*(self._matches(word, rows.c[word.name]) for word in searched)))
        ]


def _match_of_pieces(q: str) -> str:
    """The pieces in the encoding of migration 0007. SQLite folds the case of ASCII letters only."""
    starts = range(len(q) - _SHORTEST_IN_PIECES + 1)
    step = -(-len(starts) // _MOST_PIECES)
    pieces = (q[start : start + _SHORTEST_IN_PIECES].encode().lower().hex() for start in starts[::step])
    return " AND ".join(f'"{piece}"' for piece in pieces)


def _pattern_of_pieces(q: str) -> str:
    """Beginning, middle and end, with anything between. pg_trgm indexes only letters and digits, so other words are not
    split."""
    length = _SHORTEST_INDEXED
    if len(q) < _MOST_PIECES * length or not (q.isascii() and q.isalnum()):
        return like_pattern(q)
    last = len(q) - length
    return f"%{'%'.join(q[start : start + length] for start in (0, last // 2, last))}%"
