"""A payment is decided on warnings, so one with a warning that the admin has not seen is refused."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated

from pydantic import Field

from countinghouse.claims.arithmetic import read_sums
from countinghouse.claims.evidence import read_evidence
from countinghouse.claims.facts import Fact, find_facts
from countinghouse.claims.rules import CurrentClaim
from countinghouse.core.db import Reader
from countinghouse.core.errors import Conflict

# More than a claim can have.
MOST_WARNINGS = 50
WarningId = Annotated[str, Field(pattern=r"^[a-z_]{1,40}(-[0-9a-f]{8})?(:-?[0-9]{1,20}){0,4}$")]


async def find_new_warning(
    reader: Reader, current: CurrentClaim, seen: Collection[str], at: datetime
) -> Conflict | None:
    """`seen` are ids of facts. Purchases earn until `at`."""
    claim = current.claim
    sums = await read_sums(reader, claim["user"]["_id"], at, beside=claim["_id"])
    # Whoever may pay sees whole numbers.
    evidence = await read_evidence(reader, current, sums.claimable, hides_numbers=False)
    return refuse_unseen(find_facts(evidence), seen)


def refuse_unseen(facts: Collection[Fact], seen: Collection[str]) -> Conflict | None:
    known = dict(map(_parts, seen))
    new = [fact for fact in facts if _is_new(*_parts(fact["id"]), known)]
    if not new:
        return None
    warning = "a new warning" if len(new) == 1 else f"{len(new)} new warnings"
    sentences = " ".join(fact["sentence"] for fact in new)
    return Conflict("warning_not_seen", f"This claim has {warning}: {sentences} Check it before you pay.")


def _parts(fact_id: str) -> tuple[str, list[int]]:
    code, *extent = fact_id.split(":")
    return code, [int(number) for number in extent]


def _is_new(code: str, extent: list[int], known: dict[str, list[int]]) -> bool:
    """Whether it was not shown, or got worse since."""
    before = known.get(code)
    return (
        before is None
        or len(before) != len(extent)
        or any(now > then for now, then in zip(extent, before, strict=True))
    )
