"""The claims of a planned batch with what is odd about each: the same facts that a single claim is shown with."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from sqlalchemy import Row, Select, bindparam, select
from typing_extensions import TypedDict

from countinghouse.banks.queries import bank_of
from countinghouse.batches.queries import get_batch
from countinghouse.batches.row_texts import set_texts
from countinghouse.batches.tables import batch_rows
from countinghouse.claims.bulk_evidence import READ_TOGETHER, BulkEvidence, WantedClaim
from countinghouse.claims.facts import Account, Fact, FactCode, find_facts
from countinghouse.claims.queries import CLAIMS
from countinghouse.claims.seen import refuse_unseen
from countinghouse.claims.tables import claims
from countinghouse.core.db import Cost, Database, Plan, Reader, Statement
from countinghouse.core.errors import Conflict
from countinghouse.core.examples import Example, described
from countinghouse.core.listing.declarations import Shape
from countinghouse.core.masking import masked
from countinghouse.core.money import rupees
from countinghouse.core.numbers import with_letter
from countinghouse.core.times import now

# The gravest of a claim comes first. Codes that are not named come in between, the mildest last.
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


# The rows are looked up by their ids.
_KNOWN = Shape((), is_among=True)
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


async def encode_claims(reader: Reader, admin_id: str, batch_id: str, sort: str, *, hides_numbers: bool) -> bytes:
    """The claims that are to move, as JSON, in the order of a list with this `sort`.

    A column of references that was made from that list then has the same order. Warnings do not change it.
    """
    batch = await get_batch(reader, admin_id, batch_id)
    in_order = await reader.scalars(_select_in_order(sort, hides_numbers=hides_numbers), {"batch_id": batch.id})
    waiting = await reader.all(_WAITING, {"batch_id": batch.id})
    accounts = Counter(Account(account_no, ifsc).key for *_, account_no, ifsc, _ in waiting)
    versions = {claim_id: version for claim_id, *_, version in waiting}
    wanted = [WantedClaim(*claim) for *claim, _, _, _ in waiting]
    evidence = BulkEvidence(wanted, now(), hides_numbers=hides_numbers)
    found: dict[str, bytes] = {}
    for start in range(0, len(wanted), READ_TOGETHER):
        for row, seen in await evidence.read(reader, wanted[start : start + READ_TOGETHER]):
            warnings = sorted(find_facts(seen), key=lambda fact: _gravity(fact["code"]))
            same_account = accounts[seen.account.key]
            claim = _claim(row, versions[row.id], warnings, same_account, hides_numbers=hides_numbers)
            found[row.id] = msgspec.json.encode(claim)
        await reader.pause()
    return b"[" + b",".join(found[claim_id] for claim_id in in_order) + b"]"


async def keep_warnings(database: Database, batch_id: str) -> None:
    """Stores with a planned payment what its admin is about to see. Until then nothing counts as seen.

    Each part has its own read and its own transaction, so that a large batch makes nobody wait.
    """
    waiting = await database.read(lambda reader: reader.all(_WAITING, {"batch_id": batch_id}), Cost.LONG)
    wanted = [WantedClaim(*claim) for *claim, _, _, _ in waiting]
    evidence = BulkEvidence(wanted, now(), hides_numbers=False)
    for start in range(0, len(wanted), READ_TOGETHER):
        await _keep_part(database, batch_id, evidence, wanted[start : start + READ_TOGETHER])


async def _keep_part(database: Database, batch_id: str, evidence: BulkEvidence, part: Sequence[WantedClaim]) -> None:
    found = await database.read(lambda reader: evidence.read(reader, part), Cost.LONG, snapshot=True)
    ids = {row.id: [fact["id"] for fact in find_facts(seen)] for row, seen in found}
    if kept := {claim_id: json.dumps(warnings) for claim_id, warnings in ids.items() if warnings}:
        await database.write(lambda transaction: set_texts(transaction, batch_id, "seen", kept))


async def find_new_warnings(reader: Reader, rows: Sequence[Row[Any]]) -> dict[str, Conflict]:
    """By claim: why these rows of a batch are not paid. At most READ_TOGETHER rows."""
    wanted = [WantedClaim(row.claim_id, row.user_id, row.amount_paise) for row in rows]
    kept = {row.claim_id: json.loads(row.seen) if row.seen else [] for row in rows}
    found = await BulkEvidence(wanted, now(), hides_numbers=False).read(reader, wanted)
    refusals = {row.id: refuse_unseen(find_facts(seen), kept[row.id]) for row, seen in found}
    return {claim_id: refusal for claim_id, refusal in refusals.items() if refusal is not None}


def _select_in_order(sort: str, *, hides_numbers: bool) -> Statement:
    order, is_descending = CLAIMS.seen_by(hides_numbers=hides_numbers).order(sort)

    def build() -> Select[Any]:
        of_batch = CLAIMS.source(_KNOWN, order.via).join(batch_rows, batch_rows.c.claim_id == claims.c.id)
        waiting = select(claims.c.id).select_from(of_batch)
        waiting = waiting.where(batch_rows.c.batch_id == bindparam("batch_id"), batch_rows.c.outcome.is_(None))
        return waiting.order_by(*(key.desc() if is_descending else key for key in order.keys))

    return CLAIMS.statement(("in a batch", sort), build, Plan.BY_LOOKUP)


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
