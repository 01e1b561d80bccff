"""Seals the rows of the audit log in the order in which they become visible (docs/decisions/0022).

PostgreSQL numbers a row when it is inserted and shows it when it is committed. A number that is missing below a sealed
one is a gap, which the database remembers (migration 0028); a row that fills it later is sealed later. The order of
sealing has numbers of its own. SQLite has no gaps: there is one writer at a time.
"""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ClauseElement, Select, and_, bindparam, delete, func, literal_column, or_, select, true

from countinghouse.audit.chain import COLUMNS, GENESIS, AuditRow, canonical, row_of, seal_after
from countinghouse.audit.numbering import IS_IN_ORDER
from countinghouse.audit.tables import audit_log, audit_open_gaps, audit_seals
from countinghouse.core.db import Plan, Reader, Statement, Transaction
from countinghouse.core.db.bulk import Cells, insert_rows
from countinghouse.core.listing.sql import number
from countinghouse.core.times import to_moment

SEALED_TOGETHER = 500
# An arbitrary fixed number that nothing else on the same server may use.
SEALING_LOCK = 7_406_118_215

# The count of rows that wait ends here.
MOST_COUNTED = 10_000


class Head(NamedTuple):
    """The newest seal, and the number of seals."""

    length: int
    seal: str


class Tail(NamedTuple):
    """The rows that are not sealed yet; at most `MOST_COUNTED` are counted."""

    rows: int
    oldest_at: datetime | None


_log, _seals, _gaps = audit_log.c, audit_seals.c, audit_open_gaps.c
_top = select(func.coalesce(func.max(_seals.seq), number(0))).scalar_subquery()


def _select_rows(limit: int, *named: str) -> Select[Any]:
    return select(*([_log[name] for name in named] or COLUMNS)).order_by(_log.seq).limit(number(limit))


def _fresh(clause: ClauseElement) -> Statement:
    """Planned each time: a plan from when the table was empty would read all of it when it is large."""
    return Statement(clause, Plan.BY_VALUE)


_NEW = _fresh(_select_rows(SEALED_TOGETHER).where(_log.seq > bindparam("top")))


_is_in_gap = _log.seq.between(_gaps.first_seq, _gaps.last_seq)


def _select_late(limit: int, *named: str) -> Select[Any]:
    """With a limit for each gap as well. PostgreSQL would join in another way, and read the whole log for it."""
    late = _select_rows(limit, *named).where(_is_in_gap).lateral()
    return select(*late.c).join_from(audit_open_gaps, late, true()).order_by(late.c.seq).limit(number(limit))


_LATE = _fresh(_select_late(SEALED_TOGETHER))
_first_in_gap = _select_rows(1, "seq").where(_is_in_gap).scalar_subquery()
_has_late = select(_gaps.first_seq).where(_first_in_gap.is_not(None)).exists()
# Compares the ends of two indexes. PostgreSQL ignores the order and limit of an EXISTS and would read the whole log.
_newest = select(func.coalesce(func.max(_log.seq), number(0))).scalar_subquery()
_has_new = _newest > _top
# Every transaction with a lower id has ended, and no session keeps numbers for later. A transaction of another
# PostgreSQL, from which the database was restored, is not here to end. What they have left in a gap is sealed first.
_is_over = or_(
    _gaps.seen_by <= literal_column("pg_snapshot_xmin(pg_current_snapshot())::text::bigint"),
    _gaps.cluster != literal_column("(SELECT system_identifier FROM pg_control_system())"),
)
_is_over = and_(_is_over, _first_in_gap.is_(None), IS_IN_ORDER)
_HAS_NEW = _fresh(select(_has_new))
_HAS_UNSEALED = _fresh(select(or_(_has_new, _has_late)))
_HAS_WORK = _fresh(select(or_(_has_new, _has_late, select(_gaps.first_seq).where(_is_over).exists())))
_GIVE_UP = Statement(delete(audit_open_gaps).where(_is_over))
_HEAD = _fresh(select(_seals.position, _seals.seal).order_by(_seals.position.desc()).limit(number(1)))
_TOP = _fresh(select(_top))
_LOCK = Statement(select(func.pg_try_advisory_xact_lock(literal_column(str(SEALING_LOCK)))))
_new = _select_rows(MOST_COUNTED, "at", "seq").where(_log.seq > _top).subquery()
_TAIL = _fresh(select(func.count(), func.min(_new.c.at)).select_from(_new))
_late_tail = _select_late(MOST_COUNTED, "at", "seq").subquery()
_LATE_TAIL = _fresh(select(func.count(), func.min(_late_tail.c.at)).select_from(_late_tail))


async def has_unsealed(reader: Reader) -> bool:
    return bool(await reader.scalar(_HAS_NEW if reader.is_sqlite else _HAS_UNSEALED))


async def has_work(reader: Reader) -> bool:
    """Rows to seal, or gaps to give up."""
    return bool(await reader.scalar(_HAS_NEW if reader.is_sqlite else _HAS_WORK))


async def read_head(reader: Reader) -> Head:
    found = await reader.all(_HEAD)
    return Head(*found[0]) if found else Head(0, GENESIS)


async def read_tail(reader: Reader) -> Tail:
    parts = await reader.all(_TAIL)
    if not reader.is_sqlite:
        parts += await reader.all(_LATE_TAIL)
    oldest = [to_moment(oldest_at) for _, oldest_at in parts if oldest_at is not None]
    return Tail(sum(count for count, _ in parts), min(oldest, default=None))


async def seal_some(transaction: Transaction) -> int:
    """Seals up to a few hundred rows, the oldest first, and returns how many; 0 if another process is sealing."""
    if not transaction.is_sqlite and not await transaction.scalar(_LOCK):
        return 0
    # New rows are read first: a change of the same record that was committed before one of them is then seen as well,
    # and sealed before it.
    head = await read_head(transaction)
    new = [row_of(cells) for cells in await transaction.all(_NEW, {"top": await transaction.scalar(_TOP)})]
    late: list[AuditRow] = []
    if not transaction.is_sqlite:
        late = [row_of(cells) for cells in await transaction.all(_LATE)]
        if len(late) == SEALED_TOGETHER:
            new = []
    await insert_rows(transaction, audit_seals, list(_sealed([*late, *new], head)))
    if not transaction.is_sqlite:
        await transaction.execute(_GIVE_UP)
    return len(late) + len(new)


def _sealed(rows: list[AuditRow], head: Head) -> list[Cells]:
    position, seal = head
    sealed: list[Cells] = []
    for row in rows:
        position, seal = position + 1, seal_after(seal, canonical(row))
        sealed.append({"position": position, "seq": row["seq"], "seal": seal})
    return sealed
