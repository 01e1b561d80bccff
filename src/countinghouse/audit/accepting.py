"""Accepting rows of the log that were never sealed: an owner has looked at them, and says that they are true.

Such a row appeared in a gap that was given up. A row that somebody inserted later looks the same. The row about the
acceptance has a digest of each accepted row, and is itself sealed.
"""

from collections.abc import Iterator, Sequence

from sqlalchemy import select

from countinghouse.audit.actions import Actor, record
from countinghouse.audit.chain import COLUMNS, AuditRow, digest_of, row_of
from countinghouse.audit.proof import find_unexpected
from countinghouse.audit.records import details_of
from countinghouse.audit.tables import audit_log
from countinghouse.core.db import Reader, Transaction
from countinghouse.core.resource import Verb

# In one row of the log.
ACCEPTED_TOGETHER = 500


class AuditVerb(Verb):
    """The subject is the first of the rows."""

    ACCEPTED = "audit.accepted", "Accepted rows without a seal"


async def find_acceptable(reader: Reader) -> list[AuditRow]:
    """The rows below sealed ones that have no seal, will get none, and were not accepted as they are."""
    written = select(*COLUMNS).where(audit_log.c.verb == AuditVerb.ACCEPTED)
    accepted = {one for cells in await reader.all(written) for one in accepted_rows(row_of(cells))}
    return [row async for row in find_unexpected(reader) if (row["seq"], digest_of(row)) not in accepted]


async def accept(transaction: Transaction, actor: Actor, rows: Sequence[AuditRow], reason: str) -> None:
    for first in range(0, len(rows), ACCEPTED_TOGETHER):
        some = rows[first : first + ACCEPTED_TOGETHER]
        after = {"reason": reason, "rows": [{"number": row["seq"], "sha256": digest_of(row)} for row in some]}
        await record(transaction, actor, AuditVerb.ACCEPTED, str(some[0]["seq"]), after=after)


def accepted_rows(row: AuditRow) -> Iterator[tuple[int, str]]:
    """The number and the digest of each row that this one accepts."""
    if row["verb"] != AuditVerb.ACCEPTED:
        return
    listed = details_of(row).get("rows")
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict) and type(one.get("number")) is int and type(one.get("sha256")) is str:
            yield one["number"], one["sha256"]
