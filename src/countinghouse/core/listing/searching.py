"""Where `q` looks: row by row, or first in an index that each engine has in its own way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from sqlalchemy import (
    BindParameter,
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
    or_,
    select,
    table,
    text,
    union,
    union_all,
)

from countinghouse.core.listing.sql import Walk, contains, contains_unindexed, like_pattern, number

Condition = ColumnElement[bool] | TextClause

# A trigram index knows nothing of shorter words: their rows are read, and stay unordered and unjoined at that.
_SHORTEST_INDEXED = 3
# SQLite has a second index, of four letters: each of these stands in a tenth as many rows.
_SHORTEST_IN_PIECES = 4
# Each piece is a list of rows to be read: three leave so few rows that checking them costs less than a fourth.
_MOST_LOOKED_UP = 3


class Way(Enum):
    POSTGRES = auto()
    SQLITE_BY_PIECES = auto()
    SQLITE_BY_TRIGRAMS = auto()
    SQLITE_BY_WORDS = auto()


def way_of(q: str, is_sqlite: bool) -> Way:
    if not is_sqlite:
        return Way.POSTGRES
    if len(q) >= _SHORTEST_IN_PIECES:
        return Way.SQLITE_BY_PIECES
    return Way.SQLITE_BY_TRIGRAMS if len(q) >= _SHORTEST_INDEXED else Way.SQLITE_BY_WORDS


def search_values(q: str, is_sqlite: bool) -> dict[str, str]:
    """To be bound wherever `q` is looked for."""
    values = {"pattern": like_pattern(q)}
    match way_of(q, is_sqlite):
        case Way.POSTGRES:
            values["pieces"] = _pattern_of_pieces(q)
        case Way.SQLITE_BY_PIECES:
            values["match"] = _match_of_pieces(q)
        case Way.SQLITE_BY_TRIGRAMS:
            values["match"] = f'"{q.replace(chr(34), chr(34) * 2)}"'
    return values


@dataclass(frozen=True)
class Parent:
    """A table that each row belongs to, with what is searched there."""

    table: Table
    foreign_key: Column[str]
    searched: tuple[Column[str], ...] = ()


@dataclass(frozen=True)
class Child:
    """A table whose rows belong to the list's; a row is found by what is searched in any of its own."""

    table: Table
    foreign_key: Column[str]
    searched: tuple[Column[str], ...]


@dataclass(frozen=True)
class Search:
    table: Table
    searched: tuple[Column[str], ...]
    parents: tuple[Parent, ...]
    children: tuple[Child, ...]

    def is_in(self, rows: FromClause) -> ColumnElement[bool]:
        """Of a row of the table, or of what stands for it, with the searched parents beside it."""
        pattern: BindParameter[str] = bindparam("pattern")
        own = (rows.c[searched.name] for searched in self.searched)
        theirs = (searched for parent in self.parents for searched in parent.searched)
        below = (
            exists().where(child.foreign_key == rows.c.id, or_(*(contains(word, pattern) for word in child.searched)))
            for child in self.children
        )
        return or_(*(contains(word, pattern) for word in (*own, *theirs)), *below)

    def select_found(
        self, way: Way, columns: Sequence[Column[Any]] = (), conditions: Sequence[ColumnElement[bool]] = ()
    ) -> Select[Any]:
        """The id and these columns of each row that has the word."""
        every = union(*self._select_finds(way, columns, conditions)).subquery()
        return select(*every.c)

    def select_finds(
        self,
        way: Way,
        most: int,
        columns: Sequence[Column[Any]] = (),
        conditions: Sequence[ColumnElement[bool]] = (),
    ) -> Select[Any]:
        """The same as often as it is found: by several words, or by several rows that belong to it. Of very many, more
        than `most`, but not all. Each row once would have PostgreSQL look at all of them first."""
        finds = (found.limit(number(most + 1)).subquery() for found in self._select_finds(way, columns, conditions))
        every = union_all(*(select(*find.c) for find in finds)).subquery()
        return select(*every.c)

    def _select_finds(
        self, way: Way, columns: Sequence[Column[Any]], conditions: Sequence[ColumnElement[bool]]
    ) -> Iterator[Select[Any]]:
        for source, row_id, is_found in self._places(way, needs_row=bool(columns or conditions)):
            yield select(row_id.label("id"), *columns).select_from(source).where(*is_found, *conditions)

    def _places(self, way: Way, *, needs_row: bool) -> Iterator[tuple[FromClause, ColumnElement[str], list[Condition]]]:
        """Each table with words in it, from which the list's row is reached where it is needed."""
        rows = self.table
        if self.searched:
            words = _Words(rows, self.searched, way)
            is_row_there = words.rows is rows or not needs_row
            source = words.rows if is_row_there else Walk(words.rows, rows, rows.c.id == words.id)
            yield source, words.id, words.is_found
        for parent in self.parents:
            if parent.searched:
                words = _Words(parent.table, parent.searched, way)
                yield Walk(words.rows, rows, parent.foreign_key == words.id), rows.c.id, words.is_found
        for child in self.children:
            words = _Words(child.table, child.searched, way)
            source = words.rows
            if words.rows is not child.table:
                source = Walk(source, child.table, child.table.c.id == words.id)
            if needs_row:
                source = Walk(source, rows, rows.c.id == child.foreign_key)
            yield source, child.foreign_key, words.is_found


class _Words:
    """The rows of one table that have the word: those that have its pieces, in any order, and then the word itself."""

    def __init__(self, owner: Table, searched: Sequence[Column[str]], way: Way) -> None:
        pattern: BindParameter[str] = bindparam("pattern")
        if way is Way.POSTGRES:
            pieces: BindParameter[str] = bindparam("pieces")
            has_pieces = or_(*(contains(word, pieces) for word in searched))
            has_word = or_(*(contains_unindexed(word, pattern) for word in searched))
            self.rows: FromClause = owner
            self.id: ColumnElement[str] = owner.c.id
            self.is_found: list[Condition] = [and_(has_pieces, has_word)]
            return
        words = table(f"{owner.name}_search", column("rowid"), column("id"), column("words"))
        self.rows = words
        self.id = words.c.id
        self.is_found = [contains(words.c.words, pattern)]
        if way is Way.SQLITE_BY_TRIGRAMS:
            self.is_found.insert(0, text(f"{words.name} MATCH :match"))
        elif way is Way.SQLITE_BY_PIECES:
            by_pieces = table(f"{owner.name}_pieces", column("rowid"))
            self.rows = Walk(by_pieces, words, words.c.rowid == by_pieces.c.rowid)
            self.is_found.insert(0, text(f"{by_pieces.name} MATCH :match"))


def _match_of_pieces(q: str) -> str:
    """As migration 0007 spells them; SQLite knows small and capital letters of ASCII alone."""
    starts = range(len(q) - _SHORTEST_IN_PIECES + 1)
    step = -(-len(starts) // _MOST_LOOKED_UP)
    spelt = (q[start : start + _SHORTEST_IN_PIECES].encode().lower().hex() for start in starts[::step])
    return " AND ".join(f'"{piece}"' for piece in spelt)


def _pattern_of_pieces(q: str) -> str:
    """Beginning, middle and end, with anything between. pg_trgm knows letters and digits: other words stay whole."""
    length = _SHORTEST_INDEXED
    if len(q) < _MOST_LOOKED_UP * length or not (q.isascii() and q.isalnum()):
        return like_pattern(q)
    last = len(q) - length
    return f"%{'%'.join(q[start : start + length] for start in (0, last // 2, last))}%"
