"""What is on display, and whether it is what the admin saw when they chose."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select

from countinghouse.audit.tables import audit_log
from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.errors import Conflict
from countinghouse.qr.resource import QrVerb
from countinghouse.qr.tables import qr_codes

_NEWEST_FIRST = qr_codes.c.created_at.desc(), qr_codes.c.id.desc()
_ON_DISPLAY = Statement(
    select(qr_codes.c.id, qr_codes.c.name).where(qr_codes.c.status == "display").order_by(*_NEWEST_FIRST)
)

# A sentence names at most this many.
MOST_NAMED = 5


async def check_seen(transaction: Transaction, seen: frozenset[str] | None) -> None:
    """Refuses a choice that was made among other codes than those on display."""
    if seen is None:
        return
    shown = await _lock_on_display(transaction)
    if {code.id for code in shown} == seen:
        return
    happened = await _say_changes(transaction, shown, seen)
    look = {0: "Choose again.", 1: "Look at it, and choose again."}.get(len(shown), "Look at them, and choose again.")
    raise Conflict(
        "display_changed",
        f"What is on display has changed, so nothing was done{': ' if happened else ''}{happened}. "
        f"Customers now see {_listed([code.name for code in shown]) or 'no code'}. {look}",
    )


async def check_seen_last(transaction: Transaction, code: Row[Any], seen: frozenset[str] | None) -> None:
    """Refuses to hide the last code if the admin saw others beside it.

    Nothing else stops it: a wrong code must go off display at once, whatever came on display since.
    """
    if seen is None or seen <= {code.id}:
        return
    shown = await _lock_on_display(transaction)
    if any(other.id != code.id for other in shown):
        return
    happened = await _say_changes(transaction, shown, seen) or "The other codes are no longer on display"
    raise Conflict(
        "display_changed",
        f"{happened}, so customers would see no code at all. Nothing was done. Hide {code.name} again if you mean it.",
    )


async def find_last_changer(reader: Reader, qr_id: str) -> str | None:
    """Who displayed, hid or deleted the code last."""
    log = audit_log.c
    change = log.verb.in_([str(QrVerb.STATUS_CHANGED), str(QrVerb.DELETED)])
    last = select(log.actor).where(log.subject_id == qr_id, change).order_by(log.seq.desc()).limit(1)
    found: str | None = await reader.scalar(last)
    return found


async def _lock_on_display(transaction: Transaction) -> Sequence[Row[Any]]:
    """Until the transaction ends, nothing goes on or off display elsewhere: that always writes to `qr_displays`.

    A row lock would not do: a code that is about to be displayed is not among those on display. SQLite allows one
    writer at a time. Locks are always taken in this order: the rows of the codes, the admins, this table.
    """
    if not transaction.is_sqlite:
        await transaction.command("LOCK TABLE qr_displays IN SHARE ROW EXCLUSIVE MODE")
    return await transaction.rows(_ON_DISPLAY)


async def _say_changes(reader: Reader, shown: Sequence[Row[Any]], seen: frozenset[str]) -> str:
    """Without a full stop; empty if no known code went on or off display."""
    new = [code for code in shown if code.id not in seen]
    gone_ids = sorted(seen.difference(code.id for code in shown))
    gone = select(qr_codes.c.id, qr_codes.c.name).where(qr_codes.c.id.in_(gone_ids)).order_by(*_NEWEST_FIRST)
    changes = [(code, "put", "on") for code in new] + [(code, "taken", "off") for code in await reader.rows(gone)]
    said = []
    for code, put, on in changes[:MOST_NAMED]:
        who = await find_last_changer(reader, code.id)
        said.append(f"{who} has {put} {code.name} {on} display" if who else f"{code.name} went {on} display")
    return _listed(said, len(changes), "more changes")


def _listed(parts: Sequence[str], count: int | None = None, rest: str = "more") -> str:
    """`count` is that of all, if `parts` are only the first of them."""
    named, more = list(parts[:MOST_NAMED]), (len(parts) if count is None else count) - MOST_NAMED
    if more > 0:
        named.append(f"{more} {rest}")
    return " and ".join(filter(None, [", ".join(named[:-1]), *named[-1:]]))
