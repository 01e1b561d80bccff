"""Totals by status and month: of the source while it is read, and of the same rows as the desk has them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Table, bindparam, select

from countinghouse.claims.tables import claims
from countinghouse.core.db import Cost, Database, Statement
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.sql import among
from countinghouse.core.times import to_moment
from countinghouse.importing.nouns import ORDER, NounName
from countinghouse.importing.seen import Seen
from countinghouse.purchases.tables import purchases
from countinghouse.qr.tables import qr_codes
from countinghouse.users.tables import users

_READ_TOGETHER = 1000


def month_of(moment: datetime) -> str:
    return f"{moment.year:04}-{moment.month:02}"


class Cell(NamedTuple):
    noun: NounName
    # Empty if it cannot be read.
    month: str
    # For claims only.
    status: str


class Sums(NamedTuple):
    rows: int = 0
    paise: tuple[int, ...] = ()

    def plus(self, other: "Sums") -> "Sums":
        width = max(len(self.paise), len(other.paise))
        padded = [(*one.paise, *(0,) * (width - len(one.paise))) for one in (self, other)]
        return Sums(self.rows + other.rows, tuple(sum(pair) for pair in zip(*padded, strict=True)))

    def minus(self, other: "Sums") -> "Sums":
        return self.plus(Sums(-other.rows, tuple(-one for one in other.paise)))

    @property
    def is_nothing(self) -> bool:
        return self.rows == 0 and not any(self.paise)


@dataclass
class Totals:
    cells: dict[Cell, Sums] = field(default_factory=dict)

    def add(self, cell: Cell, paise: tuple[int, ...]) -> None:
        rows, sums = self.cells.get(cell, Sums(0, (0,) * len(paise)))
        self.cells[cell] = Sums(rows + 1, tuple([one + more for one, more in zip(sums, paise, strict=True)]))


class Line(NamedTuple):
    """One line of the comparison: everything in the source, the rows of it that are bad, and what the desk has."""

    noun: NounName
    group: str
    source: Sums
    bad: Sums
    desk: Sums

    @property
    def missing(self) -> Sums:
        """What the desk lacks although nothing is wrong with it; less than nothing if the desk has too much."""
        return self.source.minus(self.bad).minus(self.desk)


SUMMED: dict[NounName, tuple[str, ...]] = {
    "users": (),
    "purchases": ("Invest", "Daily income"),
    "claims": ("Amount",),
    "qr": (),
}


def compare(source: Totals, bad: Totals, desk: Totals) -> Iterator[Line]:
    """For each noun: everything, then by status, then by month."""
    for noun in ORDER:
        cells = sorted(cell for cell in {*source.cells, *desk.cells} if cell.noun == noun)
        if not cells:
            continue
        groups: dict[str, list[Cell]] = {"all": cells}
        for cell in cells:
            if cell.status:
                groups.setdefault(cell.status, []).append(cell)
        for cell in cells:
            groups.setdefault(cell.month or "no date", []).append(cell)
        for group, members in groups.items():
            yield Line(noun, group, *(_summed(totals, members) for totals in (source, bad, desk)))


def _summed(totals: Totals, cells: list[Cell]) -> Sums:
    found = Sums()
    for cell in cells:
        found = found.plus(totals.cells.get(cell, Sums()))
    return found


def _statement(table: Table, *columns: str) -> Statement:
    chosen = (table.c[name] for name in ("created_at", *columns))
    return Statement(select(*chosen).where(among(table.c.id, bindparam("ids"))))


_STATEMENTS: dict[NounName, Statement] = {
    "users": _statement(users),
    "purchases": _statement(purchases, "invest_paise", "daily_income_paise"),
    "claims": _statement(claims, "status", "amount_paise"),
    "qr": _statement(qr_codes),
}


async def read_desk_totals(database: Database, seen: Seen) -> Totals:
    """Reads back every row that the run imported or found unchanged."""
    totals = Totals()
    for noun in ORDER:
        for ids in seen.desk_ids(noun, _READ_TOGETHER):
            bound = {"ids": bound_ids(ids, database.is_sqlite)}

            async def read(reader: Any, noun: NounName = noun, bound: Any = bound) -> list[tuple[Any, ...]]:
                found: list[tuple[Any, ...]] = await reader.all(_STATEMENTS[noun], bound)
                return found

            for created_at, *values in await database.read(read, Cost.MEDIUM):
                status = values.pop(0) if noun == "claims" else ""
                totals.add(Cell(noun, month_of(to_moment(created_at)), status), tuple(values))
    return totals
