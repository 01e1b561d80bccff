"""Confirming a batch: once, with the bank references of its payouts and without the claims that were removed.

The batch's id is the idempotency key. A confirmation that is sent again changes nothing, and one that says something
else is refused.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from sqlalchemy import Row, bindparam, select, update

from countinghouse.admins.permissions import refuse_unless
from countinghouse.admins.queries import Admin
from countinghouse.audit.actions import Actor, record
from countinghouse.batches.choosing import MOST_LISTED, ClaimId
from countinghouse.batches.queries import PLAN_LASTS, get_batch
from countinghouse.batches.resource import BatchVerb
from countinghouse.batches.row_texts import TextOf, set_texts
from countinghouse.batches.tables import batch_rows, batches
from countinghouse.claims.lifecycle import permissions_for
from countinghouse.claims.references import LONGEST_TYPED, find_stored, former_reference, normalised_reference
from countinghouse.core.db import Transaction
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.examples import body_examples
from countinghouse.core.inputs import Body, at_most
from countinghouse.core.times import alive

# Of so many wrong references, each is named.
MOST_NAMED = 50


def _refused_together(sent: Any) -> Any:
    """A list of ids has `fail_fast` for this, an object has not."""
    if isinstance(sent, dict) and len(sent) > MOST_NAMED:
        ids, typed = set(map(len, sent)), set(map(type, sent.values()))
        lengths = set(map(len, sent.values())) if typed == {str} else {0}
        if ids != {24} or 0 in lengths or max(lengths) > LONGEST_TYPED or not _HEX.fullmatch("".join(sent)):
            raise ValueError(f"must be claims' ids with a reference of at most {LONGEST_TYPED} characters each.")
    return sent


_HEX = re.compile("[0-9a-f]*")
Typed = Annotated[str, Field(min_length=1, max_length=LONGEST_TYPED)]


class Confirmation(Body):
    model_config = body_examples(
        {
            "batch": "6917e2f4a1b2c3d4e5000007",
            "references": {"6917e2f4a1b2c3d4e5000003": "N319260012345678"},
            "without": ["6917e2f4a1b2c3d4e5000004"],
        },
        {"batch": "6917e2f4a1b2c3d4e5000007"},
    )

    batch: ClaimId
    references: Annotated[
        dict[ClaimId, Typed],
        Field(description="The bank's references of the payouts, by the claim's id."),
        BeforeValidator(_refused_together),
        at_most(MOST_LISTED),
    ] = Field(default={})
    without: Annotated[
        list[ClaimId], Field(fail_fast=True, description="Claims to remove from the batch."), at_most(MOST_LISTED)
    ] = Field(default=[])

    def hashed(self) -> bytes:
        return sha256(json.dumps([sorted(self.references.items()), sorted(set(self.without))]).encode()).digest()


_CONFIRM = (
    update(batches)
    .where(
        batches.c.id == bindparam("batch_id"),
        batches.c.confirmed_at.is_(None),
        batches.c.created_at > bindparam("oldest"),
        batches.c.created_at <= bindparam("ahead"),
    )
    .values(confirmed_at=bindparam("at"), confirmation=bindparam("hashed"))
)


async def confirm_as_planned(transaction: Transaction, actor: Actor, admin: Admin, batch_id: str) -> Row[Any]:
    """Confirms the batch if nobody has. Returns it."""
    return await _confirm(transaction, actor, admin, batch_id, None)


async def confirm_batch(transaction: Transaction, actor: Actor, admin: Admin, asked: Confirmation) -> Row[Any]:
    """No claim moves yet."""
    batch = await _confirm(transaction, actor, admin, asked.batch, asked)
    if batch.confirmation is None or bytes(batch.confirmation) != asked.hashed():
        raise Conflict(
            "batch_confirmed",
            "This batch was confirmed before, with other references or other claims. Check its result.",
        )
    return batch


async def _confirm(
    transaction: Transaction, actor: Actor, admin: Admin, batch_id: str, asked: Confirmation | None
) -> Row[Any]:
    batch = await get_batch(transaction, admin.id, batch_id)
    # The role may have changed since the batch was planned.
    refuse_unless(admin.role, permissions_for(batch.target))
    if batch.confirmed_at is not None:
        return batch
    at = await transaction.now()
    within, hashed = alive(at, PLAN_LASTS), asked and asked.hashed()
    stored = {"batch_id": batch.id, "oldest": within.since, "ahead": within.ahead, "at": at, "hashed": hashed}
    if await transaction.execute(_CONFIRM, stored) == 1:
        changes = await _change_rows(transaction, batch, asked) if asked else {}
        await record(transaction, actor, BatchVerb.CONFIRMED, batch.id, after={"status": batch.target, **changes})
    batch = await get_batch(transaction, admin.id, batch_id)
    if batch.confirmed_at is None:
        raise Conflict("batch_expired", "This preview is too old to be confirmed. Make a new one and check it again.")
    return batch


_OUTCOMES = select(batch_rows.c.claim_id, batch_rows.c.outcome).where(batch_rows.c.batch_id == bindparam("of_batch"))


async def _change_rows(transaction: Transaction, batch: Row[Any], asked: Confirmation) -> dict[str, int]:
    """Returns what the audit log says about it."""
    outcomes: dict[str, str | None] = dict(await transaction.all(_OUTCOMES, {"of_batch": batch.id}))
    removed = set(asked.without)
    for field, named in (("without", removed), ("references", asked.references.keys())):
        if strangers := named - outcomes.keys():
            is_or_are = "is" if len(strangers) == 1 else "are"
            raise InvalidInput({field: f"{len(strangers):,} of these claims {is_or_are} not in this batch."})
    if asked.references and batch.target != "Paid":
        raise InvalidInput({"references": "A bank reference is recorded only when a claim becomes Paid."})
    waiting = {claim_id for claim_id, outcome in outcomes.items() if outcome is None} - removed
    if not waiting:
        raise InvalidInput({"without": "No claim is left in this batch. Keep at least one."})
    typed = {claim: text for claim, text in asked.references.items() if claim in waiting}
    good, refused = _judge(typed)
    # The move sees only the normalised reference.
    formers = {claim: former for claim in good if (former := former_reference(typed[claim])) is not None}
    stored = await find_stored(transaction, set(formers.values()))
    for claim, former in formers.items():
        if former in stored:
            refused[claim] = f"{former} is already recorded for another claim. Check the reference with the bank."
            del good[claim]
    whys = dict.fromkeys(removed, "")
    changes: tuple[tuple[TextOf, dict[str, str]], ...] = (("reference", good), ("why", refused), ("removed", whys))
    for column, texts in changes:
        if texts:
            await set_texts(transaction, batch.id, column, texts)
    counts = {"references": len(good), "refused": len(refused), "removed": len(removed)}
    return {name: count for name, count in counts.items() if count}


def _judge(typed: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The normalised references, and why the others are refused, both by claim. Stored ones are checked by the move."""
    good: dict[str, str] = {}
    refused: dict[str, str] = {}
    for claim_id, text in typed.items():
        try:
            good[claim_id] = normalised_reference(text)
        except InvalidInput as error:
            refused[claim_id] = error.fields["reference"]
    # Nobody can tell whose a repeated reference is, so none of these claims is paid.
    repeated = {reference: count for reference, count in Counter(good.values()).items() if count > 1}
    for claim_id, reference in list(good.items()):
        if reference in repeated:
            refused[claim_id] = f"{reference} was entered for {repeated[reference]} claims of this batch."
            del good[claim_id]
    return good, refused
