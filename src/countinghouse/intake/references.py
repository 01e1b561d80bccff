"""Finds the users and purchases that rows refer to, all with a few statements."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Column, Table, bindparam, select

from countinghouse.core.db import Reader, Statement
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.sql import among
from countinghouse.india.mobiles import mobile_spellings
from countinghouse.intake.rows import ClaimRow, IntakeRow, PurchaseRow, Reference
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users


class Unresolved(Exception):
    """Its text is the sentence for the field."""


class References:
    """`find` returns the id that a reference means, or raises `Unresolved`."""

    def __init__(self, users_found: dict[Reference, set[str]], purchases_found: dict[Reference, set[str]]) -> None:
        self._found = {"user": users_found, "purchase": purchases_found}
        # The user of each purchase.
        self.owners: dict[str, str] = {}

    def add(self, noun: str, found: Mapping[Reference, set[str]]) -> None:
        for reference, ids in found.items():
            self._found[noun].setdefault(reference, set()).update(ids)

    def find(self, noun: str, reference: Reference, stored_id: str | None) -> str:
        """`stored_id` is what the row refers to since its first delivery, when it may have been unambiguous."""
        ids = self._found[noun].get(reference, set())
        if stored_id in ids:
            return stored_id
        if len(ids) == 1:
            return next(iter(ids))
        if not ids:
            raise Unresolved(f"There is no {noun} with this {reference.by}.")
        raise Unresolved(f"{len(ids)} users have this mobile; name the user by _id or externalId.")


def _select(table: Table, column: str, *more: Column[str]) -> Statement:
    return Statement(select(table.c.id, table.c[column], *more).where(among(table.c[column], bindparam("ids"))))


_COLUMNS = {"_id": "id", "externalId": "external_id", "mobile": "mobile"}
_USERS = {by: _select(users, column) for by, column in _COLUMNS.items()}
_PURCHASES = {by: _select(purchases, _COLUMNS[by], purchases.c.user_id) for by in ("_id", "externalId")}


async def find_references(reader: Reader, rows: Sequence[IntakeRow]) -> References:
    clients = {row.user for row in rows if isinstance(row, PurchaseRow | ClaimRow)}
    bought = {row.purchase for row in rows if isinstance(row, ClaimRow)}
    owners: dict[str, str] = {}
    found = References(
        await _find(reader, _USERS, clients, {}),
        await _find(reader, _PURCHASES, bought, owners),
    )
    found.owners = owners
    return found


async def _find(
    reader: Reader, statements: Mapping[str, Statement], wanted: Iterable[Reference], owners: dict[str, str]
) -> dict[Reference, set[str]]:
    """Of what belongs to a user, `owners` gets the user."""
    by_name: dict[str, dict[str, list[Reference]]] = {}
    for reference in wanted:
        spellings = mobile_spellings(reference.value) if reference.by == "mobile" else (reference.value,)
        for spelling in spellings:
            by_name.setdefault(reference.by, {}).setdefault(spelling, []).append(reference)
    found: dict[Reference, set[str]] = {}
    for by, values in by_name.items():
        bound = bound_ids(sorted(values), reader.is_sqlite)
        for row_id, value, *owner in await reader.all(statements[by], {"ids": bound}):
            for reference in values[value]:
                found.setdefault(reference, set()).add(row_id)
            if owner:
                owners[row_id] = owner[0]
    return found
