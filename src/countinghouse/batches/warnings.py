"""The claims of a planned batch with what is odd about each: the same facts that a single claim is shown with."""

from collections import Counter
from typing import Annotated, Any

import msgspec
from sqlalchemy import Row, bindparam, select
from typing_extensions import TypedDict

from countinghouse.banks.queries import bank_of
from countinghouse.batches.queries import get_batch
from countinghouse.batches.tables import batch_rows
from countinghouse.claims.bulk_evidence import READ_TOGETHER, BulkEvidence, WantedClaim
from countinghouse.claims.facts import Fact, FactCode, find_facts
from countinghouse.claims.tables import claims
from countinghouse.core.db import Plan, Reader, Statement
from countinghouse.core.examples import Example, described
from countinghouse.core.masking import masked
from countinghouse.core.money import rupees
from countinghouse.core.numbers import with_letter
from countinghouse.core.times import now

# The gravest first: rows are listed in this order. Codes that are not named come in between, the mildest last.
GRAVEST: tuple[FactCode, ...] = ("account_changed", "near_duplicate", "above_earned", "account_shared")
MILDEST: FactCode = "first_payout"


@described
class BatchClaim(TypedDict):
    """`version` is the one that the batch moves; `sameAccount` is how many claims of the batch go to this account."""

    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000003")]
    version: Annotated[int, Example(1)]
    number: Annotated[str, Example("C-10482")]
    username: Annotated[str, Example("Ananya Iyer")]
    accountNo: Annotated[str, Example("004512345678")]
    ifsc: Annotated[str, Example("HDFC0001234")]
    bank: Annotated[str, Example("HDFC Bank")]
    amount: Annotated[float, Example(1937.5)]
    sameAccount: Annotated[int, Example(1)]
    warnings: Annotated[list[Fact], Example([])]


# A client's claims follow each other, so that what is known about the client is read once.
_WAITING = Statement(
    select(
        claims.c.id, claims.c.user_id, claims.c.amount_paise, claims.c.account_no, claims.c.ifsc, batch_rows.c.version
    )
    .join_from(batch_rows, claims, batch_rows.c.claim_id == claims.c.id)
    .where(batch_rows.c.batch_id == bindparam("batch_id"), batch_rows.c.outcome.is_(None))
    .order_by(claims.c.user_id, batch_rows.c.place),
    Plan.BY_LOOKUP,
)


async def encode_claims(reader: Reader, admin_id: str, batch_id: str, *, hides_numbers: bool) -> bytes:
    """The claims that are to move, as JSON: those with warnings first."""
    batch = await get_batch(reader, admin_id, batch_id)
    waiting = await reader.all(_WAITING, {"batch_id": batch.id})
    accounts = Counter((account_no, ifsc) for *_, account_no, ifsc, _ in waiting)
    versions = {claim_id: version for claim_id, *_, version in waiting}
    wanted = [WantedClaim(*claim) for *claim, _, _, _ in waiting]
    evidence = BulkEvidence(reader, wanted, now(), hides_numbers=hides_numbers)
    found: list[tuple[int, str, bytes]] = []
    for start in range(0, len(wanted), READ_TOGETHER):
        for row, seen in await evidence.read(wanted[start : start + READ_TOGETHER]):
            warnings = sorted(find_facts(seen), key=lambda fact: _gravity(fact["code"]))
            same_account = accounts[row.account_no, row.ifsc]
            claim = _claim(row, versions[row.id], warnings, same_account, hides_numbers=hides_numbers)
            found.append((_rank(warnings), row.id, msgspec.json.encode(claim)))
        await reader.pause()
    return b"[" + b",".join(encoded for _, _, encoded in sorted(found)) + b"]"


def _claim(row: Row[Any], version: int, warnings: list[Fact], same_account: int, *, hides_numbers: bool) -> BatchClaim:
    return {
        "_id": row.id,
        "version": version,
        "number": with_letter(claims, row.number),
        "username": row.username,
        "accountNo": masked(row.account_no) if hides_numbers else row.account_no,
        "ifsc": row.ifsc,
        "bank": bank_of(row.ifsc)["name"],
        "amount": rupees(row.amount_paise),
        "sameAccount": same_account,
        "warnings": warnings,
    }


def _gravity(code: FactCode) -> int:
    """Lower is graver."""
    return GRAVEST.index(code) if code in GRAVEST else len(GRAVEST) + (code == MILDEST)


def _rank(warnings: list[Fact]) -> int:
    """Claims without a warning come last."""
    return _gravity(warnings[0]["code"]) if warnings else len(GRAVEST) + 2
