"""How many match and what they sum up to, by group where a list has one.

Tallies first; what they cannot tell is counted in the table, up to a limit.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, select, union_all

from countinghouse.core.listing.finding import REACH, bound_ids, find_few
from countinghouse.core.listing.listing import Listing, Shape
from countinghouse.core.listing.query import NEWEST_FIRST, ListFilters
from countinghouse.core.listing.searching import Way, search_values, way_of
from countinghouse.core.listing.sql import number, written
from countinghouse.core.quick import Look, Plan
from countinghouse.core.times import Moment

# Beyond this a list says "more than", unless it is asked to count to the end.
MOST_COUNTED = 10_000

DATES = ("from_", "to")
_FIRST_DAY, _LAST_DAY = "0000-00-00", "9999-99-99"


@dataclass(frozen=True)
class Total:
    entries: int
    # As many as the tallies have; of no use when not all were counted.
    sums: tuple[int, ...]
    is_exact: bool = True


def sum_of(totals: Collection[Total]) -> Total:
    """Of all groups. Where one of them is not exact, more match in all than are counted."""
    entries = sum(total.entries for total in totals)
    is_exact = all(total.is_exact for total in totals)
    sums = tuple(map(sum, zip(*(total.sums for total in totals), strict=True)))
    return Total(entries if is_exact else max(entries, MOST_COUNTED), sums, is_exact)


def is_tallied(listing: Listing, asked: ListFilters) -> bool:
    present = {name for name in listing.filters if getattr(asked, name) is not None}
    return asked.q is None and present <= {*DATES, listing.tallies.group}


def tallied_entries(listing: Listing, look: Look, asked: ListFilters) -> int:
    totals = _tallied(listing, look, asked)
    group = listing.tallies.group
    chosen = getattr(asked, group) if group else None
    return sum(total.entries for name, total in totals.items() if chosen is None or name == chosen)


def read_totals(
    listing: Listing, look: Look, asked: ListFilters, groups: tuple[str, ...], exact: bool
) -> dict[str, Total]:
    """One for each group, whatever the group asked for is: a screen shows all of them beside each other."""
    nothing = Total(0, (0,) * len(listing.tallies.sums))
    found = (
        _tallied(listing, look, asked) if is_tallied(listing, asked) else _counted(listing, look, asked, groups, exact)
    )
    return {group: found.get(group, nothing) for group in groups}


def _tallied(listing: Listing, look: Look, asked: ListFilters) -> dict[str, Total]:
    values: dict[str, Any] = {}
    pieces: list[str] = []
    if asked.from_ is None and asked.to is None:
        pieces.append("all")
    else:
        _cut_into_days(asked, values, pieces)
    if not pieces:
        return {}
    statement = listing.statement(("tallied", *pieces), lambda: _select_tallied(listing, pieces))
    return _by_group(look.all(statement, values), None)


def _cut_into_days(asked: ListFilters, values: dict[str, Any], pieces: list[str]) -> None:
    """Whole days come from the tallies, what sticks out on either side from the table."""
    first = _midnight(asked.from_) if asked.from_ else None
    if first is not None and asked.from_ is not None and first < asked.from_:
        first += timedelta(days=1)
    last = _midnight(asked.to) if asked.to else None
    if asked.from_ is not None and asked.to is not None and first is not None and last is not None and first > last:
        pieces.append("between")
        values.update(head_from=asked.from_, head_to=asked.to)
        return
    pieces.append("days")
    values["first"] = first.strftime("%Y-%m-%d") if first else _FIRST_DAY
    values["last"] = last.strftime("%Y-%m-%d") if last else _LAST_DAY
    if asked.from_ is not None and first is not None and asked.from_ < first:
        pieces.append("head")
        values.update(head_from=asked.from_, head_to=first)
    if asked.to is not None and last is not None and last < asked.to:
        pieces.append("tail")
        values.update(tail_from=last, tail_to=asked.to)


def _midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.astimezone(UTC).date(), time(), UTC)


def _select_tallied(listing: Listing, pieces: list[str]) -> Select[Any]:
    tallies = listing.tallies
    days = tallies.table.c
    group: ColumnElement[Any] = days[tallies.group] if tallies.group else written("")
    amounts = [days.entries, *(days[name] for name in tallies.sums)]
    parts: list[Select[Any]] = []
    for piece in pieces:
        if piece == "all":
            parts.append(select(group.label("part"), *amounts).where(days.day == written("")))
        elif piece == "days":
            inside = (days.day >= bindparam("first"), days.day < bindparam("last"), days.day != written(""))
            parts.append(select(group.label("part"), *amounts).where(*inside))
        else:
            edge = "tail" if piece == "tail" else "head"
            parts.append(_select_edge(listing, edge))
    every = union_all(*parts).subquery("pieces")
    columns = list(every.c)
    return select(columns[0], *(func.sum(amount) for amount in columns[1:])).group_by(columns[0])


def _select_edge(listing: Listing, edge: str) -> Select[Any]:
    rows = listing.table.c
    group: ColumnElement[Any] = rows[listing.tallies.group] if listing.tallies.group else written("")
    sums = [func.coalesce(func.sum(rows[name]), number(0)) for name in listing.tallies.sums]
    within = (
        rows.created_at >= bindparam(f"{edge}_from", type_=Moment),
        rows.created_at < bindparam(f"{edge}_to", type_=Moment),
    )
    counted = select(group.label("part"), func.count(), *sums).where(*within)
    return counted.group_by(group) if listing.tallies.group else counted


def _counted(
    listing: Listing, look: Look, asked: ListFilters, groups: tuple[str, ...], exact: bool
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
    most = None if exact or ids is not None else MOST_COUNTED
    if asked.q is not None and shape.is_searching:
        return _searched(listing, look, asked, shape, values, groups, most)
    statement = listing.statement(
        ("counted", shape, most), lambda: _select_counted(listing, shape, groups, most), Plan.BY_VALUE
    )
    return _by_group(look.all(statement, values), most)


def _searched(
    listing: Listing,
    look: Look,
    asked: ListFilters,
    shape: Shape,
    values: dict[str, Any],
    groups: tuple[str, ...],
    most: int | None,
) -> dict[str, Total]:
    """By the index up to the limit. Of a word that more rows have, each group's newest are asked."""
    q = asked.q or ""
    way = way_of(q, look.is_sqlite)
    statement = listing.statement(
        ("found totals", shape, way, most), lambda: _select_found(listing, shape, way, most), Plan.BY_VALUE
    )
    found = _by_group(look.all(statement, values | search_values(q, look.is_sqlite)), None)
    if most is None or sum(total.entries for total in found.values()) <= most:
        return found
    near = replace(shape, reach=REACH, sort=NEWEST_FIRST)
    statement = listing.statement(
        ("near totals", near), lambda: _select_counted(listing, near, groups, most), Plan.IN_ORDER
    )
    counted = _by_group(look.all(statement, values), most)
    sizes = _tallied(listing, look, ListFilters.model_construct(q=None, from_=asked.from_, to=asked.to))
    for name, total in counted.items():
        if name in sizes and sizes[name].entries > REACH:
            at_least = max(total.entries, found[name].entries if name in found else 0)
            counted[name] = Total(_rounded_down(min(at_least, most)), total.sums, is_exact=False)
    return counted


def _rounded_down(count: int) -> int:
    """More than 9,000, and not more than 9,998: which rows were asked first is chance."""
    step = int("1" + "0" * (len(str(count)) - 1))
    return count // step * step


def _select_found(listing: Listing, shape: Shape, way: Way, most: int | None) -> Select[Any]:
    tallies = listing.tallies
    names = (*((tallies.group,) if tallies.group else ()), *tallies.sums)
    found = listing.search.select_found(
        way,
        columns=[listing.table.c[name] for name in names],
        conditions=[listing.filters[name] for name in shape.filters],
        most=most,
    ).subquery("found")
    sums = [func.coalesce(func.sum(found.c[name]), number(0)) for name in tallies.sums]
    if tallies.group is None:
        return select(written("").label("part"), func.count(), *sums).select_from(found)
    part = found.c[tallies.group]
    return select(part, func.count(), *sums).group_by(part)


def _select_counted(listing: Listing, shape: Shape, groups: tuple[str, ...], most: int | None) -> Select[Any]:
    """Each group up to the limit by itself: a common one must not hide how many a rare one has."""
    tallies = listing.tallies
    rows = listing.table.c
    parts: list[Select[Any]] = []
    for name in groups:
        in_group = [rows[tallies.group] == written(name)] if tallies.group else []
        if shape.reach:
            chosen = listing.select_matching_near(shape, *in_group)
        else:
            summed = (rows[column] for column in tallies.sums)
            chosen = select(rows.id, *summed).select_from(listing.source(shape))
            chosen = chosen.where(*listing.conditions(shape), *in_group)
        if most is not None:
            chosen = chosen.limit(number(most + 1))
        few = chosen.subquery()
        sums = [func.coalesce(func.sum(few.c[column]), number(0)) for column in tallies.sums]
        parts.append(select(written(name).label("part"), func.count(), *sums).select_from(few))
    every = union_all(*parts).subquery("pieces")
    return select(*every.c)


def _by_group(rows: list[tuple[Any, ...]], most: int | None) -> dict[str, Total]:
    return dict(_read(rows, most))


def _read(rows: list[tuple[Any, ...]], most: int | None) -> Iterator[tuple[str, Total]]:
    for group, entries, *sums in rows:
        is_exact = most is None or entries <= most
        yield group, Total(min(int(entries), most or int(entries)), tuple(int(amount) for amount in sums), is_exact)
