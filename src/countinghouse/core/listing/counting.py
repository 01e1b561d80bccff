"""Counts and sums of the matching rows, per group if the list has one: from the tallies if possible, else counted.

When the tallies do not have the answer, each group is counted up to a limit, or exactly on request. No single statement
is fast for rare and common words, narrow and wide filters, small and large groups. A search or a filter that leaves few
rows is counted through its own index. When it leaves many, a small group is scanned in full; a large group is counted
through the filter's index, which soon finds enough rows of that group.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Column, ColumnElement, Select, and_, case, func, select, union_all

from countinghouse.core.db import Plan, Reader
from countinghouse.core.listing.declarations import Shape
from countinghouse.core.listing.finding import REACH, bound_ids, find_ids_if_few
from countinghouse.core.listing.items import Cells
from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import NEWEST_FIRST, ListFilters
from countinghouse.core.listing.searching import SearchIndex, search_values
from countinghouse.core.listing.sql import number, unindexed, written
from countinghouse.core.listing.tallied import Total, by_group, is_tallied, read_tallied

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


async def read_totals(
    listing: Listing, reader: Reader, asked: ListFilters, groups: tuple[str, ...], exact: bool
) -> dict[str, Total]:
    """One total for each group, even if the query asks for one group: a screen shows all of them side by side."""
    nothing = Total(0, (0,) * len(listing.tallies.sums))
    if is_tallied(listing, asked):
        found = await read_tallied(listing, reader, asked)
    else:
        found = await _count(listing, reader, asked, groups, exact)
    return {group: found.get(group, nothing) for group in groups}


async def _count(
    listing: Listing, reader: Reader, asked: ListFilters, groups: tuple[str, ...], exact: bool
) -> dict[str, Total]:
    ids = await find_ids_if_few(listing, reader, asked)
    if ids == []:
        return {}
    group = listing.tallies.group
    shape = listing.shape(asked, ids)
    shape = replace(shape, filters=tuple(name for name in shape.filters if name != group))
    values = listing.values(asked, bound_ids(ids, reader.is_sqlite))
    values.pop(group or "", None)
    index = listing.search.index_for(asked.q or "", reader.is_sqlite)
    if shape.is_searching:
        values |= search_values(asked.q or "", index)
    counting = _Counting(listing, reader, asked, groups, shape, index, values)
    if exact or ids is not None or listing.tallies.table is None:
        return await counting.count_all()
    return await (counting.count_search() if shape.is_searching else counting.count_filters())


@dataclass(frozen=True)
class _Counting:
    listing: Listing
    reader: Reader
    asked: ListFilters
    groups: tuple[str, ...]
    # Without the requested group: all groups are reported.
    shape: Shape
    index: SearchIndex
    values: dict[str, Any]

    async def count_all(self) -> dict[str, Total]:
        if self.shape.is_searching:
            return by_group(await self._run("found totals", self._select_found))
        return by_group(await self._run("all totals", self._select_all))

    async def count_search(self) -> dict[str, Total]:
        """Counts through the index up to the limit. If more rows match, checks each group's newest rows."""
        most = MOST_COUNTED
        rows = await self._run(("finds", most), lambda: self._select_finds(most))
        # Rows that were found twice are counted once, so duplicates do not displace other rows.
        found = by_group([(part, *counted) for part, _, *counted in rows])
        if sum(finds for _, finds, *_ in rows) <= most:
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
        narrowing, most = [name for name in self.shape.filters if name in self.listing.narrowing], MOST_COUNTED
        if not narrowing:
            return await self._count_by_group(self.shape, Plan.BY_VALUE)
        rows = await self._run(("narrowed totals", most), lambda: self._select_narrowed(narrowing, most))
        if sum(scanned for _, scanned, *_ in rows) <= most:
            return by_group([(part, *counted) for part, _, *counted in rows])
        large = frozenset(name for name, total in (await self._group_sizes()).items() if total.entries > LARGE)
        return await self._count_by_group(self.shape, Plan.BY_VALUE, large)

    async def _count_by_group(self, shape: Shape, plan: Plan, large: frozenset[str] | None = None) -> dict[str, Total]:
        key, most = ("counted", shape, MOST_COUNTED, large), MOST_COUNTED
        return by_group(await self._run(key, lambda: self._select_by_group(shape, most, large), plan), most)

    async def _group_sizes(self) -> dict[str, Total]:
        """The size of each group; of the filters, only the dates apply."""
        dates = ListFilters.model_construct(q=None, from_=self.asked.from_, to=self.asked.to)
        return await read_tallied(self.listing, self.reader, dates)

    async def _run(self, name: Any, build: Callable[[], Select[Any]], plan: Plan = Plan.BY_VALUE) -> list[Cells]:
        statement = self.listing.statement((name, self.shape, self.index), build, plan)
        return await self.reader.all(statement, self.values)

    def _select_all(self) -> Select[Any]:
        counted = self.listing.tallies.select_counts(self.listing.table)
        return counted.select_from(self.listing.source(self.shape)).where(*self.listing.conditions(self.shape))

    def _select_found(self) -> Select[Any]:
        found = self.listing.search.select_found(self.index, self._counted_columns(), self._filters()).subquery("found")
        return self.listing.tallies.select_counts(found)

    def _select_finds(self, most: int) -> Select[Any]:
        """The number of matches up to the limit, then the number of distinct rows and their sums."""
        finds = self.listing.search.select_finds(self.index, most, self._counted_columns(), self._filters()).subquery()
        found = select(*finds.c, func.count().label("finds")).group_by(*finds.c).subquery("found")
        return self.listing.tallies.select_counts(found, func.coalesce(func.sum(found.c.finds), number(0)))

    def _counted_columns(self) -> list[Column[Any]]:
        tallies = self.listing.tallies
        return [self.listing.table.c[name] for name in (tallies.group, *tallies.sums) if name]

    def _filters(self) -> list[ColumnElement[bool]]:
        return [self.listing.filters[name] for name in self.shape.filters]

    def _select_narrowed(self, narrowing: list[str], most: int) -> Select[Any]:
        """How many rows the narrowing filters leave, up to the limit; of those, how many match, and their sums."""
        tallies, rows, filters = self.listing.tallies, self.listing.table, self.listing.filters
        others = [filters[name] for name in self.shape.filters if name not in narrowing]
        matches = case((and_(*others), number(1)), else_=number(0)) if others else number(1)
        left = select(tallies.part(rows), matches.label("matches"), *(rows.c[name] for name in tallies.sums))
        few = left.where(*(filters[name] for name in narrowing)).limit(number(most + 1)).subquery("few").c
        sums = [func.sum(few[name] * few.matches) for name in tallies.sums]
        return select(few.part, func.count(), func.sum(few.matches), *sums).group_by(few.part)

    def _select_by_group(self, shape: Shape, most: int, large: frozenset[str] | None) -> Select[Any]:
        """Counts each group separately up to the limit, so that a large group does not use up the limit of a small."""
        tallies, table = self.listing.tallies, self.listing.table
        parts: list[Select[Any]] = []
        for name in self.groups:
            in_group = [table.c[tallies.group] == written(name)] if tallies.group else []
            if shape.reach:
                chosen = self.listing.select_matching_near(shape, *in_group)
            else:
                chosen = select(table.c.id, *(table.c[summed] for summed in tallies.sums))
                is_large = None if large is None else name in large
                conditions = self._conditions_for_group(shape, in_group, is_large)
                chosen = chosen.select_from(self.listing.source(shape)).where(*conditions)
            few = chosen.limit(number(most + 1)).subquery()
            counted = select(written(name).label("part"), func.count(), *tallies.sums_of(few))
            parts.append(counted.select_from(few))
        return select(*union_all(*parts).subquery("pieces").c)

    def _conditions_for_group(
        self, shape: Shape, in_group: list[ColumnElement[bool]], is_large: bool | None
    ) -> list[ColumnElement[bool]]:
        """SQLite guesses which index leaves fewer rows. If the group's size is known, this makes the choice for it."""
        listing = self.listing
        if is_large is None or not in_group:
            return [*listing.conditions(shape), *in_group]
        if is_large:
            return [*listing.conditions(shape), *map(unindexed, in_group)]
        filters = [(name, listing.filters[name]) for name in shape.filters]
        return [*in_group, *(unindexed(kept) if name in listing.narrowing else kept for name, kept in filters)]


def _rounded_down(count: int) -> int:
    """Reports "more than 9,000", not "more than 9,998": which rows were checked first is arbitrary."""
    step = int("1" + "0" * (len(str(count)) - 1))
    return count // step * step
