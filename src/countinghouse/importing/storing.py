"""Stores a portion of rows as the intake does, with the history of claims that were decided before the import.

A dry run takes the same steps, except for the inserts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import bindparam, select

from countinghouse.audit.actions import Actor, record_many
from countinghouse.claims.lifecycle import FIRST, round_after
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.db.bulk import Cells, insert_new_rows, insert_rows
from countinghouse.core.ids import new_id
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.sql import among
from countinghouse.core.times import stored_text
from countinghouse.importing.rows import ImportedClaim
from countinghouse.importing.seen import Seen
from countinghouse.india.mobiles import plain_mobile
from countinghouse.intake.nouns import CLAIMS, Noun, make_noun
from countinghouse.intake.references import References, find_references
from countinghouse.intake.rows import ClaimRow, IntakeRow, Invalid, PurchaseRow, Reference
from countinghouse.intake.storing import Result, Stored, Storing, logged_values

# The mover of a claim that was decided before the import. No admin can have this name.
IMPORTED = "imported"

# Their status is compared too.
IMPORTED_CLAIMS = make_noun(
    CLAIMS.one, CLAIMS.scope, ImportedClaim, claims, {**CLAIMS.columns, "status": "status"}, CLAIMS.added
)

_TAKEN = Statement(
    select(payout_references.c.reference, claims.c.id, claims.c.external_id)
    .join_from(payout_references, claims, payout_references.c.claim_id == claims.c.id)
    .where(among(payout_references.c.reference, bindparam("ids")))
)


class ImportStoring(Storing):
    """`transaction` is only read from in a dry run."""

    def __init__(
        self,
        transaction: Transaction | Reader,
        actor: Actor,
        noun: Noun,
        rows: Sequence[IntakeRow | Invalid],
        seen: Seen,
        *,
        is_dry: bool,
    ) -> None:
        super().__init__(transaction, actor, noun, rows)  # type: ignore[arg-type] # a dry run writes nothing
        self._seen = seen
        self._is_dry = is_dry
        self._row_of = {row.external_id: row for row in rows if isinstance(row, IntakeRow)}

    async def _lock(self) -> None:
        if not self._is_dry:
            await super()._lock()

    async def _find_references(self) -> References:
        return await find_all_references(self._transaction, self._valid, self._seen)

    def _values(self, row: IntakeRow, stored: Stored | None) -> dict[str, str | int]:
        values = super()._values(row, stored)
        return values | {"status": row.status} if isinstance(row, ImportedClaim) else values

    async def _insert(self, rows: list[Stored]) -> dict[str, int | None]:
        if self._is_dry:
            return dict.fromkeys(row.id for row in rows)
        if self._noun is not IMPORTED_CLAIMS:
            return await super()._insert(rows)
        cells = [_claim_cells(row, self._claim(row)) for row in rows]
        inserted = await insert_new_rows(
            self._transaction, claims, sorted(cells, key=lambda cell: str(cell["external_id"]))
        )
        await self._insert_history([row for row in rows if row.id in inserted])
        return inserted

    def owner_of(self, row: IntakeRow | Invalid) -> str | None:
        """The user of a stored purchase."""
        stored = self._by_external_id.get(row.external_id) if isinstance(row, PurchaseRow) else None
        return None if stored is None else str(stored.values["user_id"])

    def _claim(self, row: Stored) -> ImportedClaim:
        claim = self._row_of[str(row.external_id)]
        assert isinstance(claim, ImportedClaim)  # noqa: S101 - the noun decides
        return claim

    async def _insert_history(self, rows: list[Stored]) -> None:
        """One move from Pending to the status it has: what happened in between is not known here."""
        transitions: list[Cells] = []
        references: list[Cells] = []
        for row in rows:
            claim = self._claim(row)
            if claim.status == FIRST:
                continue
            at = _moved_at(row, claim)
            of_claim: Cells = {"claim_id": row.id, "number": 1}
            transitions.append(
                {
                    "id": new_id(),
                    **of_claim,
                    "from_status": FIRST,
                    "to_status": claim.status,
                    "moved_by": IMPORTED,
                    "moved_at": at,
                    "payout_round": round_after(claim.status, 0),
                    "reason": claim.reason,
                }
            )
            if claim.reference is not None and claim.status == "Paid":
                references.append({"id": new_id(), **of_claim, "reference": claim.reference, "recorded_at": at})
        await insert_rows(self._transaction, claim_transitions, transitions)
        await insert_rows(self._transaction, payout_references, references)

    async def _record(self, rows: Sequence[Stored]) -> None:
        if self._is_dry:
            return
        subjects = {
            row.id: {"externalId": row.external_id, "by": IMPORTED, **_status(row), **logged_values(row)}
            for row in rows
        }
        await record_many(self._transaction, self._actor, self._noun.added, subjects)

    def _compared(self, row: IntakeRow, values: Mapping[str, str | int], stored: Stored) -> Result:
        """Unlike a key that may only write, the operator may read what is stored."""
        result = super()._compared(row, values, stored)
        if result.outcome != "conflict":
            return result
        reasons = {
            name: f"{name} is {self._stored_value(name, stored)} in the desk. Nothing was changed."
            for name in result.fields
        }
        return replace(result, fields=reasons)

    def _stored_value(self, name: str, stored: Stored) -> str:
        if name == "createdAt":
            return stored_text(stored.created_at)
        if name == "_id":
            return stored.id
        column = self._noun.columns[name]
        value = stored.values[column]
        return f"{int(value) / 100:.2f}" if column.endswith("_paise") else str(value)


def _status(row: Stored) -> dict[str, Any]:
    return {"status": row.values["status"]} if "status" in row.values else {}


def _moved_at(row: Stored, claim: ImportedClaim) -> str:
    """If the source does not say when it was decided, the time of the claim: at least its month is then right."""
    return stored_text(claim.moved_at or row.created_at)


def _claim_cells(row: Stored, claim: ImportedClaim) -> dict[str, Any]:
    has_moved = claim.status != FIRST
    return {
        "id": row.id,
        "external_id": row.external_id,
        "created_at": stored_text(row.created_at),
        **row.values,
        "version": int(has_moved),
        "payout_round": round_after(claim.status, 0),
        "moved_at": _moved_at(row, claim) if has_moved else None,
    }


async def find_all_references(reader: Reader, rows: Sequence[IntakeRow], seen: Seen) -> References:
    """Rows of this run first: in a dry run the desk does not have them."""
    users_wanted = {row.user for row in rows if isinstance(row, PurchaseRow | ClaimRow)}
    purchases_wanted = {row.purchase for row in rows if isinstance(row, ClaimRow)}
    users_seen = seen.find("users", [one.value for one in users_wanted if one.by != "mobile"])
    purchases_seen = seen.find("purchases", [one.value for one in purchases_wanted])
    owners = {
        row.desk_id: row.owner_id
        for row in purchases_seen.values()
        if row.desk_id is not None and row.owner_id is not None
    }
    known_users = {one: {row.desk_id} for one in users_wanted if (row := users_seen.get(one.value)) and row.desk_id}
    known_purchases = {
        one: {row.desk_id} for one in purchases_wanted if (row := purchases_seen.get(one.value)) and row.desk_id
    }
    left = [row for row in rows if _is_unknown(row, known_users, known_purchases)]
    found = await find_references(reader, left)
    found.add("user", known_users | _by_mobile(users_wanted, seen))
    found.add("purchase", known_purchases)
    found.owners |= owners
    return found


def _is_unknown(row: IntakeRow, users: Mapping[Reference, Any], purchases: Mapping[Reference, Any]) -> bool:
    if isinstance(row, ClaimRow) and row.purchase not in purchases:
        return True
    return isinstance(row, PurchaseRow | ClaimRow) and row.user not in users


def _by_mobile(wanted: set[Reference], seen: Seen) -> dict[Reference, set[str]]:
    mobiles = {one: plain_mobile(one.value) or one.value for one in wanted if one.by == "mobile"}
    found = seen.find_by_mobile(set(mobiles.values()))
    return {one: found[mobile] for one, mobile in mobiles.items() if mobile in found}


async def find_taken_references(reader: Reader, rows: Sequence[ImportedClaim], seen: Seen) -> dict[str, str]:
    """The payout references of these claims that belong to other claims, with a sentence for each, by external id."""
    paid = [row for row in rows if row.reference is not None and row.status == "Paid"]
    if not paid:
        return {}
    wanted = {str(row.reference) for row in paid}
    in_run = seen.find("references", wanted)
    bound = {"ids": bound_ids(sorted(wanted), reader.is_sqlite)}
    in_desk = {reference: owner for reference, *owner in await reader.all(_TAKEN, bound)}
    taken, first = {}, dict[str, str]()
    for row in paid:
        reference = str(row.reference)
        owner = in_desk.get(reference)
        if owner is not None and row.id != owner[0] and row.external_id != owner[1]:
            taken[row.external_id] = f"reference is already recorded for the claim {owner[0]}."
        elif reference in in_run or first.setdefault(reference, row.external_id) != row.external_id:
            taken[row.external_id] = "reference is on another claim of this import too."
    return taken
