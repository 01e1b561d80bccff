"""Refused logins are counted per name and hour. The audit log gets a row for the first, the 10th, the 100th, and so on:
enough to see an attack, too few to fill the log.

Only the name of an admin is written in clear. Anything else that was typed may be a password in the wrong field.
"""

from sqlalchemy import text

from countinghouse.admins.actions import AdminVerb
from countinghouse.admins.names import hashed_name
from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Statement, Transaction
from countinghouse.core.http.requests import Address
from countinghouse.core.inputs import name_key
from countinghouse.core.times import iso

_COUNT = Statement(
    text("""
    INSERT INTO refused_logins (name, hour, refusals) VALUES (:name, :hour, 1)
    ON CONFLICT (name, hour) DO UPDATE SET refusals = refused_logins.refusals + 1
    RETURNING refusals
""")
)
_SWEEP = Statement(text("DELETE FROM refused_logins WHERE hour < :hour"))


async def shown_name(transaction: Transaction, typed: str, admin: str | None) -> str:
    """The admin's name, or a keyed hash of what was typed."""
    return admin or "unknown " + (await hashed_name(transaction, name_key(typed)))[:12]


async def count_refusal(
    transaction: Transaction, typed: str, admin_id: str | None, admin: str | None, address: Address | None
) -> str:
    """Returns the name to write into the log."""
    name = await shown_name(transaction, typed, admin)
    if counted := await _count(transaction, name):
        actor = Actor("login", str(address) if address else None)
        await record(transaction, actor, AdminVerb.LOGIN_REFUSED, admin_id or name, after={"name": name, **counted})
    return name


async def count_refused_look(transaction: Transaction, actor: Actor, admin_id: str, verb: AdminVerb) -> None:
    """Searches for whole numbers, and reveals, are counted in the same way."""
    what = "searches" if verb is AdminVerb.SEARCHES_REFUSED else "reveals"
    if counted := await _count(transaction, f"{what} of {admin_id}"):
        await record(transaction, actor, verb, admin_id, after=counted)


async def _count(transaction: Transaction, name: str) -> dict[str, str | int] | None:
    """What the log gets to know, if this refusal gets a row."""
    hour = iso(await transaction.now())[:13]
    refusals: int = await transaction.scalar(_COUNT, {"name": name, "hour": hour})
    if refusals == 1:
        await transaction.execute(_SWEEP, {"hour": hour[:10]})
    return {"hour": hour, "refused": refusals} if str(refusals).strip("0") == "1" else None
