"""Settling the findings of a purchase: an admin has looked into them. Reversible, and only for what the admin saw."""

from typing import Annotated, Any, cast

from pydantic import Field
from sqlalchemy import Row, bindparam, select, update

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.errors import Conflict, NotFound
from countinghouse.core.examples import body_examples
from countinghouse.core.ids import is_id
from countinghouse.core.inputs import Body, PlainText
from countinghouse.core.times import now
from countinghouse.india.days import day_of
from countinghouse.purchases.findings import FindingCode, bits_of, codes_in
from countinghouse.purchases.queries import PURCHASES, Purchase
from countinghouse.purchases.resource import PurchaseVerb
from countinghouse.purchases.tables import purchases


class FindingsChecked(Body):
    model_config = body_examples({"note": "Paid in two parts; the bank statement has both.", "findings": ["repeated"]})

    note: Annotated[PlainText, Field(min_length=1, max_length=500)]
    findings: Annotated[
        list[FindingCode], Field(min_length=1, max_length=20, description="The codes of the findings that you saw.")
    ]


_ONE = Statement(PURCHASES.select_rows(purchases).where(purchases.c.id == bindparam("purchase_id")))
_LOCKED = Statement(
    select(
        purchases.c.findings,
        purchases.c.checked_codes,
        purchases.c.checked_by,
        purchases.c.checked_at,
        purchases.c.checked_note,
    )
    .where(purchases.c.id == bindparam("purchase_id"))
    .with_for_update()
)
_SETTLE = Statement(
    update(purchases)
    .where(purchases.c.id == bindparam("purchase_id"))
    .values({name: bindparam(name) for name in ("checked_codes", "checked_by", "checked_at", "checked_note")})
)
_NOTHING = dict.fromkeys(("checked_codes", "checked_by", "checked_at", "checked_note"))


async def settle_findings(
    transaction: Transaction, actor: Actor, purchase_id: str, checked: FindingsChecked
) -> Purchase:
    """Repeating one's own check with the same note changes nothing and succeeds."""
    known = await _lock(transaction, purchase_id)
    codes = codes_in(known.findings)
    if not codes:
        raise Conflict("nothing_to_check", "There are no findings about this purchase any more. Reload the list.")
    if known.checked_codes is not None:
        if (known.checked_by, known.checked_note) == (actor.name, checked.note):
            return await get_purchase(transaction, purchase_id)
        raise Conflict(
            "already_checked",
            f"{known.checked_by} checked this purchase on {day_of(known.checked_at)}. Reload the list.",
            {"by": known.checked_by},
        )
    if set(codes) - set(checked.findings):
        raise Conflict("findings_changed", "Something else was found about this purchase meanwhile. Look at it again.")
    values = {"checked_codes": bits_of(codes), "checked_by": actor.name, "checked_at": now()}
    await transaction.execute(_SETTLE, values | {"checked_note": checked.note, "purchase_id": purchase_id})
    after = {"isChecked": True, "findings": codes, "note": checked.note}
    await record(transaction, actor, PurchaseVerb.CONFIRMED, purchase_id, before={"isChecked": False}, after=after)
    return await get_purchase(transaction, purchase_id)


async def reopen_findings(transaction: Transaction, actor: Actor, purchase_id: str) -> Purchase:
    """What was settled needs review again. Repeating it changes nothing."""
    known = await _lock(transaction, purchase_id)
    if known.checked_codes is not None:
        await transaction.execute(_SETTLE, {**_NOTHING, "purchase_id": purchase_id})
        before = {"isChecked": True, "checkedBy": known.checked_by, "note": known.checked_note}
        await record(transaction, actor, PurchaseVerb.REOPENED, purchase_id, before=before, after={"isChecked": False})
    return await get_purchase(transaction, purchase_id)


async def get_purchase(reader: Reader, purchase_id: str) -> Purchase:
    found = await reader.all(_ONE, {"purchase_id": purchase_id}) if is_id(purchase_id) else []
    if not found:
        raise _not_found()
    return cast(Purchase, PURCHASES.items.as_dict(found[0]))


async def _lock(transaction: Transaction, purchase_id: str) -> Row[Any]:
    known = await transaction.first(_LOCKED, {"purchase_id": purchase_id}) if is_id(purchase_id) else None
    if known is None:
        raise _not_found()
    return known


def _not_found() -> NotFound:
    return NotFound("purchase_not_found", "There is no such purchase. Reload the list.")
