"""Counts and sums from the tallies, which triggers maintain per day and per group."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from sqlalchemy import Select, bindparam, func, select, union_all

from countinghouse.core.db import Reader
from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import ListFilters
from countinghouse.core.listing.sql import written
from countinghouse.core.times import Moment

_FIRST_DAY, _LAST_DAY = "0000-00-00", "9999-99-99"
_ALMOST_A_DAY = timedelta(days=1) - timedelta.resolution


@dataclass(frozen=True)
class Total:
    entries: int
    # One for each summed column of the tallies; meaningless if `is_exact` is false.
    sums: tuple[int, ...]
    is_exact: bool = True


def is_tallied(listing: Listing, asked: ListFilters) -> bool:
    present = {name for name in listing.filters if getattr(asked, name) is not None}
    return listing.tallies.table is not None and asked.q is None and present <= {"from_", "to", listing.tallies.group}


async def tallied_entries(listing: Listing, reader: Reader, asked: ListFilters) -> int:
    totals = await read_tallied(listing, reader, asked)
    group = listing.tallies.group
    chosen = getattr(asked, group) if group else None
    return sum(total.entries for name, total in totals.items() if chosen is None or name == chosen)


async def read_tallied(listing: Listing, reader: Reader, asked: ListFilters) -> dict[str, Total]:
    values: dict[str, Any] = {}
    pieces = _split_into_days(asked, values)
    statement = listing.statement(("tallied", *pieces), lambda: _select_tallied(listing, pieces))
    return by_group(await reader.all(statement, values))


def _split_into_days(asked: ListFilters, values: dict[str, Any]) -> list[str]:
    """Whole days are read from the tallies; the partial days at either end are counted in the table."""
    start, end = asked.from_, asked.to
    if start is None and end is None:
        return ["all"]
    first = _midnight(start + _ALMOST_A_DAY) if start else None
    last = _midnight(end) if end else None
    if first is not None and last is not None and first > last:
        values.update(head_from=start, head_to=end)
        return ["head"]
    pieces = ["days"]
    values["first"] = first.strftime("%Y-%m-%d") if first else _FIRST_DAY
    values["last"] = last.strftime("%Y-%m-%d") if last else _LAST_DAY
    if start != first:
        pieces.append("head")
        values.update(head_from=start, head_to=first)
    if end != last:
        pieces.append("tail")
        values.update(tail_from=last, tail_to=end)
    return pieces


def _midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.astimezone(UTC).date(), time(), UTC)


def _select_tallied(listing: Listing, pieces: list[str]) -> Select[Any]:
    tallies, kept = listing.tallies, listing.tallies.kept
    tallied = select(tallies.part(kept), kept.c.entries, *(kept.c[name] for name in tallies.sums))
    parts: list[Select[Any]] = []
    for piece in pieces:
        if piece == "all":
            parts.append(tallied.where(kept.c.day == written("")))
        elif piece == "days":
            inside = (kept.c.day >= bindparam("first"), kept.c.day < bindparam("last"), kept.c.day != written(""))
            parts.append(tallied.where(*inside))
        else:
            made_at = listing.table.c.created_at
            after = made_at >= bindparam(f"{piece}_from", type_=Moment)
            before = made_at < bindparam(f"{piece}_to", type_=Moment)
            parts.append(tallies.select_counts(listing.table).where(after, before))
    part, *amounts = union_all(*parts).subquery("pieces").c
    return select(part, *map(func.sum, amounts)).group_by(part)


def by_group(rows: list[tuple[Any, ...]], most: int | None = None) -> dict[str, Total]:
    """Rows of a group, its entries and its sums. More than `most` entries are not all counted."""
    return {
        group: Total(min(int(entries), most or int(entries)), tuple(map(int, sums)), most is None or entries <= most)
        for group, entries, *sums in rows
    }
