"""One page of a list, and how many match."""

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import func, select

from countinghouse.core.listing.cursors import write_cursor
from countinghouse.core.listing.finding import FEW, REACH, bound_ids, find_few, is_narrowed, leaves_most
from countinghouse.core.listing.items import Cells
from countinghouse.core.listing.listing import Listing, Shape
from countinghouse.core.listing.query import ListQuery
from countinghouse.core.listing.sql import number
from countinghouse.core.listing.tallied import is_tallied, tallied_entries
from countinghouse.core.quick import Cost, Look, Plan


@dataclass(frozen=True)
class Page:
    # A JSON array.
    body: bytes
    # Known when it costs no more than the page.
    total: int | None
    next_cursor: str | None


def cost_of_page(listing: Listing, asked: ListQuery) -> Cost:
    """A search, a narrowing filter and a jump may have to look at every row."""
    return Cost.LONG if asked.skip or is_narrowed(listing, asked) else Cost.SHORT


def read_page(listing: Listing, look: Look, asked: ListQuery) -> Page:
    limit = asked.limit or 0
    position = listing.position(asked)
    ids = find_few(listing, look, asked)
    if ids == []:
        return Page(b"[]", 0, None)
    found = listing.shape(asked, ids)
    shape = replace(
        found,
        sort=asked.sort,
        has_cursor=bool(position),
        has_skip=bool(asked.skip),
        # One more than asked for tells whether there is a next page.
        limit=limit + 1,
        has_total=not found.is_searching and not found.is_among and set(found.filters) <= {listing.tallies.group},
        # PostgreSQL prepares for joining all rows; SQLite joins one after the other, and stops where the limit is.
        limits_first=not look.is_sqlite or found.is_among or _is_narrowed(listing, found),
        is_wide=is_wide(listing, look, asked, found),
    )
    values = listing.values(asked, bound_ids(look, ids)) | position
    if asked.q is not None and found.is_searching:
        rows = _search(listing, look, asked, shape, values | {"skip": asked.skip or 0})
    else:
        rows = _read(listing, look, shape, values | {"skip": asked.skip} if asked.skip else values)
    is_last = len(rows) <= limit
    if shape.has_total and rows:
        total: int | None = int(rows[0][-1])
    elif is_last and not position and not asked.skip:
        total = len(rows)
    else:
        total = _count(listing, look, asked, found, values)
    if is_last:
        return Page(listing.items.as_json(rows), total, None)
    del rows[limit:]
    next_cursor = write_cursor(asked.sort, listing.position_of(rows[-1], asked.sort))
    return Page(listing.items.as_json(rows), total, next_cursor)


def is_wide(listing: Listing, look: Look, asked: ListQuery, found: Shape) -> bool:
    """PostgreSQL knows by itself; SQLite takes any range of amounts for a narrow one."""
    may_be = look.is_sqlite and not found.is_among and not found.is_searching and _is_narrowed(listing, found)
    return may_be and leaves_most(listing, look, asked)


def _search(listing: Listing, look: Look, asked: ListQuery, shape: Shape, values: dict[str, Any]) -> list[Cells]:
    """Of a word that many rows have, the next ones are usually near. Where they are not, the index tells them all, or
    the list is walked on where they are too many to be sorted."""
    rows = _read(listing, look, replace(shape, reach=REACH, limits_first=True), values)
    if len(rows) == shape.limit:
        return rows
    if leaves_most(listing, look, asked):
        return _read(listing, look, shape, values)
    everywhere, more = listing.by_index(shape, asked.q or "", look.is_sqlite)
    return _read(listing, look, everywhere, values | more)


def _read(listing: Listing, look: Look, shape: Shape, values: dict[str, Any]) -> list[Cells]:
    return look.all(listing.statement(shape, lambda: listing.select_page(shape), _plan(listing, shape)), values)


def count_if_cheap(listing: Listing, look: Look, asked: ListQuery) -> int | None:
    """How many match, where that costs no more than a page."""
    ids = find_few(listing, look, asked)
    values = listing.values(asked, bound_ids(look, ids))
    return 0 if ids == [] else _count(listing, look, asked, listing.shape(asked, ids), values)


def _plan(listing: Listing, shape: Shape) -> Plan:
    if shape.is_searching:
        return Plan.IN_ORDER if shape.way is None else Plan.BY_LOOKUP
    return Plan.BY_VALUE if shape.has_skip or _is_narrowed(listing, shape) else Plan.ONCE


def _is_narrowed(listing: Listing, shape: Shape) -> bool:
    return not set(shape.filters).isdisjoint(listing.narrowing)


def _count(listing: Listing, look: Look, asked: ListQuery, shape: Shape, values: dict[str, Any]) -> int | None:
    if is_tallied(listing, asked):
        return tallied_entries(listing, look, asked)
    if shape.is_searching or (not shape.is_among and _is_narrowed(listing, shape)):
        # Many match the search alone; how many of them pass the other filters would have to be walked for.
        return None
    statement = listing.statement(
        ("count", shape),
        lambda: select(func.count()).select_from(
            select(listing.table.c.id).where(*listing.conditions(shape)).limit(number(FEW + 1)).subquery()
        ),
    )
    ((count,),) = look.all(statement, values)
    return int(count) if count <= FEW else None
