"""One page of a list, and how many match."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import func, select

from countinghouse.core.db import Cost, Plan, Reader, Statement
from countinghouse.core.listing.cursors import write_cursor
from countinghouse.core.listing.declarations import Shape
from countinghouse.core.listing.finding import (
    FEW,
    MOST_QUERIES,
    REACH,
    bound_ids,
    find_ids_if_few,
    is_narrowed,
    leaves_too_many,
)
from countinghouse.core.listing.items import Cells
from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import ListQuery
from countinghouse.core.listing.sql import number
from countinghouse.core.listing.tallied import is_tallied, tallied_entries


@dataclass(frozen=True)
class Page:
    # A JSON array.
    body: bytes
    # Only set when counting costs no more than reading the page.
    total: int | None
    next_cursor: str | None


def cost_of_page(listing: Listing, asked: ListQuery) -> Cost:
    """A search, a narrowing filter and a skip may have to read every row."""
    return Cost.LONG if asked.skip or is_narrowed(listing, asked) else Cost.SHORT


@dataclass(frozen=True)
class _Plan:
    """What to run for a page. `found` says which rows match, `shape` also in which order and which part of them."""

    found: Shape
    shape: Shape
    values: dict[str, Any]
    statement: Statement


async def read_page(listing: Listing, reader: Reader, asked: ListQuery) -> Page:
    if not is_narrowed(listing, asked):
        plan = _plan_without_queries(listing, asked, reader.is_sqlite)
        return await _finish(listing, reader, asked, plan, await reader.all(plan.statement, plan.values))
    # Refuses an invalid sort order or cursor before any query.
    listing.position(asked)
    ids = await find_ids_if_few(listing, reader, asked)
    if ids == []:
        return Page(b"[]", 0, None)
    found = listing.shape(asked, ids)
    plan = _plan(listing, asked, ids, reader.is_sqlite, is_wide=await is_wide(listing, reader, asked, found))
    if found.is_searching:
        rows = await _search(listing, reader, asked, plan.shape, plan.values | {"skip": asked.skip or 0})
    else:
        rows = await reader.all(plan.statement, plan.values)
    return await _finish(listing, reader, asked, plan, rows)


@lru_cache(MOST_QUERIES)
def _plan_without_queries(listing: Listing, asked: ListQuery, is_sqlite: bool) -> _Plan:
    """Kept, because screens send the same few queries again and again."""
    return _plan(listing, asked, None, is_sqlite, is_wide=False)


def _plan(listing: Listing, asked: ListQuery, ids: list[str] | None, is_sqlite: bool, *, is_wide: bool) -> _Plan:
    position = listing.position(asked)
    found = listing.shape(asked, ids)
    shape = replace(
        found,
        sort=asked.sort,
        has_cursor=bool(position),
        has_skip=bool(asked.skip),
        # One row more than requested shows whether there is a next page.
        limit=(asked.limit or 0) + 1,
        has_total=listing.tallies.table is not None
        and not found.is_searching
        and not found.is_among
        and set(found.filters) <= {listing.tallies.group},
        # PostgreSQL plans to join all rows; SQLite joins row by row and stops at the limit.
        limits_first=not is_sqlite or found.is_among or _is_narrowed(listing, found),
        is_wide=is_wide,
    )
    values = listing.values(asked, bound_ids(ids, is_sqlite)) | position
    if asked.skip:
        values["skip"] = asked.skip
    return _Plan(found, shape, values, _statement(listing, shape))


async def _finish(listing: Listing, reader: Reader, asked: ListQuery, plan: _Plan, rows: list[Cells]) -> Page:
    limit = asked.limit or 0
    is_last = len(rows) <= limit
    if plan.shape.has_total and rows:
        total: int | None = int(rows[0][-1])
    elif is_last and not plan.shape.has_cursor and not asked.skip:
        total = len(rows)
    else:
        total = await _count(listing, reader, asked, plan.found, plan.values)
    if is_last:
        return Page(listing.items.as_json(rows), total, None)
    del rows[limit:]
    next_cursor = write_cursor(asked.sort, listing.position_of(rows[-1], asked.sort))
    return Page(listing.items.as_json(rows), total, next_cursor)


async def is_wide(listing: Listing, reader: Reader, asked: ListQuery, found: Shape) -> bool:
    """Only for SQLite, which assumes that any range of amounts is narrow. PostgreSQL's planner needs no help."""
    may_be = reader.is_sqlite and not found.is_among and not found.is_searching and _is_narrowed(listing, found)
    return may_be and await leaves_too_many(listing, reader, asked)


async def _search(
    listing: Listing, reader: Reader, asked: ListQuery, shape: Shape, values: dict[str, Any]
) -> list[Cells]:
    """For a common word, the next matches are usually near. If they are not, the index finds all matches; if those
    are too many to sort, the scan of the list continues."""
    rows = await reader.all(_statement(listing, replace(shape, reach=REACH, limits_first=True)), values)
    if len(rows) == shape.limit:
        return rows
    if await leaves_too_many(listing, reader, asked):
        return await reader.all(_statement(listing, shape), values)
    indexed, more = listing.by_index(shape, asked.q or "", reader.is_sqlite)
    return await reader.all(_statement(listing, indexed), values | more)


def _statement(listing: Listing, shape: Shape) -> Statement:
    return listing.statement(shape, lambda: listing.select_page(shape), _query_plan(listing, shape))


async def count_if_cheap(listing: Listing, reader: Reader, asked: ListQuery) -> int | None:
    """The number of matches, or None if counting costs more than reading a page."""
    ids = await find_ids_if_few(listing, reader, asked)
    values = listing.values(asked, bound_ids(ids, reader.is_sqlite))
    return 0 if ids == [] else await _count(listing, reader, asked, listing.shape(asked, ids), values)


def _query_plan(listing: Listing, shape: Shape) -> Plan:
    if shape.is_searching:
        return Plan.IN_ORDER if shape.search_index is None else Plan.BY_LOOKUP
    if listing.has_filter_indexes and shape.filters:
        return Plan.BY_FILTER
    return Plan.BY_VALUE if shape.has_skip or _is_narrowed(listing, shape) else Plan.ONCE


def _is_narrowed(listing: Listing, shape: Shape) -> bool:
    return not set(shape.filters).isdisjoint(listing.narrowing)


async def _count(
    listing: Listing, reader: Reader, asked: ListQuery, shape: Shape, values: dict[str, Any]
) -> int | None:
    if is_tallied(listing, asked):
        return await tallied_entries(listing, reader, asked)
    if shape.is_searching or (not shape.is_among and _is_narrowed(listing, shape)):
        # Many rows match; counting them would mean reading them all.
        return None
    statement = listing.statement(
        ("count", shape),
        lambda: select(func.count()).select_from(
            select(listing.table.c.id).where(*listing.conditions(shape)).limit(number(FEW + 1)).subquery()
        ),
    )
    ((count,),) = await reader.all(statement, values)
    return int(count) if count <= FEW else None
