"""What the log says about one record now, for decisions that cannot wait for `audit verify`."""

from sqlalchemy import bindparam, select

from countinghouse.audit.chain import COLUMNS, row_of
from countinghouse.audit.records import Kind, Known, State, fits
from countinghouse.audit.tables import audit_log
from countinghouse.core.db import Reader, Statement

_ROWS = Statement(select(*COLUMNS).where(audit_log.c.subject_id == bindparam("subject")).order_by(audit_log.c.seq))


async def read_logged(reader: Reader, kind: Kind, record_id: str) -> State:
    """Empty if no row says anything. The record is locked, or its version is checked, so no row is missing."""
    waiting = [row_of(cells) for cells in await reader.all(_ROWS, {"subject": record_id})]
    state: State | None = None
    while waiting:
        known = _known_as(state or {})
        # While the sequence of the log had a CACHE, numbers were not in the order of the changes.
        row = next((row for row in waiting if fits(kind, row, known, state)), waiting[0])
        waiting.remove(row)
        if row["verb"].startswith(f"{kind.noun}.") and (found := kind.logged_state(row, known)):
            state = found[1]
    return state or {}


def _known_as(state: State) -> Known:
    return lambda *_: state
