"""Counts and sums from the tallies, which triggers maintain per day and per group."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, select, union_all

from countinghouse.core.db import Reader
from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import ListFilters
from countinghouse.core.listing.sql import number, written
from countinghouse.core.times import Moment

DATES = ("from_", "to")
_FIRST_DAY, _LAST_DAY = "0000-00-00", "9999-99-99"


@dataclass(frozen=True)
class Total:
    entries: int
    # One for each summed column of the tallies; meaningless if `is_exact` is false.
    sums: tuple[int, ...]
    is_exact: bool = True


def is_tallied(listing: Listing, asked: ListFilters) -> bool:
    present = {name for name in listing.filters if getattr(asked, name) is not None}
    return listing.tallies.table is not None and asked.q is None and present <= {*DATES, listing.tallies.group}


async def tallied_entries(listing: Listing, reader: Reader, asked: ListFilters) -> int:
    totals = await read_tallied(listing, reader, asked)
    group = listing.tallies.group
    chosen = getattr(asked, group) if group else None
    return sum(total.entries for name, total in totals.items() if chosen is None or name == chosen)


async def read_tallied(listing: Listing, reader: Reader, asked: ListFilters) -> dict[str, Total]:
    values: dict[str, Any] = {}
    pieces: list[str] = []
    if asked.from_ is None and asked.to is None:
        pieces.append("all")
    else:
        _split_into_days(asked, values, pieces)
    if not pieces:
        return {}
    statement = listing.statement(("tallied", *pieces), lambda: _select_tallied(listing, pieces))
    return by_group(await reader.all(statement, values), None)


def _split_into_days(asked: ListFilters, values: dict[str, Any], pieces: list[str]) -> None:
    """Whole days are read from the tallies; the partial days at either end are counted in the table."""
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
    days = tallies.kept.c
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


def by_group(rows: list[tuple[Any, ...]], most: int | None) -> dict[str, Total]:
    return dict(_read(rows, most))


def _read(rows: list[tuple[Any, ...]], most: int | None) -> Iterator[tuple[str, Total]]:
    for group, entries, *sums in rows:
        is_exact = most is None or entries <= most
        yield group, Total(min(int(entries), most or int(entries)), tuple(int(amount) for amount in sums), is_exact)
