"""Putting codes on display, alone or in place of another code, and taking them off."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, case, insert, literal, update

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Transaction
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.qr.as_logged import check_as_logged
from countinghouse.qr.on_display import check_seen, check_seen_last, find_last_changer
from countinghouse.qr.queries import get_qr, lock_codes, reading_of
from countinghouse.qr.resource import QrVerb
from countinghouse.qr.rules import (
    DisplayRules,
    drawn_address,
    find_known,
    find_requester,
    find_viewer,
    read_display_rules,
    say_admins_only,
    say_why_not,
    what_display_does,
)
from countinghouse.qr.tables import qr_codes, qr_displays

Details = dict[str, Any]

NO_REQUEST: Details = {"display_requested_by": None, "display_requested_at": None, "display_replaces": None}


def names_of(code: Row[Any]) -> Details:
    return {"name": code.name, "upiId": code.upi_id}


async def change_and_log(
    transaction: Transaction, actor: Actor, verb: QrVerb, code: Row[Any], values: Details, **logged: Details
) -> None:
    """`logged` are the `before` and `after` of the audit log."""
    await transaction.execute(update(qr_codes).where(qr_codes.c.id == code.id).values(values))
    await record(transaction, actor, verb, code.id, **logged)


async def hide_qr(transaction: Transaction, actor: Actor, qr_id: str, seen: frozenset[str] | None = None) -> Row[Any]:
    """Hiding a hidden code cancels the request to display it, if there is one, and otherwise changes nothing.

    `seen` are the codes that the admin saw on display; None if the client does not say.
    """
    code = await get_qr(transaction, qr_id, for_change=True)
    if code.status == "display":
        await check_seen_last(transaction, code, seen)
        await take_off_display(transaction, actor, code)
    elif code.display_requested_by is not None:
        await _drop_request(transaction, actor, code)
    return await get_qr(transaction, qr_id)


async def display_qr(
    transaction: Transaction,
    actor: Actor,
    qr_id: str,
    replaces: str | None,
    seen: frozenset[str] | None = None,
    *,
    has_chosen: bool,
) -> Row[Any]:
    """Displaying a code that is on display changes nothing, and adds no row to the audit log.

    If the code is still hidden afterwards, it waits for a second admin. `replaces` is the code that goes off display
    in the same transaction. An admin who has not chosen, and approves a request, follows the choice of the request.
    `seen` are the codes that the admin saw on display; None if the client does not say.
    """
    if replaces == qr_id:
        raise InvalidInput({"replaces": "A QR code cannot replace itself. Choose another one that is on display."})
    asked = replaces if has_chosen else (await get_qr(transaction, qr_id)).display_replaces
    code, replaced = await lock_codes(transaction, qr_id, asked)
    if not has_chosen and code.display_replaces != asked:
        raise Conflict(
            "display_request_changed", "The request to display this code has just changed. Look at it again."
        )
    if asked is not None and replaced is None:
        raise InvalidInput({"replaces": "There is no such QR code to replace."})
    if code.status == "display":
        _check_already_displayed(code, replaced)
        return code
    if not code.is_cleared or code.image_key is None:
        viewer = await find_viewer(transaction, actor.name)
        raise Conflict("qr_not_confirmed", say_why_not(viewer, code.uploaded_by, reading_of(code), code.upi_id))
    rules = await read_display_rules(transaction, actor.name, for_change=True)
    if what_display_does(rules, code) in ("now", "approve", "request"):
        await check_seen(transaction, seen)
        await check_as_logged(transaction, code)
    if what_display_does(rules, code) == "now":
        # That their addresses are known decides that no second admin is needed.
        for known in find_known(rules, code):
            await check_as_logged(transaction, known)
    if not has_chosen and find_requester(rules, code) is None:
        # The request of an admin who was disabled since does not count, and neither does its choice.
        replaced = None
    await _display(transaction, actor, code, replaced, rules, has_chosen=has_chosen)
    return await get_qr(transaction, qr_id)


def _check_already_displayed(code: Row[Any], replaced: Row[Any] | None) -> None:
    """A repeated request is fine. Hiding the other code now could undo what another admin did since."""
    if replaced is not None and replaced.status == "display":
        raise Conflict(
            "qr_already_displayed",
            f"{code.name} is already on display, and so is {replaced.name}. Nothing has changed. "
            f"Hide {replaced.name} if customers should not see it.",
        )


async def _display(
    transaction: Transaction,
    actor: Actor,
    code: Row[Any],
    replaced: Row[Any] | None,
    rules: DisplayRules,
    *,
    has_chosen: bool,
) -> None:
    match what_display_does(rules, code):
        case "now":
            await _replace(transaction, actor, code, replaced, {})
        case "approve":
            await _replace(transaction, actor, code, replaced, {"requestedBy": find_requester(rules, code)})
        case "request":
            await _request(transaction, actor, code, replaced)
        case "wait" if has_chosen and code.display_replaces != (None if replaced is None else replaced.id):
            raise Conflict(
                "display_already_requested",
                "You have already asked to display this code, with another choice. Withdraw that request first.",
            )
        case "wait":
            return
        case None:
            raise Conflict("second_admin_needed", say_admins_only(code))


async def _request(transaction: Transaction, actor: Actor, code: Row[Any], replaced: Row[Any] | None) -> None:
    await _check_on_display(transaction, replaced)
    request = {
        "display_requested_by": actor.name,
        "display_requested_at": now(),
        "display_replaces": None if replaced is None else replaced.id,
    }
    after = names_of(code) | {"payee": drawn_address(code)}
    if replaced is not None:
        after["replaces"] = names_of(replaced) | {"_id": replaced.id}
    await change_and_log(transaction, actor, QrVerb.DISPLAY_REQUESTED, code, request, after=after)


async def _replace(
    transaction: Transaction, actor: Actor, code: Row[Any], replaced: Row[Any] | None, details: Details
) -> None:
    await _check_on_display(transaction, replaced)
    if replaced is not None:
        await take_off_display(transaction, actor, replaced, {"replacedBy": names_of(code)})
    begun = {"id": new_id(), "qr_id": code.id, "name": code.name, "shown_at": now()}
    await transaction.execute(insert(qr_displays).values(begun))
    before, after = {"status": code.status}, {"status": "display", **names_of(code), **details, **_replacing(replaced)}
    shown = {"status": "display", **NO_REQUEST}
    await change_and_log(transaction, actor, QrVerb.STATUS_CHANGED, code, shown, before=before, after=after)


def _replacing(replaced: Row[Any] | None) -> Details:
    return {} if replaced is None else {"replaces": names_of(replaced)}


async def _check_on_display(transaction: Transaction, replaced: Row[Any] | None) -> None:
    """Refuses to replace a code that another admin has hidden, deleted or replaced in the meantime."""
    if replaced is None or replaced.status == "display":
        return
    who = await find_last_changer(transaction, replaced.id)
    gone = f"{who} has taken {replaced.name} off display" if who else f"{replaced.name} is not on display"
    raise Conflict(
        "replaced_not_on_display", f"{gone}, so nothing was replaced. Look at what is on display now, and choose again."
    )


async def take_off_display(
    transaction: Transaction, actor: Actor, code: Row[Any], details: Details | None = None
) -> None:
    await end_display(transaction, code.id, now())
    # Whatever the reason for its display was: it can be displayed again only without findings or after a confirmation.
    is_cleared = code.findings == "" or code.confirmed_at is not None
    before, after = {"status": code.status}, {"status": "hide", **names_of(code), **(details or {})}
    hidden = {"status": "hide", "is_cleared": is_cleared}
    await change_and_log(transaction, actor, QrVerb.STATUS_CHANGED, code, hidden, before=before, after=after)


async def end_display(transaction: Transaction, qr_id: str, at: datetime) -> None:
    """The end is never before the beginning, so that a code can be hidden even if the clock was set back meanwhile."""
    shown_at = qr_displays.c.shown_at
    hidden_at = case((shown_at > at, shown_at), else_=literal(at, shown_at.type))
    open_one = (qr_displays.c.qr_id == qr_id) & qr_displays.c.hidden_at.is_(None)
    await transaction.execute(update(qr_displays).where(open_one).values(hidden_at=hidden_at))


async def withdraw_display_request(transaction: Transaction, actor: Actor, qr_id: str) -> Row[Any]:
    """Called by the admin who asked, or by another admin who declines."""
    code = await get_qr(transaction, qr_id, for_change=True)
    if code.display_requested_by is None:
        raise Conflict("no_display_request", "This code has no open display request. It may have been decided already.")
    await _drop_request(transaction, actor, code)
    return await get_qr(transaction, qr_id)


async def _drop_request(transaction: Transaction, actor: Actor, code: Row[Any]) -> None:
    after = names_of(code) | {"requestedBy": code.display_requested_by}
    await change_and_log(transaction, actor, QrVerb.DISPLAY_WITHDRAWN, code, NO_REQUEST, after=after)
