"""What leaves few rows is found by its own index first; no single plan is good for rare and for common words.

A look for at most a thousand ids tells which it is. Few: the page is made of those. Many: see `pages`.
"""

import json

from sqlalchemy import select

from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import ListFilters
from countinghouse.core.listing.searching import search_values, way_of
from countinghouse.core.listing.sql import number
from countinghouse.core.quick import Look, Plan

FEW = 1000
# So many rows in a list's order are asked for a common word: a page of it is full by then if one in a hundred has it.
REACH = 5_000


def find_few(listing: Listing, look: Look, asked: ListFilters) -> list[str] | None:
    """The ids of all rows that the search or another narrowing filter leaves; None when they are many."""
    narrowing = tuple(name for name in listing.narrowing if getattr(asked, name) is not None)
    few = number(FEW + 1)
    if asked.q is not None:
        way = way_of(asked.q, look.is_sqlite)
        values = search_values(asked.q, look.is_sqlite)
        statement = listing.statement(
            ("found", way), lambda: listing.search.select_found(way, most=FEW).limit(few), Plan.BY_VALUE
        )
    elif narrowing:
        every = listing.values(asked, None)
        values = {name: every[name] for name in narrowing}
        statement = listing.statement(
            ("narrow", narrowing),
            lambda: select(listing.table.c.id).where(*(listing.filters[name] for name in narrowing)).limit(few),
            Plan.BY_VALUE,
        )
    else:
        return None
    found = [row[0] for row in look.all(statement, values)]
    return found if len(found) <= FEW else None


def bound_ids(look: Look, ids: list[str] | None) -> list[str] | str | None:
    return json.dumps(ids) if look.is_sqlite and ids is not None else ids
