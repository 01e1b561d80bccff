"""Finds few rows through their own index first, because no single query plan is good for rare and for common words.

A query for at most a thousand ids shows which case it is. If there are few, the page is built from those ids. If there
are many, see `pages`.
"""

import json
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, func, select

from countinghouse.core.db import Plan, Reader
from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import ListFilters
from countinghouse.core.listing.searching import search_values
from countinghouse.core.listing.sql import number

# Limit of a cache, because anybody can send different queries.
MOST_QUERIES = 1000

FEW = 1000
# For a common word, this many rows are checked in list order: enough to fill a page if one row in a hundred has it.
REACH = 5_000
# Up to this many rows are found through their own index and sorted before the first is returned. If more rows match,
# the first of them are near the start of the list.
MOST_SORTED = 50_000


async def find_ids_if_few(listing: Listing, reader: Reader, asked: ListFilters) -> list[str] | None:
    """The ids of all rows that the search or another narrowing filter leaves; None if there are more than `FEW`."""
    if not is_narrowed(listing, asked):
        return None
    key, values, select_left = _narrowed_ids(listing, reader, asked, FEW)
    found = [row[0] for row in await reader.all(listing.statement(key, select_left, Plan.BY_VALUE), values)]
    # Duplicates count too: if the query reached its limit, there may be more rows after the last one.
    return list(dict.fromkeys(found)) if len(found) <= FEW else None


async def leaves_too_many(listing: Listing, reader: Reader, asked: ListFilters) -> bool:
    """Whether the search or another narrowing filter leaves too many rows to sort."""
    key, values, select_left = _narrowed_ids(listing, reader, asked, MOST_SORTED)
    statement = listing.statement(
        ("number of", *key), lambda: select(func.count()).select_from(select_left().subquery()), Plan.BY_VALUE
    )
    ((count,),) = await reader.all(statement, values)
    return bool(count > MOST_SORTED)


@lru_cache(MOST_QUERIES)
def is_narrowed(listing: Listing, asked: ListFilters) -> bool:
    return asked.q is not None or any(getattr(asked, name) is not None for name in listing.narrowing)


def _narrowed_ids(
    listing: Listing, reader: Reader, asked: ListFilters, most: int
) -> tuple[tuple[Hashable, ...], dict[str, Any], Callable[[], Select[Any]]]:
    """The statement's cache key, its values and its builder: up to `most` + 1 ids, through the most selective index."""
    more = number(most + 1)
    if asked.q is not None:
        search_index = listing.search.index_for(asked.q, reader.is_sqlite)
        values: dict[str, Any] = search_values(asked.q, search_index)
        return (
            ("found", search_index, most),
            values,
            lambda: listing.search.select_found(search_index, most=most).limit(more),
        )
    narrowing = tuple(name for name in listing.narrowing if getattr(asked, name) is not None)
    if len(narrowing) == 1:
        narrowing += tuple(name for name in listing.beside(narrowing[0]) if getattr(asked, name) is not None)
    every = listing.values(asked, None)
    left = select(listing.table.c.id).where(*(listing.filters[name] for name in narrowing)).limit(more)
    return ("narrow", narrowing, most), {name: every[name] for name in narrowing}, lambda: left


def bound_ids(ids: list[str] | None, is_sqlite: bool) -> str | None:
    """As one text: JSON, or an array as PostgreSQL writes it. The driver takes many times longer to bind a list."""
    if ids is None:
        return None
    if is_sqlite:
        return json.dumps(ids)
    quoted = (str(one).replace("\\", "\\\\").replace('"', '\\"') for one in ids)
    return '{"' + '","'.join(quoted) + '"}' if ids else "{}"
