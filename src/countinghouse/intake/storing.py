"""Stores validated rows: new ones are inserted with their audit rows, known ones are compared and left as they are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from countinghouse.audit.actions import Actor, record_many
from countinghouse.claims.lifecycle import FIRST
from countinghouse.claims.proof import payout_details
from countinghouse.core.db import AlreadyThere, Statement, Transaction
from countinghouse.core.db.bulk import insert_new_rows
from countinghouse.core.ids import new_id
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.times import now, stored_text, to_moment
from countinghouse.intake.nouns import CLAIMS, PURCHASES, Noun
from countinghouse.intake.references import References, Unresolved, find_references
from countinghouse.intake.rows import ClaimRow, IntakeRow, Invalid, PurchaseRow, UserRow
from countinghouse.purchases.actions import NewPurchase, record_purchases
from countinghouse.purchases.checking import lock_references

Outcome = Literal["created", "unchanged", "conflict", "invalid"]

# Rows that are prepared in a few milliseconds.
_BETWEEN_PAUSES = 100
# A row that others insert and roll back meanwhile is tried again.
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one row. `row_id` is the id of the stored row; None for an invalid one."""

    outcome: Outcome
    external_id: str | None
    row_id: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    # Of a row that was just inserted, if the database said it.
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A row of the table: its values by column."""

    id: str
    external_id: str | None
    created_at: datetime
    values: Mapping[str, str | int]


async def store_rows(
    transaction: Transaction, actor: Actor, noun: Noun, rows: Sequence[IntakeRow | Invalid]
) -> list[Result]:
    """The results are in the order of the rows. A row that is not created changes nothing."""
    return await Storing(transaction, actor, noun, rows).store()


class Storing:
    """Stores the rows of one call. The import overrides where references are found, and what else is written."""

    def __init__(self, transaction: Transaction, actor: Actor, noun: Noun, rows: Sequence[IntakeRow | Invalid]) -> None:
        self._transaction = transaction
        self._actor = actor
        self._noun = noun
        self._rows = rows
        self._valid = [row for row in rows if isinstance(row, IntakeRow)]
        self._at = now()
        self._by_external_id: dict[str, Stored] = {}
        self._by_id: dict[str, Stored] = {}
        # The rows that this call has inserted, by external id, and the numbers of some by id.
        self._created: dict[str, IntakeRow] = {}
        self._numbers: dict[str, int | None] = {}

    async def store(self) -> list[Result]:
        await self._lock()
        self._references = await self._find_references()
        await self._look_up(self._valid)
        for _ in range(_ROUNDS):
            await self._insert_unknown()
            results = self._results()
            if results is not None:
                return results
        # The caller starts the transaction again.
        raise AlreadyThere

    async def _lock(self) -> None:
        """So that what is looked up next is still true when `record_purchases` inserts."""
        if self._noun is PURCHASES:
            await lock_references(self._transaction)

    async def _find_references(self) -> References:
        return await find_references(self._transaction, self._valid)

    async def _look_up(self, rows: Sequence[IntakeRow]) -> None:
        await self._load(self._noun.by_external_id, (row.external_id for row in rows))
        await self._load(self._noun.by_id, (row.id for row in rows if row.id is not None))

    async def _load(self, statement: Statement, keys: Iterable[str]) -> None:
        wanted = sorted(set(keys))
        if not wanted:
            return
        bound = bound_ids(wanted, self._transaction.is_sqlite)
        for row_id, external_id, created_at, *values in await self._transaction.all(statement, {"ids": bound}):
            named = dict(zip(self._noun.columns.values(), values, strict=True))
            self._remember(Stored(row_id, external_id, to_moment(created_at), named))

    def _remember(self, stored: Stored) -> None:
        self._by_id[stored.id] = stored
        if stored.external_id is not None:
            self._by_external_id[stored.external_id] = stored

    async def _insert_unknown(self) -> None:
        """Of several rows with the same external id or `_id`, the first."""
        new: dict[str, tuple[IntakeRow, Stored]] = {}
        taken: set[str] = set()
        for place, row in enumerate(self._valid):
            if place % _BETWEEN_PAUSES == 0:
                await self._transaction.pause()
            if row.external_id in self._by_external_id or row.external_id in new:
                continue
            row_id = row.id or new_id()
            if row_id in self._by_id or row_id in taken:
                continue
            try:
                values = self._values(row, None)
            except _Wrong:
                continue
            taken.add(row_id)
            new[row.external_id] = row, Stored(row_id, row.external_id, row.created_at or self._at, values)
        inserted = await self._insert([stored for _, stored in new.values()])
        self._numbers |= inserted
        missing = []
        for row, stored in new.values():
            if stored.id in inserted:
                self._created[row.external_id] = row
                self._remember(stored)
            else:
                missing.append(row)
        await self._record([stored for _, stored in new.values() if stored.id in inserted])
        await self._look_up(missing)

    async def _record(self, rows: Sequence[Stored]) -> None:
        subjects = {row.id: {"externalId": row.external_id, **logged_values(row)} for row in rows}
        await record_many(self._transaction, self._actor, self._noun.added, subjects)

    async def _insert(self, rows: list[Stored]) -> dict[str, int | None]:
        if self._noun is PURCHASES:
            new = [NewPurchase(**_typed(row)) for row in rows]
            return dict.fromkeys(await record_purchases(self._transaction, new))
        first = {"status": FIRST} if self._noun is CLAIMS else {}
        cells = [_typed(row) | {"created_at": stored_text(row.created_at)} | first for row in rows]
        return await insert_new_rows(self._transaction, self._noun.table, sorted(cells, key=_external_id))

    def _results(self) -> list[Result] | None:
        """None if a row is neither stored nor known to be refused."""
        results = []
        for row in self._rows:
            if isinstance(row, Invalid):
                results.append(Result("invalid", row.external_id, fields=row.fields))
                continue
            stored = self._by_external_id.get(row.external_id)
            if stored is not None and self._created.get(row.external_id) is row:
                results.append(Result("created", row.external_id, stored.id, number=self._numbers.get(stored.id)))
                continue
            try:
                values = self._values(row, stored)
            except _Wrong as wrong:
                results.append(Result("invalid", row.external_id, fields=wrong.fields))
                continue
            if stored is not None:
                results.append(self._compared(row, values, stored))
            elif row.id is not None and row.id in self._by_id:
                reasons = {"_id": f"_id belongs to another {self._noun.one}."}
                results.append(Result("conflict", row.external_id, row.id, reasons))
            else:
                return None
        return results

    def _compared(self, row: IntakeRow, values: Mapping[str, str | int], stored: Stored) -> Result:
        differing = [name for name, column in self._noun.columns.items() if values[column] != stored.values[column]]
        if row.created_at is not None and row.created_at != stored.created_at:
            differing.append("createdAt")
        if row.id not in (None, stored.id):
            differing.append("_id")
        if not differing:
            return Result("unchanged", row.external_id, stored.id)
        # Without the stored values: a key that may only write must not read them in this way.
        reasons = {name: f"{name} differs from what is stored." for name in differing}
        return Result("conflict", row.external_id, stored.id, reasons)

    def _values(self, row: IntakeRow, stored: Stored | None) -> dict[str, str | int]:
        """The values by column, with references resolved."""
        return {**_own_values(row), **_resolved(row, self._references, stored)}


class _Wrong(Exception):
    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = fields


def _own_values(row: IntakeRow) -> dict[str, str | int]:
    match row:
        case UserRow():
            return {"username": row.username, "mobile": row.mobile}
        case PurchaseRow():
            return {
                "invest_paise": row.invest_paise,
                "daily_income_paise": row.daily_income_paise,
                "upi_id": row.upi_id,
                "claim_type": row.claim_type,
                "qr_name": row.qr_name,
            }
        case ClaimRow():
            return {
                "amount_paise": row.amount_paise,
                "account_no": row.account_no,
                "ifsc": row.ifsc,
                "address": row.address,
            }
    raise TypeError(row)


def _resolved(row: IntakeRow, references: References, stored: Stored | None) -> dict[str, str | int]:
    if isinstance(row, UserRow):
        return {}
    found: dict[str, str | int] = {}
    wrong = {}
    for name in ("user", "purchase") if isinstance(row, ClaimRow) else ("user",):
        known = None if stored is None else str(stored.values[f"{name}_id"])
        try:
            found[f"{name}_id"] = references.find(name, getattr(row, name), known)
        except Unresolved as error:
            wrong[name] = str(error)
    if not wrong and "purchase_id" in found and references.owners[str(found["purchase_id"])] != found["user_id"]:
        wrong["purchase"] = "The purchase belongs to another user."
    if wrong:
        raise _Wrong(wrong)
    return found


def logged_values(row: Stored) -> dict[str, Any]:
    """What the audit log says of a new row: of a claim, whom it pays and where."""
    values: Mapping[str, Any] = row.values
    if "ifsc" not in values:
        return {}
    return payout_details(*(values[name] for name in ("user_id", "address", "account_no", "ifsc", "amount_paise")))


def _typed(row: Stored) -> dict[str, Any]:
    return {"id": row.id, "external_id": row.external_id, "created_at": row.created_at, **row.values}


def _external_id(cells: Mapping[str, Any]) -> str:
    return str(cells["external_id"])
