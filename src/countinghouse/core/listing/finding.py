"""What leaves few rows is found by its own index first; no single plan is good for rare and for common words.

A look for at most a thousand ids tells which it is. Few: the page is made of those. Many: the list is walked in its
order, and a page is soon full.
"""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    FromClause,
    Select,
    and_,
    bindparam,
    column,
    or_,
    select,
    table,
    text,
    union,
)

from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import ListFilters
from countinghouse.core.listing.sql import Walk, contains, contains_unindexed, like_pattern, number
from countinghouse.core.quick import Look, Plan

FEW = 1000

# A trigram index knows nothing of shorter words.
SHORTEST_INDEXED = 3
# SQLite has a second index, of four letters: each of these stands in a tenth as many rows.
_SHORTEST_IN_PIECES = 4
# Each piece is a list of rows to be read: three leave so few rows that checking them costs less than a fourth.
_MOST_LOOKED_UP = 3


def find_few(listing: Listing, look: Look, asked: ListFilters) -> list[str] | None:
    """The ids of all rows that the search or another narrowing filter leaves; None when they are many."""
    narrowing = tuple(name for name in listing.narrowing if getattr(asked, name) is not None)
    if asked.q is not None:
        if len(asked.q) < SHORTEST_INDEXED:
            return None
        values: dict[str, Any] = {"pattern": like_pattern(asked.q)}
        if look.is_sqlite:
            by_pieces = len(asked.q) >= _SHORTEST_IN_PIECES
            values["match"] = _match_of_pieces(asked.q) if by_pieces else f'"{asked.q.replace(chr(34), chr(34) * 2)}"'
            key: tuple[Any, ...] = ("search", by_pieces)
            statement = listing.statement(key, lambda: _search_on_sqlite(listing, by_pieces), Plan.BY_VALUE)
        else:
            values["pieces"] = _pattern_of_pieces(asked.q)
            statement = listing.statement(("search",), lambda: _search_on_postgres(listing), Plan.BY_VALUE)
    elif narrowing:
        values = listing.values(asked, None)
        values = {name: values[name] for name in narrowing}
        statement = listing.statement(
            ("narrow", narrowing),
            lambda: (
                select(listing.table.c.id).where(*(listing.filters[name] for name in narrowing)).limit(number(FEW + 1))
            ),
            Plan.BY_VALUE,
        )
    else:
        return None
    found = [row[0] for row in look.all(statement, values)]
    return found if len(found) <= FEW else None


def bound_ids(look: Look, ids: list[str] | None) -> list[str] | str | None:
    return json.dumps(ids) if look.is_sqlite and ids is not None else ids


def _search_on_postgres(listing: Listing) -> Select[Any]:
    few = number(FEW + 1)
    finds = []
    if listing.searched:
        own = _has_word(listing.searched)
        finds.append(select(listing.table.c.id).where(own).limit(few).subquery())
    for parent in listing.parents:
        if parent.searched:
            joined = parent.table.join(listing.table, parent.foreign_key == parent.table.c.id)
            theirs = select(listing.table.c.id).select_from(joined).where(_has_word(parent.searched))
            finds.append(theirs.limit(few).subquery())
    for child in listing.children:
        theirs = select(child.foreign_key.label("id")).where(_has_word(child.searched))
        finds.append(theirs.limit(few).subquery())
    every = union(*(select(find.c.id) for find in finds)).subquery()
    return select(every.c.id).limit(few)


def _has_word(searched: Sequence[ColumnElement[Any]]) -> ColumnElement[bool]:
    """The index is asked for rows with a few pieces of the word; the rows themselves tell whether these make it."""
    pieces: BindParameter[str] = bindparam("pieces")
    pattern: BindParameter[str] = bindparam("pattern")
    return and_(
        or_(*(contains(column, pieces) for column in searched)),
        or_(*(contains_unindexed(column, pattern) for column in searched)),
    )


def _search_on_sqlite(listing: Listing, by_pieces: bool) -> Select[Any]:
    few = number(FEW + 1)
    finds = []
    if listing.searched:
        found = _Found(listing.table.name, by_pieces)
        finds.append(select(found.id).select_from(found.rows).where(*found.conditions).limit(few).subquery())
    for parent in listing.parents:
        if parent.searched:
            found = _Found(parent.table.name, by_pieces)
            joined = Walk(found.rows, listing.table, parent.foreign_key == found.id)
            theirs = select(listing.table.c.id).select_from(joined).where(*found.conditions)
            finds.append(theirs.limit(few).subquery())
    for child in listing.children:
        found = _Found(child.table.name, by_pieces)
        joined = Walk(found.rows, child.table, child.table.c.id == found.id)
        theirs = select(child.foreign_key.label("id")).select_from(joined).where(*found.conditions)
        finds.append(theirs.limit(few).subquery())
    every = union(*(select(find.c.id) for find in finds)).subquery()
    return select(every.c.id).limit(few)


class _Found:
    """The rows of one table whose words have all of the pieces, in any order, and whether these make the word."""

    def __init__(self, name: str, by_pieces: bool) -> None:
        words = table(f"{name}_search", column("rowid"), column("id"), column("words"))
        pieces = table(f"{name}_pieces", column("rowid"))
        matched = pieces if by_pieces else words
        self.rows: FromClause = Walk(pieces, words, words.c.rowid == pieces.c.rowid) if by_pieces else words
        self.id = words.c.id
        self.conditions = (text(f"{matched.name} MATCH :match"), contains(words.c.words, bindparam("pattern")))


def _match_of_pieces(q: str) -> str:
    """As migration 0007 spells them; SQLite knows small and capital letters of ASCII alone."""
    starts = range(len(q) - _SHORTEST_IN_PIECES + 1)
    step = -(-len(starts) // _MOST_LOOKED_UP)
    spelt = (q[start : start + _SHORTEST_IN_PIECES].encode().lower().hex() for start in starts[::step])
    return " AND ".join(f'"{piece}"' for piece in spelt)


def _pattern_of_pieces(q: str) -> str:
    """Beginning, middle and end, with anything between. pg_trgm knows letters and digits: other words stay whole."""
    length = SHORTEST_INDEXED
    if len(q) < _MOST_LOOKED_UP * length or not (q.isascii() and q.isalnum()):
        return like_pattern(q)
    last = len(q) - length
    return f"%{'%'.join(q[start : start + length] for start in (0, last // 2, last))}%"
