"""Seals the rows of the audit log in the order in which they become visible (docs/decisions/0022).

PostgreSQL numbers a row when it is inserted and shows it when it is committed. A number that is missing below a sealed
one is remembered as a gap; a row that fills it later is sealed later. The order of sealing has numbers of its own.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ClauseElement, Select, bindparam, delete, func, literal_column, or_, select

from countinghouse.audit.chain import COLUMNS, GENESIS, AuditRow, canonical, row_of, seal_after
from countinghouse.audit.tables import audit_gaps, audit_log, audit_seals
from countinghouse.core.db import Plan, Reader, Statement, Transaction
from countinghouse.core.db.bulk import Cells, insert_rows
from countinghouse.core.listing.sql import among_found, number
from countinghouse.core.times import Moment, now, stored_text, to_moment

SEALED_TOGETHER = 500
# An arbitrary fixed number that nothing else on the same server may use.
SEALING_LOCK = 7_406_118_215

# Longer than any transaction of ours stays open. A row that fills an older gap is never sealed: `audit verify` reports
# it, because that is also what a row inserted by an attacker looks like.
GAP_LASTS = timedelta(minutes=10)
# There are never this many uncommitted rows. Nor does the sealer look for more.
MOST_GAPS = 10_000
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


_log, _seals, _gaps = audit_log.c, audit_seals.c, audit_gaps.c
_top = select(func.coalesce(func.max(_seals.seq), number(0))).scalar_subquery()


def _select_rows(limit: int, *named: str) -> Select[Any]:
    return select(*([_log[name] for name in named] or COLUMNS)).order_by(_log.seq).limit(number(limit))


def _fresh(clause: ClauseElement) -> Statement:
    """Planned each time: a plan from when the table was empty would read all of it when it is large."""
    return Statement(clause, Plan.BY_VALUE)


_NEW = _fresh(_select_rows(SEALED_TOGETHER).where(_log.seq > bindparam("top")))
_is_late = among_found(_log.seq, select(_gaps.seq).scalar_subquery())
_LATE = _fresh(_select_rows(SEALED_TOGETHER).where(_is_late))
# Compares the ends of two indexes. PostgreSQL ignores the order and limit of an EXISTS and would read the whole log.
_newest = select(func.coalesce(func.max(_log.seq), number(0))).scalar_subquery()
_HAS_UNSEALED = _fresh(select(or_(_newest > _top, select(_log.seq).where(_is_late).exists())))
_HEAD = _fresh(select(_seals.position, _seals.seal).order_by(_seals.position.desc()).limit(number(1)))
_TOP = _fresh(select(_top))
_newest_forgotten = select(_gaps.seq).order_by(_gaps.seq.desc()).offset(number(MOST_GAPS)).limit(number(1))
_FORGET_MOST = Statement(delete(audit_gaps).where(_gaps.seq <= _newest_forgotten.scalar_subquery()))
_FILL = Statement(delete(audit_gaps).where(_gaps.seq == bindparam("filled")))
_GIVE_UP = Statement(delete(audit_gaps).where(_gaps.seen_at < bindparam("seen_before", type_=Moment)))
_LOCK = Statement(select(func.pg_try_advisory_xact_lock(literal_column(str(SEALING_LOCK)))))
_new = _select_rows(MOST_COUNTED, "at", "seq").where(_log.seq > _top).subquery()
_TAIL = _fresh(select(func.count(), func.min(_new.c.at)).select_from(_new))
_LATE_TAIL = _fresh(select(func.count(), func.min(_log.at)).where(_is_late))


async def has_unsealed(reader: Reader) -> bool:
    return bool(await reader.scalar(_HAS_UNSEALED))


async def read_head(reader: Reader) -> Head:
    found = await reader.all(_HEAD)
    return Head(*found[0]) if found else Head(0, GENESIS)


async def read_tail(reader: Reader) -> Tail:
    parts = [*await reader.all(_TAIL), *await reader.all(_LATE_TAIL)]
    oldest = [to_moment(oldest_at) for _, oldest_at in parts if oldest_at is not None]
    return Tail(sum(count for count, _ in parts), min(oldest, default=None))


async def seal_some(transaction: Transaction) -> int:
    """Seals up to a few hundred rows, the oldest first, and returns how many; 0 if another process is sealing."""
    if not transaction.is_sqlite and not await transaction.scalar(_LOCK):
        return 0
    head, top = await read_head(transaction), int(await transaction.scalar(_TOP))
    late = [] if transaction.is_sqlite else [row_of(cells) for cells in await transaction.all(_LATE)]
    new = [row_of(cells) for cells in await transaction.all(_NEW, {"top": top})]
    await insert_rows(transaction, audit_seals, list(_sealed([*late, *new], head)))
    if not transaction.is_sqlite:
        await _remember_gaps(transaction, late, new, top)
    return len(late) + len(new)


def _sealed(rows: list[AuditRow], head: Head) -> list[Cells]:
    position, seal = head
    sealed: list[Cells] = []
    for row in rows:
        position, seal = position + 1, seal_after(seal, canonical(row))
        sealed.append({"position": position, "seq": row["seq"], "seal": seal})
    return sealed


async def _remember_gaps(transaction: Transaction, late: list[AuditRow], new: list[AuditRow], top: int) -> None:
    """SQLite needs none: there is one writer at a time, and a trigger keeps the numbers without gaps."""
    at = now()
    if late:
        await transaction.execute(_FILL, [{"filled": row["seq"]} for row in late])
    await transaction.execute(_GIVE_UP, {"seen_before": at - GAP_LASTS})
    recent = stored_text(at - GAP_LASTS)
    missing: list[int] = []
    for row in new:
        # Of a row from before the upgrade every neighbour has been committed.
        if row["at"] > recent:
            missing += range(max(top + 1, row["seq"] - MOST_GAPS), row["seq"])
        top = row["seq"]
    if missing:
        seen_at = stored_text(at)
        await insert_rows(transaction, audit_gaps, [{"seq": seq, "seen_at": seen_at} for seq in missing[-MOST_GAPS:]])
        await transaction.execute(_FORGET_MOST)
