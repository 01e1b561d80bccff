"""Everything that proves what was done, line by line: the log with its seals, the checkpoints, and the stored records.

`audit export` writes these lines to a file. `audit verify` reads them from there, or directly from the database.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from sqlalchemy import Select, bindparam, select

from countinghouse.audit.chain import COLUMNS, AuditRow, row_of
from countinghouse.audit.checkpoints import Checkpoints
from countinghouse.audit.records import Kind
from countinghouse.audit.sealing import MOST_GAPS
from countinghouse.audit.tables import audit_gaps, audit_log, audit_seals
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
_GAPS = Statement(select(audit_gaps.c.seq).limit(number(2 * MOST_GAPS)))
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
    after = _LOWEST
    while portion := await reader.all(_SEALED, {"after": after}):
        for position, seq, seal, *found in portion:
            row = None if found[0] is None else row_of(tuple(found))
            yield {"position": position, "seq": seq, "seal": seal, "row": row}
            after = position
    open_numbers = {seq for (seq,) in await reader.all(_GAPS)}
    after = _LOWEST
    while portion := await reader.all(_UNSEALED, {"after": after}):
        for cells in portion:
            unsealed: AuditRow = row_of(cells)
            yield {"unsealed": unsealed, "isExpected": unsealed["seq"] in open_numbers}
            after = unsealed["seq"]


async def _read_records(reader: Reader, kind: Kind) -> AsyncIterator[Line]:
    statement = Statement(_next_portion(kind))
    after = ""
    while portion := await reader.rows(statement, {"after": after}):
        for record in portion:
            yield {"record": kind.name, "id": record.id, "state": kind.state(record)}
            after = record.place


def _next_portion(kind: Kind) -> Select[Any]:
    portion = kind.stored.add_columns(kind.key.label("place"))
    return portion.where(kind.key > bindparam("after")).order_by(kind.key).limit(number(kind.portion))
