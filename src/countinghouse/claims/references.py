"""The bank's reference of a payout (UTR): one spelling, one claim."""

import re
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from countinghouse.claims.tables import claims, payout_references
from countinghouse.core.db import NewRow, Reader, Statement
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.sql import among
from countinghouse.core.times import iso
from countinghouse.india.amounts import in_rupees
from countinghouse.india.days import day_of
from countinghouse.india.narrations import references_in
from countinghouse.india.references import without_separators
from countinghouse.users.tables import users

# The limit for the typed text, which may be a line of a statement. The normalised reference has its own limit.
LONGEST_TYPED = 100

_REFERENCE = re.compile(r"[0-9A-Z]{6,40}")
# Every bank numbers its payouts.
_FEWEST_DIGITS = 4
# The second one was typed where the first one still stood. No bank has two such numbers in one reference.
_TWO_JOINED = re.compile(r"[0-9]{24}|.*[0-9]{12,}[A-Z]+[0-9]{12,}.*")

INSERT_REFERENCE = NewRow(
    payout_references,
    {name: name for name in ("claim_id", "number", "reference")} | {"id": "reference_id", "recorded_at": "moved_at"},
)


def normalised_reference(typed: str) -> str:
    """The same payout gets the same reference, however it was copied."""
    found = references_in(typed)
    if len(found) > 1:
        raise InvalidInput(
            {"reference": f"This has several references: {' and '.join(found)}. Enter one of them alone."}
        )
    reference = "".join(found)
    if found and not _REFERENCE.fullmatch(reference):
        sentence = "The bank reference must have 6 to 40 letters and digits; spaces, dashes and slashes do not count."
        raise InvalidInput({"reference": sentence})
    if _TWO_JOINED.fullmatch(reference):
        raise InvalidInput({"reference": "These are two references in one. Enter the one of this payment alone."})
    if sum(character.isdigit() for character in reference) < _FEWEST_DIGITS or len(set(reference)) == 1:
        raise InvalidInput({"reference": "This is not a bank reference. Copy it from the bank's statement or message."})
    return reference


def former_reference(typed: str) -> str | None:
    """What earlier releases stored for this text, if that was something else. It cannot be rewritten."""
    former = without_separators(typed)
    return former if _REFERENCE.fullmatch(former) and former != normalised_reference(typed) else None


def refuse_own_number(reference: str, number: str) -> None:
    """`number` is that of the claim, such as C-10482: the wrong line copied, so the payout could not be found again."""
    own = without_separators(number)
    if reference in (own, own[1:]):
        sentence = f"{number} is the number of this claim. Copy the bank's reference from its statement or message."
        raise InvalidInput({"reference": sentence})


class ReferenceOwner(NamedTuple):
    claim_id: str
    username: str
    amount_paise: int
    recorded_at: datetime


_OWNER = Statement(
    select(claims.c.id, users.c.username, claims.c.amount_paise, payout_references.c.recorded_at)
    .join_from(payout_references, claims, payout_references.c.claim_id == claims.c.id)
    .join(users, claims.c.user_id == users.c.id)
    .where(payout_references.c.reference == bindparam("reference"))
)


async def find_reference_owner(reader: Reader, reference: str) -> ReferenceOwner | None:
    """The claim that was paid under this normalised reference."""
    found = await reader.first(_OWNER, {"reference": reference})
    return None if found is None else ReferenceOwner._make(found)


_STORED = Statement(
    select(payout_references.c.reference).where(among(payout_references.c.reference, bindparam("references")))
)


async def find_stored(reader: Reader, references: Collection[str]) -> set[str]:
    if not references:
        return set()
    found = await reader.all(_STORED, {"references": bound_ids(sorted(references), reader.is_sqlite)})
    return {reference for (reference,) in found}


def reference_taken(reference: str, owner: ReferenceOwner) -> Conflict:
    message = (
        f"{reference} is already recorded for the claim of {owner.username} over {in_rupees(owner.amount_paise)}, "
        f"paid on {day_of(owner.recorded_at)}. Check the reference with the bank."
    )
    return Conflict("reference_taken", message, {"claim": owner.claim_id, "at": iso(owner.recorded_at)})
