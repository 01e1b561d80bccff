"""Everything that proves what was done, line by line: the log with its seals, the checkpoints, and the stored records.

`audit export` writes these lines to a file. `audit verify` reads them from there, or directly from the database.
"""

from bisect import bisect_right
from collections.abc import AsyncIterator, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Select, bindparam, func, select

from countinghouse.audit.chain import COLUMNS, AuditRow, row_of
from countinghouse.audit.checkpoints import Checkpoints
from countinghouse.audit.records import Kind
from countinghouse.audit.tables import audit_log, audit_open_gaps, audit_seals
from countinghouse.core.db import Reader, Statement
from countinghouse.core.listing.sql import number
from countinghouse.core.times import iso, now

FORMAT = "countinghouse-audit-1"
# Rows are read in portions of one snapshot, so that memory stays flat.
_PORTION = 2_000

Line = dict[str, Any]

_log, _seals = audit_log.c, audit_seals.c
_SEALED = Statement(
    select(_seals.position, _seals.seq, _seals.seal, *COLUMNS)
    .select_from(audit_seals.outerjoin(audit_log, _seals.seq == _log.seq))
    .where(_seals.position > bindparam("after"))
    .order_by(_seals.position)
    .limit(number(_PORTION))
)
_UNSEALED = Statement(
    select(*COLUMNS)
    .where(_log.seq > bindparam("after"), ~select(_seals.seq).where(_seals.seq == _log.seq).exists())
    .order_by(_log.seq)
    .limit(number(_PORTION))
)
_TOP = Statement(select(func.coalesce(func.max(_seals.seq), number(0))))
_GAPS = Statement(select(audit_open_gaps.c.first_seq, audit_open_gaps.c.last_seq).order_by(audit_open_gaps.c.first_seq))
_LOWEST = -(2**63)


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
    after = _LOWEST
    while portion := await reader.all(_SEALED, {"after": after}):
        for position, seq, seal, *found in portion:
            while waiting is not None and waiting["unsealed"]["seq"] < seq:
                yield waiting
                waiting = await anext(unsealed, None)
            row = None if found[0] is None else row_of(tuple(found))
            yield {"position": position, "seq": seq, "seal": seal, "row": row}
            after = position
    while waiting is not None:
        yield waiting
        waiting = await anext(unsealed, None)


async def _read_unsealed(reader: Reader) -> AsyncIterator[Line]:
    gaps = await reader.all(_GAPS)
    after = _LOWEST
    while portion := await reader.all(_UNSEALED, {"after": after}):
        for cells in portion:
            unsealed: AuditRow = row_of(cells)
            after = unsealed["seq"]
            place = bisect_right(gaps, after, key=itemgetter(0)) - 1
            yield {"unsealed": unsealed, "isExpected": place >= 0 and after <= gaps[place][1]}


async def find_unexpected(reader: Reader) -> AsyncIterator[AuditRow]:
    """The rows below sealed ones that have no seal and will get none."""
    top = await reader.scalar(_TOP)
    async for line in _read_unsealed(reader):
        if line["unsealed"]["seq"] < top and not line["isExpected"]:
            yield line["unsealed"]


async def _read_records(reader: Reader, kind: Kind) -> AsyncIterator[Line]:
    statement = Statement(next_portion(kind, kind.portion))
    after = ""
    while portion := await reader.rows(statement, {"after": after}):
        for record in portion:
            yield {"record": kind.name, "id": record.id, "state": kind.state(record)}
            after = record.place


def next_portion(kind: Kind, limit: int) -> Select[Any]:
    """Of the records of this kind, behind the bound value `after`."""
    portion = kind.stored.add_columns(kind.key.label("place"))
    return portion.where(kind.key > bindparam("after")).order_by(kind.key).limit(number(limit))
