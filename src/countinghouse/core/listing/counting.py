"""Counting in the table what the tallies cannot tell: each group up to a limit, or to the end where that is asked for.

No one statement is quick for rare and common words, narrow and wide filters, small and large groups. What leaves few
rows is counted by its own index. Beyond that, a small group is walked, and a large one is met often by that index.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Column, ColumnElement, FromClause, Select, and_, case, func, select, union_all

from countinghouse.core.listing.finding import REACH, bound_ids, find_few
from countinghouse.core.listing.items import Cells
from countinghouse.core.listing.listing import Listing, Shape
from countinghouse.core.listing.query import NEWEST_FIRST, ListFilters
from countinghouse.core.listing.searching import Way, search_values, way_of
from countinghouse.core.listing.sql import asked_of_row, number, written
from countinghouse.core.listing.tallied import Total, by_group, read_tallied
from countinghouse.core.quick import Look, Plan

# Beyond this a list says "more than", unless it is asked to count to the end.
MOST_COUNTED = 10_000
# So many rows of a group can be walked in passing.
LARGE = 100_000


def sum_of(totals: Collection[Total]) -> Total:
    """Of all groups. Where one of them is not exact, more match in all than are counted."""
    entries = sum(total.entries for total in totals)
    is_exact = all(total.is_exact for total in totals)
    sums = tuple(map(sum, zip(*(total.sums for total in totals), strict=True)))
    return Total(entries if is_exact else _rounded_down(entries), sums, is_exact)


def count(
    listing: Listing, look: Look, asked: ListFilters, groups: tuple[str, ...], to_the_end: bool
) -> dict[str, Total]:
    ids = find_few(listing, look, asked)
    if ids == []:
        return {}
    group = listing.tallies.group
    shape = listing.shape(asked, ids)
    shape = replace(shape, filters=tuple(name for name in shape.filters if name != group))
    values = listing.values(asked, bound_ids(look, ids))
    if group:
        values.pop(group, None)
    counting = _Counting(listing, look, asked, groups, shape, values)
    is_known = to_the_end or ids is not None
    if shape.is_searching:
        return counting.found() if is_known else counting.of_a_search()
    return counting.all() if is_known else counting.of_filters()


@dataclass(frozen=True)
class _Counting:
    listing: Listing
    look: Look
    asked: ListFilters
    groups: tuple[str, ...]
    # Without the group that is asked for: all groups are told.
    shape: Shape
    values: dict[str, Any]

    def all(self) -> dict[str, Total]:
        statement = self.listing.statement(
            ("all totals", self.shape), lambda: _select_all(self.listing, self.shape), Plan.BY_VALUE
        )
        return by_group(self.look.all(statement, self.values), None)

    def found(self) -> dict[str, Total]:
        """Of a search, by its index."""
        return by_group(self._look_up("found totals", _select_found), None)

    def _found_up_to(self, most: int) -> tuple[dict[str, Total], bool]:
        """And whether that is all: rows that were found twice are counted once, and hide no other."""
        rows = self._look_up(f"totals of {most} finds", partial(_select_finds, most=most))
        is_all = sum(finds for _, finds, *_ in rows) <= most
        return by_group([(part, *counted) for part, _, *counted in rows], None), is_all

    def _look_up(self, name: str, build: Callable[[Listing, Shape, Way], Select[Any]]) -> list[Cells]:
        q = self.asked.q or ""
        way = way_of(q, self.look.is_sqlite)
        statement = self.listing.statement(
            (name, self.shape, way), lambda: build(self.listing, self.shape, way), Plan.BY_VALUE
        )
        return self.look.all(statement, self.values | search_values(q, self.look.is_sqlite))

    def of_a_search(self) -> dict[str, Total]:
        """By the index up to the limit. Of a word that more rows have, each group's newest are asked."""
        most = MOST_COUNTED
        found, is_all = self._found_up_to(most)
        if is_all:
            return found
        near = replace(self.shape, reach=REACH, sort=NEWEST_FIRST)
        counted = self._by_parts(near, Plan.IN_ORDER)
        sizes = self._sizes()
        for name, total in counted.items():
            if name in sizes and sizes[name].entries > REACH:
                at_least = max(total.entries, found[name].entries if name in found else 0)
                counted[name] = Total(_rounded_down(min(max(at_least - 1, 0), most)), total.sums, is_exact=False)
        return counted

    def of_filters(self) -> dict[str, Total]:
        if not self._narrowing():
            return self._by_parts(self.shape, Plan.BY_VALUE)
        narrowed = self._narrowed()
        if narrowed is not None:
            return narrowed
        large = frozenset(name for name, total in self._sizes().items() if total.entries > LARGE)
        return self._by_parts(self.shape, Plan.BY_VALUE, large)

    def _narrowing(self) -> tuple[str, ...]:
        return tuple(name for name in self.shape.filters if name in self.listing.narrowing)

    def _narrowed(self) -> dict[str, Total] | None:
        """All that the narrowing filters leave, unless it is too much for one look."""
        narrowing, most = self._narrowing(), MOST_COUNTED
        statement = self.listing.statement(
            ("narrowed totals", self.shape, most),
            lambda: _select_narrowed(self.listing, self.shape, narrowing, most),
            Plan.BY_VALUE,
        )
        rows = self.look.all(statement, self.values)
        if sum(looked_at for _, looked_at, *_ in rows) > most:
            return None
        return by_group([(part, *counted) for part, _, *counted in rows], None)

    def _by_parts(self, shape: Shape, plan: Plan, large: frozenset[str] | None = None) -> dict[str, Total]:
        most = MOST_COUNTED
        statement = self.listing.statement(
            ("counted", shape, most, large),
            lambda: _select_by_parts(self.listing, shape, self.groups, most, large),
            plan,
        )
        return by_group(self.look.all(statement, self.values), most)

    def _sizes(self) -> dict[str, Total]:
        """Of the groups, whatever else is asked for."""
        dates = ListFilters.model_construct(q=None, from_=self.asked.from_, to=self.asked.to)
        return read_tallied(self.listing, self.look, dates)


def _rounded_down(count: int) -> int:
    """More than 9,000, and not more than 9,998: which rows were asked first is chance."""
    step = int("1" + "0" * (len(str(count)) - 1))
    return count // step * step


def _select_all(listing: Listing, shape: Shape) -> Select[Any]:
    part = _part(listing, listing.table)
    counted = select(part, func.count(), *_sums(listing, listing.table))
    counted = counted.select_from(listing.source(shape)).where(*listing.conditions(shape))
    # Not by the group's own index, which SQLite would walk from end to end to have nothing to sort.
    return counted.group_by(asked_of_row(part)) if listing.tallies.group else counted


def _select_found(listing: Listing, shape: Shape, way: Way) -> Select[Any]:
    found = listing.search.select_found(way, _counted(listing), _asked_beside(listing, shape)).subquery("found")
    part = _part(listing, found)
    counted = select(part, func.count(), *_sums(listing, found)).select_from(found)
    return counted.group_by(part) if listing.tallies.group else counted


def _select_finds(listing: Listing, shape: Shape, way: Way, most: int) -> Select[Any]:
    """How often the word is found, up to the limit; then how many rows that is, and their sums."""
    finds = listing.search.select_finds(way, most, _counted(listing), _asked_beside(listing, shape)).subquery()
    found = select(*finds.c, func.count().label("finds")).group_by(*finds.c).subquery("found")
    part = _part(listing, found)
    finds_of_part = func.coalesce(func.sum(found.c.finds), number(0))
    counted = select(part, finds_of_part, func.count(), *_sums(listing, found)).select_from(found)
    return counted.group_by(part) if listing.tallies.group else counted


def _counted(listing: Listing) -> list[Column[Any]]:
    names = (*((listing.tallies.group,) if listing.tallies.group else ()), *listing.tallies.sums)
    return [listing.table.c[name] for name in names]


def _asked_beside(listing: Listing, shape: Shape) -> list[ColumnElement[bool]]:
    return [listing.filters[name] for name in shape.filters]


def _part(listing: Listing, rows: FromClause) -> ColumnElement[Any]:
    return (rows.c[listing.tallies.group] if listing.tallies.group else written("")).label("part")


def _select_narrowed(listing: Listing, shape: Shape, narrowing: tuple[str, ...], most: int) -> Select[Any]:
    """How many the narrowing filters leave, up to the limit; of those, what matches and its sums."""
    tallies, rows = listing.tallies, listing.table.c
    others = [listing.filters[name] for name in shape.filters if name not in narrowing]
    matches = case((and_(*others), number(1)), else_=number(0)) if others else number(1)
    left = select(_part(listing, listing.table), matches.label("matches"), *(rows[name] for name in tallies.sums))
    left = left.where(*(listing.filters[name] for name in narrowing)).limit(number(most + 1))
    few = left.subquery("few")
    sums = [func.sum(few.c[name] * few.c.matches) for name in tallies.sums]
    return select(few.c.part, func.count(), func.sum(few.c.matches), *sums).group_by(few.c.part)


def _select_by_parts(
    listing: Listing, shape: Shape, groups: tuple[str, ...], most: int, large: frozenset[str] | None
) -> Select[Any]:
    """Each group up to the limit by itself: a common one must not hide how many a rare one has."""
    parts: list[Select[Any]] = []
    for name in groups:
        if shape.reach:
            chosen = listing.select_matching_near(shape, *_in_group(listing, name))
        else:
            summed = (listing.table.c[column] for column in listing.tallies.sums)
            chosen = select(listing.table.c.id, *summed).select_from(listing.source(shape))
            chosen = chosen.where(*_conditions_in(listing, shape, name, large))
        few = chosen.limit(number(most + 1)).subquery()
        parts.append(select(written(name).label("part"), func.count(), *_sums(listing, few)).select_from(few))
    every = union_all(*parts).subquery("pieces")
    return select(*every.c)


def _conditions_in(
    listing: Listing, shape: Shape, name: str, large: frozenset[str] | None
) -> list[ColumnElement[bool]]:
    """SQLite guesses which index leaves fewer rows; where the groups' sizes are known, it is told."""
    in_group, conditions = _in_group(listing, name), listing.conditions(shape)
    if large is None or not in_group:
        return [*conditions, *in_group]
    if name in large:
        return [*conditions, *map(asked_of_row, in_group)]
    others = [
        asked_of_row(listing.filters[filter_]) if filter_ in listing.narrowing else listing.filters[filter_]
        for filter_ in shape.filters
    ]
    return [*in_group, *others]


def _in_group(listing: Listing, name: str) -> list[ColumnElement[bool]]:
    group = listing.tallies.group
    return [listing.table.c[group] == written(name)] if group else []


def _sums(listing: Listing, rows: FromClause) -> list[ColumnElement[Any]]:
    return [func.coalesce(func.sum(rows.c[name]), number(0)) for name in listing.tallies.sums]
