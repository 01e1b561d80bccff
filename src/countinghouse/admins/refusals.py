"""Refused logins are counted per hour: of an admin by name, of names that nobody has by network. The audit log gets a
row for the first, the 10th, the 100th, and so on: enough to see an attack, too few to fill the log.

Only the name of an admin is written in clear. Anything else that was typed may be a password in the wrong field.
"""

from sqlalchemy import text

from countinghouse.admins.actions import AdminVerb
from countinghouse.admins.names import hashed_name
from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Statement, Transaction
from countinghouse.core.http.requests import Address, network_key
from countinghouse.core.inputs import name_key
from countinghouse.core.times import iso

# Rows about unknown names, from however many networks.
MOST_ROWS_A_MINUTE = 5

_COUNT = Statement(
    text("""
    INSERT INTO refused_logins (name, hour, refusals) VALUES (:name, :hour, 1)
    ON CONFLICT (name, hour) DO UPDATE SET refusals = refused_logins.refusals + 1
    RETURNING refusals
""")
)
_SWEEP = Statement(text("DELETE FROM refused_logins WHERE hour < :hour"))


async def count_refusal(
    transaction: Transaction, typed: str, admin_id: str | None, admin: str | None, address: Address | None
) -> str:
    """Returns the name to write into the server's log: the admin's, or a keyed hash of what was typed."""
    actor = Actor("login", str(address) if address else None)
    if admin is not None:
        if counted := await _count(transaction, admin):
            await record(
                transaction, actor, AdminVerb.LOGIN_REFUSED, admin_id or admin, after={"name": admin, **counted}
            )
        return admin
    # Not by name: with a new one each time, everybody could add rows for ever.
    name = f"unknown names from {network_key(address)}"
    if (counted := await _count(transaction, name)) and await _has_room(transaction):
        await record(transaction, actor, AdminVerb.LOGIN_REFUSED, name, after={"name": name, **counted})
    return "unknown " + (await hashed_name(transaction, name_key(typed)))[:12]


async def count_refused_look(transaction: Transaction, actor: Actor, admin_id: str, verb: AdminVerb) -> None:
    """Searches for whole numbers, and reveals, are counted in the same way."""
    what = "searches" if verb is AdminVerb.SEARCHES_REFUSED else "reveals"
    if counted := await _count(transaction, f"{what} of {admin_id}"):
        await record(transaction, actor, verb, admin_id, after=counted)


async def _count(transaction: Transaction, name: str) -> dict[str, str | int] | None:
    """What the log gets to know, if this refusal gets a row."""
    hour = (await _moment(transaction))[:13]
    refusals: int = await transaction.scalar(_COUNT, {"name": name, "hour": hour})
    if refusals == 1:
        await transaction.execute(_SWEEP, {"hour": hour[:10]})
    return {"hour": hour, "refused": refusals} if str(refusals).strip("0") == "1" else None


async def _has_room(transaction: Transaction) -> bool:
    moment = await _moment(transaction)
    rows: int = await transaction.scalar(
        _COUNT, {"name": f"rows of unknown names at {moment[11:16]}", "hour": moment[:13]}
    )
    return rows <= MOST_ROWS_A_MINUTE


async def _moment(transaction: Transaction) -> str:
    return iso(await transaction.now())
