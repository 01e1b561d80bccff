"""Counts rows in the table when the tallies do not have the answer: each group up to a limit, or exactly on request.

No single statement is fast for rare and common words, narrow and wide filters, small and large groups. A search or a
filter that leaves few rows is counted through its own index. When it leaves many, a small group is scanned in full; a
large group is counted through the filter's index, which soon finds enough rows of that group.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Column, ColumnElement, FromClause, Select, and_, case, func, select, union_all

from countinghouse.core.db import Plan, Reader
from countinghouse.core.listing.declarations import Shape
from countinghouse.core.listing.finding import REACH, bound_ids, find_ids_if_few
from countinghouse.core.listing.items import Cells
from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import NEWEST_FIRST, ListFilters
from countinghouse.core.listing.searching import SearchIndex, search_values
from countinghouse.core.listing.sql import number, unindexed, written
from countinghouse.core.listing.tallied import Total, by_group, read_tallied

# Above this a list reports "more than", unless the client asks for an exact count.
MOST_COUNTED = 10_000
# A group of up to this many rows is cheap to scan in full.
LARGE = 100_000


def sum_of(totals: Collection[Total]) -> Total:
    """The total over all groups. If one of them is not exact, the sum is a lower bound."""
    entries = sum(total.entries for total in totals)
    is_exact = all(total.is_exact for total in totals)
    sums = tuple(map(sum, zip(*(total.sums for total in totals), strict=True)))
    return Total(entries if is_exact else _rounded_down(entries), sums, is_exact)


async def count(
    listing: Listing, reader: Reader, asked: ListFilters, groups: tuple[str, ...], to_the_end: bool
) -> dict[str, Total]:
    ids = await find_ids_if_few(listing, reader, asked)
    if ids == []:
        return {}
    group = listing.tallies.group
    shape = listing.shape(asked, ids)
    shape = replace(shape, filters=tuple(name for name in shape.filters if name != group))
    values = listing.values(asked, bound_ids(ids, reader.is_sqlite))
    if group:
        values.pop(group, None)
    counting = _Counting(listing, reader, asked, groups, shape, values)
    is_known = to_the_end or ids is not None or listing.tallies.table is None
    if shape.is_searching:
        return await (counting.found() if is_known else counting.count_search())
    return await (counting.all() if is_known else counting.count_filters())


@dataclass(frozen=True)
class _Counting:
    listing: Listing
    reader: Reader
    asked: ListFilters
    groups: tuple[str, ...]
    # Without the requested group: all groups are reported.
    shape: Shape
    values: dict[str, Any]

    async def all(self) -> dict[str, Total]:
        statement = self.listing.statement(
            ("all totals", self.shape), lambda: _select_all(self.listing, self.shape), Plan.BY_VALUE
        )
        return by_group(await self.reader.all(statement, self.values), None)

    async def found(self) -> dict[str, Total]:
        """Counts all rows that a search finds, through the search index."""
        return by_group(await self._run_search("found totals", _select_found), None)

    async def _count_found_up_to(self, most: int) -> tuple[dict[str, Total], bool]:
        """The totals, and whether they are complete. Rows that were found twice are counted once, so duplicates do not
        displace other rows."""
        rows = await self._run_search(f"totals of {most} finds", partial(_select_finds, most=most))
        is_all = sum(finds for _, finds, *_ in rows) <= most
        return by_group([(part, *counted) for part, _, *counted in rows], None), is_all

    async def _run_search(self, name: str, build: Callable[[Listing, Shape, SearchIndex], Select[Any]]) -> list[Cells]:
        q = self.asked.q or ""
        search_index = self.listing.search.index_for(q, self.reader.is_sqlite)
        statement = self.listing.statement(
            (name, self.shape, search_index), lambda: build(self.listing, self.shape, search_index), Plan.BY_VALUE
        )
        return await self.reader.all(statement, self.values | search_values(q, search_index))

    async def count_search(self) -> dict[str, Total]:
        """Counts through the index up to the limit. If more rows match, checks each group's newest rows."""
        most = MOST_COUNTED
        found, is_all = await self._count_found_up_to(most)
        if is_all:
            return found
        near = replace(self.shape, reach=REACH, sort=NEWEST_FIRST)
        counted = await self._count_by_group(near, Plan.IN_ORDER)
        sizes = await self._group_sizes()
        for name, total in counted.items():
            if name in sizes and sizes[name].entries > REACH:
                at_least = max(total.entries, found[name].entries if name in found else 0)
                counted[name] = Total(_rounded_down(min(max(at_least - 1, 0), most)), total.sums, is_exact=False)
        return counted

    async def count_filters(self) -> dict[str, Total]:
        if not self._narrowing():
            return await self._count_by_group(self.shape, Plan.BY_VALUE)
        narrowed = await self._count_narrowed()
        if narrowed is not None:
            return narrowed
        large = frozenset(name for name, total in (await self._group_sizes()).items() if total.entries > LARGE)
        return await self._count_by_group(self.shape, Plan.BY_VALUE, large)

    def _narrowing(self) -> tuple[str, ...]:
        return tuple(name for name in self.shape.filters if name in self.listing.narrowing)

    async def _count_narrowed(self) -> dict[str, Total] | None:
        """Counts all rows that the narrowing filters leave; None if there are too many for one query."""
        narrowing, most = self._narrowing(), MOST_COUNTED
        statement = self.listing.statement(
            ("narrowed totals", self.shape, most),
            lambda: _select_narrowed(self.listing, self.shape, narrowing, most),
            Plan.BY_VALUE,
        )
        rows = await self.reader.all(statement, self.values)
        if sum(scanned for _, scanned, *_ in rows) > most:
            return None
        return by_group([(part, *counted) for part, _, *counted in rows], None)

    async def _count_by_group(self, shape: Shape, plan: Plan, large: frozenset[str] | None = None) -> dict[str, Total]:
        most = MOST_COUNTED
        statement = self.listing.statement(
            ("counted", shape, most, large),
            lambda: _select_by_group(self.listing, shape, self.groups, most, large),
            plan,
        )
        return by_group(await self.reader.all(statement, self.values), most)

    async def _group_sizes(self) -> dict[str, Total]:
        """The size of each group; of the filters, only the dates apply."""
        dates = ListFilters.model_construct(q=None, from_=self.asked.from_, to=self.asked.to)
        return await read_tallied(self.listing, self.reader, dates)


def _rounded_down(count: int) -> int:
    """Reports "more than 9,000", not "more than 9,998": which rows were checked first is arbitrary."""
    step = int("1" + "0" * (len(str(count)) - 1))
    return count // step * step


def _select_all(listing: Listing, shape: Shape) -> Select[Any]:
    part = _group_column(listing, listing.table)
    counted = select(part, func.count(), *_sums(listing, listing.table))
    counted = counted.select_from(listing.source(shape)).where(*listing.conditions(shape))
    # Prevents SQLite from scanning the group column's whole index just to avoid a sort.
    return counted.group_by(unindexed(part)) if listing.tallies.group else counted


def _select_found(listing: Listing, shape: Shape, search_index: SearchIndex) -> Select[Any]:
    columns, conditions = _counted_columns(listing), _filter_conditions(listing, shape)
    found = listing.search.select_found(search_index, columns, conditions).subquery("found")
    part = _group_column(listing, found)
    counted = select(part, func.count(), *_sums(listing, found)).select_from(found)
    return counted.group_by(part) if listing.tallies.group else counted


def _select_finds(listing: Listing, shape: Shape, search_index: SearchIndex, most: int) -> Select[Any]:
    """The number of matches up to the limit, then the number of distinct rows and their sums."""
    columns, conditions = _counted_columns(listing), _filter_conditions(listing, shape)
    finds = listing.search.select_finds(search_index, most, columns, conditions).subquery()
    found = select(*finds.c, func.count().label("finds")).group_by(*finds.c).subquery("found")
    part = _group_column(listing, found)
    match_count = func.coalesce(func.sum(found.c.finds), number(0))
    counted = select(part, match_count, func.count(), *_sums(listing, found)).select_from(found)
    return counted.group_by(part) if listing.tallies.group else counted


def _counted_columns(listing: Listing) -> list[Column[Any]]:
    names = (*((listing.tallies.group,) if listing.tallies.group else ()), *listing.tallies.sums)
    return [listing.table.c[name] for name in names]


def _filter_conditions(listing: Listing, shape: Shape) -> list[ColumnElement[bool]]:
    return [listing.filters[name] for name in shape.filters]


def _group_column(listing: Listing, rows: FromClause) -> ColumnElement[Any]:
    return (rows.c[listing.tallies.group] if listing.tallies.group else written("")).label("part")


def _select_narrowed(listing: Listing, shape: Shape, narrowing: tuple[str, ...], most: int) -> Select[Any]:
    """How many rows the narrowing filters leave, up to the limit; of those, how many match, and their sums."""
    tallies, rows = listing.tallies, listing.table.c
    others = [listing.filters[name] for name in shape.filters if name not in narrowing]
    matches = case((and_(*others), number(1)), else_=number(0)) if others else number(1)
    left = select(
        _group_column(listing, listing.table), matches.label("matches"), *(rows[name] for name in tallies.sums)
    )
    left = left.where(*(listing.filters[name] for name in narrowing)).limit(number(most + 1))
    few = left.subquery("few")
    sums = [func.sum(few.c[name] * few.c.matches) for name in tallies.sums]
    return select(few.c.part, func.count(), func.sum(few.c.matches), *sums).group_by(few.c.part)


def _select_by_group(
    listing: Listing, shape: Shape, groups: tuple[str, ...], most: int, large: frozenset[str] | None
) -> Select[Any]:
    """Counts each group separately up to the limit, so that a large group does not use up the limit of a small one."""
    parts: list[Select[Any]] = []
    for name in groups:
        if shape.reach:
            chosen = listing.select_matching_near(shape, *_in_group(listing, name))
        else:
            summed = (listing.table.c[column] for column in listing.tallies.sums)
            chosen = select(listing.table.c.id, *summed).select_from(listing.source(shape))
            chosen = chosen.where(*_conditions_for_group(listing, shape, name, large))
        few = chosen.limit(number(most + 1)).subquery()
        parts.append(select(written(name).label("part"), func.count(), *_sums(listing, few)).select_from(few))
    every = union_all(*parts).subquery("pieces")
    return select(*every.c)


def _conditions_for_group(
    listing: Listing, shape: Shape, name: str, large: frozenset[str] | None
) -> list[ColumnElement[bool]]:
    """SQLite guesses which index leaves fewer rows. If the group sizes are known, this makes the choice for it."""
    in_group, conditions = _in_group(listing, name), listing.conditions(shape)
    if large is None or not in_group:
        return [*conditions, *in_group]
    if name in large:
        return [*conditions, *map(unindexed, in_group)]
    others = [
        unindexed(listing.filters[filter_]) if filter_ in listing.narrowing else listing.filters[filter_]
        for filter_ in shape.filters
    ]
    return [*in_group, *others]


def _in_group(listing: Listing, name: str) -> list[ColumnElement[bool]]:
    group = listing.tallies.group
    return [listing.table.c[group] == written(name)] if group else []


def _sums(listing: Listing, rows: FromClause) -> list[ColumnElement[Any]]:
    return [func.coalesce(func.sum(rows.c[name]), number(0)) for name in listing.tallies.sums]
