"""Everything that proves what was done, line by line: the log with its seals, the checkpoints, and the stored records.

`audit export` writes these lines to a file. `audit verify` reads them from there, or directly from the database.
"""

from bisect import bisect_right
from collections.abc import AsyncIterator, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import func, select

from countinghouse.audit.chain import COLUMNS, AuditRow, row_of
from countinghouse.audit.checkpoints import Checkpoints
from countinghouse.audit.records import Kind
from countinghouse.audit.tables import audit_log, audit_open_gaps, audit_seals
from countinghouse.core.db import Reader, Statement
from countinghouse.core.listing.portions import Portions
from countinghouse.core.listing.sql import number
from countinghouse.core.times import iso, now

FORMAT = "countinghouse-audit-1"
# Rows are read in portions of one snapshot, so that memory stays flat.
_PORTION = 2_000

Line = dict[str, Any]

_log, _seals = audit_log.c, audit_seals.c
_SEALED = Portions(
    select(_seals.seq, _seals.seal, *COLUMNS).select_from(audit_seals.outerjoin(audit_log, _seals.seq == _log.seq)),
    _seals.position,
    _PORTION,
)
_UNSEALED = Portions(
    select(*COLUMNS).where(~select(_seals.seq).where(_seals.seq == _log.seq).exists()), _log.seq, _PORTION
)
_TOP = Statement(select(func.coalesce(func.max(_seals.seq), number(0))))
_GAPS = Statement(select(audit_open_gaps.c.first_seq, audit_open_gaps.c.last_seq).order_by(audit_open_gaps.c.first_seq))


async def read_proof(reader: Reader, kinds: Sequence[Kind], checkpoints: Checkpoints) -> AsyncIterator[Line]:
    """All from one snapshot, except the checkpoints: those are older, or are left for the next time."""
    yield {
        "format": FORMAT,
        "at": iso(now()),
        "key": checkpoints.find_public_key(),
        "kinds": [kind.name for kind in kinds],
    }
    for line_number, checkpoint in checkpoints.read():
        yield {"checkpoint": checkpoint and checkpoint.as_json, "line": line_number}
    async for line in _read_log(reader):
        yield line
    for kind in kinds:
        async for line in _read_records(reader, kind):
            yield line


async def _read_log(reader: Reader) -> AsyncIterator[Line]:
    """A row without a seal comes where its number belongs, so that what it says of a record precedes later rows."""
    unsealed = _read_unsealed(reader)
    waiting = await anext(unsealed, None)
    async for portion in _SEALED.cells(reader):
        for seq, seal, *found, position in portion:
            while waiting is not None and waiting["unsealed"]["seq"] < seq:
                yield waiting
                waiting = await anext(unsealed, None)
            row = None if found[0] is None else row_of(tuple(found))
            yield {"position": position, "seq": seq, "seal": seal, "row": row}
    while waiting is not None:
        yield waiting
        waiting = await anext(unsealed, None)


async def _read_unsealed(reader: Reader) -> AsyncIterator[Line]:
    gaps = await reader.all(_GAPS)
    async for portion in _UNSEALED.cells(reader):
        for *cells, seq in portion:
            place = bisect_right(gaps, seq, key=itemgetter(0)) - 1
            yield {"unsealed": row_of(tuple(cells)), "isExpected": place >= 0 and seq <= gaps[place][1]}


async def find_unexpected(reader: Reader) -> AsyncIterator[AuditRow]:
    """The rows below sealed ones that have no seal and will get none."""
    top = await reader.scalar(_TOP)
    async for line in _read_unsealed(reader):
        if line["unsealed"]["seq"] < top and not line["isExpected"]:
            yield line["unsealed"]


async def _read_records(reader: Reader, kind: Kind) -> AsyncIterator[Line]:
    async for portion in portions_of(kind, kind.portion).rows(reader):
        for record in portion:
            yield {"record": kind.name, "id": record.id, "state": kind.state(record)}


def portions_of(kind: Kind, limit: int, *, is_locked: bool = False) -> Portions:
    stored = kind.stored.with_for_update(read=True, of=kind.key.table) if is_locked else kind.stored
    return Portions(stored, kind.key, limit)
