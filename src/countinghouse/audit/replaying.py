"""What the log says about one record now, for decisions that cannot wait for `audit verify`."""

from sqlalchemy import bindparam, select

from countinghouse.audit.chain import COLUMNS, row_of
from countinghouse.audit.records import Kind, Known, State
from countinghouse.audit.tables import audit_log
from countinghouse.core.db import Reader, Statement

_ROWS = Statement(select(*COLUMNS).where(audit_log.c.subject_id == bindparam("subject")).order_by(audit_log.c.seq))


async def read_logged(reader: Reader, kind: Kind, record_id: str) -> State:
    """Empty if no row says anything. The record is locked, or its version is checked, so its rows are in order."""
    state: State = {}
    for cells in await reader.all(_ROWS, {"subject": record_id}):
        row = row_of(cells)
        if row["verb"].startswith(f"{kind.noun}.") and (found := kind.logged_state(row, _known_as(state))):
            state = found[1]
    return state


def _known_as(state: State) -> Known:
    return lambda *_: state
