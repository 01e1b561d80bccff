"""The totals that a backup states, and that its restored database must have."""

from typing import Any

from sqlalchemy import func, select, text

from countinghouse.admins.tables import admins
from countinghouse.audit.sealing import read_head
from countinghouse.audit.tables import audit_log, audit_seals
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.db import Reader, Statement
from countinghouse.purchases.tables import purchase_proofs, purchases
from countinghouse.qr.tables import qr_codes, qr_images
from countinghouse.users.tables import users

Totals = dict[str, int | str]

# A name, how many, and the sum if there is one. The columns are those of every release.
_claims, _qr = claims.c, qr_codes.c
_TOTALS: dict[str, Any] = {
    "users": select(func.count()).select_from(users),
    "purchases": select(func.count(), func.sum(purchases.c.invest_paise)),
    "purchase_proofs": select(func.count()).select_from(purchase_proofs),
    "claims": select(func.count(), func.sum(_claims.amount_paise), _claims.status)
    .group_by(_claims.status)
    .order_by(_claims.status),
    "claim_transitions": select(func.count()).select_from(claim_transitions),
    "qr_codes": select(func.count(), text("NULL"), _qr.status).group_by(_qr.status).order_by(_qr.status),
    "qr_images": select(func.count()).select_from(qr_images),
    "admins": select(func.count()).select_from(admins),
    "audit_log": select(func.count()).select_from(audit_log),
    "audit_seals": select(func.count()).select_from(audit_seals),
}
# A view that somebody has put in the place of a table does not count.
_IN_SQLITE = Statement(text("SELECT count(*) FROM sqlite_master WHERE name = :table AND type = 'table'"))
_IN_POSTGRES = Statement(
    text("SELECT count(*) FROM pg_class WHERE oid = to_regclass(:table) AND relkind IN ('r', 'p')")
)


async def read_totals(reader: Reader) -> Totals:
    """Of a database of any release: a table that it does not have yet is left out."""
    totals: Totals = {}
    for table, statement in _TOTALS.items():
        if await reader.scalar(_IN_SQLITE if reader.is_sqlite else _IN_POSTGRES, {"table": table}) != 1:
            continue
        for count, *rest in await reader.all(Statement(statement)):
            name = " ".join([table.replace("_", " "), *(str(status) for status in rest[1:])])
            totals[name] = int(count)
            if rest and rest[0] is not None:
                totals[f"{name}, paise"] = int(rest[0])
    if "audit seals" in totals:
        totals["newest seal"] = (await read_head(reader)).seal
    return totals


def differences(stated: Totals, found: Totals) -> list[str]:
    return [
        f"{name}: {found.get(name, 0)} in the database, {stated.get(name, 0)} in the backup"
        for name in dict.fromkeys([*stated, *found])
        if stated.get(name, 0) != found.get(name, 0)
    ]
