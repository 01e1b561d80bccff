"""What leaves few rows is found by its own index first; no single plan is good for rare and for common words.

A look for at most a thousand ids tells which it is. Few: the page is made of those. Many: the list is walked in its
order, and a page is soon full.
"""

import json
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, column, or_, select, table, text, union

from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import ListFilters
from countinghouse.core.listing.sql import Walk, contains, like_pattern, number
from countinghouse.core.quick import Look, Plan

FEW = 1000

# A trigram index knows nothing of shorter words.
SHORTEST_INDEXED = 3
# Each list of rows is read whole: three leave so few that checking them costs less than a fourth.
_MOST_TRIGRAMS = 3


def find_few(listing: Listing, look: Look, asked: ListFilters) -> list[str] | None:
    """The ids of all rows that the search or another narrowing filter leaves; None when they are many."""
    narrowing = tuple(name for name in listing.narrowing if getattr(asked, name) is not None)
    if asked.q is not None:
        if len(asked.q) < SHORTEST_INDEXED:
            return None
        values: dict[str, Any] = {"pattern": like_pattern(asked.q)}
        if look.is_sqlite:
            values["match"] = _trigrams(asked.q)
        build = _search_on_sqlite if look.is_sqlite else _search_on_postgres
        key: tuple[Any, ...] = ("search", look.is_sqlite)
        statement = listing.statement(key, lambda: build(listing), Plan.BY_VALUE)
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
    pattern: BindParameter[str] = bindparam("pattern")
    few = number(FEW + 1)
    finds = []
    if listing.searched:
        own = or_(*(contains(searched, pattern) for searched in listing.searched))
        finds.append(select(listing.table.c.id).where(own).limit(few).subquery())
    for parent in listing.parents:
        if parent.searched:
            theirs = or_(*(contains(searched, pattern) for searched in parent.searched))
            joined = parent.table.join(listing.table, parent.foreign_key == parent.table.c.id)
            finds.append(select(listing.table.c.id).select_from(joined).where(theirs).limit(few).subquery())
    for child in listing.children:
        theirs = or_(*(contains(searched, pattern) for searched in child.searched))
        finds.append(select(child.foreign_key.label("id")).where(theirs).limit(few).subquery())
    every = union(*(select(find.c.id) for find in finds)).subquery()
    return select(every.c.id).limit(few)


def _search_on_sqlite(listing: Listing) -> Select[Any]:
    few = number(FEW + 1)
    finds = []
    if listing.searched:
        found = _words_of(listing.table.name)
        finds.append(select(found.c.id).where(*_is_found(found)).limit(few).subquery())
    for parent in listing.parents:
        if parent.searched:
            found = _words_of(parent.table.name)
            joined = Walk(found, listing.table, parent.foreign_key == found.c.id)
            theirs = select(listing.table.c.id).select_from(joined).where(*_is_found(found))
            finds.append(theirs.limit(few).subquery())
    for child in listing.children:
        found = _words_of(child.table.name)
        joined = Walk(found, child.table, child.table.c.id == found.c.id)
        theirs = select(child.foreign_key.label("id")).select_from(joined).where(*_is_found(found))
        finds.append(theirs.limit(few).subquery())
    every = union(*(select(find.c.id) for find in finds)).subquery()
    return select(every.c.id).limit(few)


def _words_of(name: str) -> Any:
    return table(f"{name}_search", column("id"), column("words"))


def _is_found(found: Any) -> tuple[Any, ...]:
    # The index finds rows with all of the trigrams in any order; the pattern tells whether they make the word.
    return text(f"{found.name} MATCH :match"), contains(found.c.words, bindparam("pattern"))


def _trigrams(q: str) -> str:
    trigrams = [q[start : start + 3] for start in range(len(q) - 2)]
    step = -(-len(trigrams) // _MOST_TRIGRAMS)
    return " AND ".join(f'"{trigram.replace(chr(34), chr(34) * 2)}"' for trigram in trigrams[::step])
