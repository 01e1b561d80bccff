"""The queries that the tail runs several times a second. Each costs one index lookup."""

import json
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Select, any_, bindparam, cast, column, func, select, union_all
from sqlalchemy.dialects.postgresql import ARRAY
from typing_extensions import TypedDict

from countinghouse.admins.actions import ENDS_SESSIONS
from countinghouse.admins.tables import admins
from countinghouse.audit.tables import audit_log, audit_open_gaps, audit_seals
from countinghouse.batches.queries import has_unfinished
from countinghouse.core.db import Reader, Statement
from countinghouse.core.listing import Tallies
from countinghouse.core.listing.sql import number, written
from countinghouse.core.times import Moment, alive, iso, to_moment
from countinghouse.live.tables import open_claims
from countinghouse.policy.resource import PolicyVerb
from countinghouse.qr.resource import QrVerb
from countinghouse.qr.tables import qr_codes
from countinghouse.resources import LISTED, LIVE_VERBS

# A screen that missed this many changes is faster to reload.
MOST_ROWS = 1000

# At most this many of the newest rows count as unsettled, however wrong the clocks were.
MOST_UNSETTLED = 100_000

# A tab sends a heartbeat every ten seconds.
OPEN_FOR = timedelta(seconds=25)

# Of the requests to display a code, the oldest are shown to an admin who arrives later.
MOST_REQUESTS = 10

# Columns of a list whose sums are sent with its count.
MOST_SUMS = 2


# The rules say who needs a second factor.
EVERYBODY = "everybody"


class Change(TypedDict):
    verb: str
    subjectId: str
    by: str
    at: str
    status: str | None
    version: int | None


class LogRow(NamedTuple):
    seq: int
    # None for rows that no screen shows, such as a login.
    change: Change | None
    # The admin whose sessions may have ended with it, or EVERYBODY.
    signed_out: str | None = None


class OpenClaim(NamedTuple):
    admin_id: str
    by: str
    claim_id: str
    since: str


class Waiting(NamedTuple):
    """What waits for an admin who was away when it came."""

    has_batch: bool
    display_requests: list[Change]


class News(NamedTuple):
    rows: list[LogRow]
    late: list[LogRow]
    # Gaps whose row is among the late ones, or will never appear.
    settled: list[int]
    counts: list[tuple[Any, ...]]
    open: list[OpenClaim]


def _select_rows(condition: ColumnElement[bool]) -> Select[Any]:
    log = audit_log.c
    rows = select(log.seq, log.at, log.actor, log.verb, log.subject_id, log.after).where(condition)
    return rows.order_by(log.seq).limit(number(MOST_ROWS))


_seq = audit_log.c.seq
_ROWS_AFTER = Statement(_select_rows(_seq > bindparam("seq")))
# Bound as one value, so that the statement is the same for any number of rows.
_numbers = cast(bindparam("numbers"), ARRAY(BigInteger))
_ROWS_AMONG = Statement(_select_rows(_seq == any_(_numbers)))
_asked = func.unnest(_numbers).table_valued(column("value", BigInteger)).render_derived()
_each = func.json_each(bindparam("numbers")).table_valued("value")
_ROWS_AMONG_ON_SQLITE = Statement(_select_rows(_seq.in_(select(_each.c.value))))
_NEWEST = Statement(select(func.coalesce(func.max(_seq), number(0))))
# Who seals the log knows by the transactions which numbers can still appear. A clock tells nothing: it may jump, and
# the clocks of two servers may differ.
_sealed = select(func.coalesce(func.max(audit_seals.c.seq), number(0))).scalar_subquery()
_gaps = audit_open_gaps.c
_first_gap = select(func.min(_gaps.first_seq)).scalar_subquery()
_SETTLED = Statement(select(_sealed, _first_gap))
_SETTLED_AMONG = Statement(
    select(_asked.c.value)
    .where(_asked.c.value <= _sealed)
    .where(~select(_gaps.first_seq).where(_asked.c.value.between(_gaps.first_seq, _gaps.last_seq)).exists())
)
_NUMBERS = Statement(select(_seq).where(_seq > bindparam("above")).order_by(_seq))


def _select_tallies(name: str, tallies: Tallies) -> Select[Any]:
    kept = tallies.kept.c
    sums = [kept[column] for column in tallies.sums] + [number(0)] * (MOST_SUMS - len(tallies.sums))
    labelled = (column.label(f"sum_{place}") for place, column in enumerate(sums))
    tallied = select(written(name).label("noun"), tallies.part(tallies.kept), kept.entries, *labelled)
    return tallied.where(kept.day == written(""))


# Every list's tallies for all time. Triggers keep them, so they count what another service has inserted.
_tallied = [(name, rows.listing.tallies) for name, rows in LISTED.items() if rows.listing.tallies.table is not None]
_every = union_all(*(_select_tallies(name, tallies) for name, tallies in _tallied)).subquery()
_COUNTS = Statement(select(*_every.c).order_by(_every.c.noun, _every.c.part))
_OPEN = Statement(
    select(open_claims.c.admin_id, admins.c.username, open_claims.c.claim_id, open_claims.c.opened_at)
    .join_from(open_claims, admins)
    .where(open_claims.c.seen_at.between(bindparam("alive_at", type_=Moment), bindparam("ahead", type_=Moment)))
    .order_by(open_claims.c.opened_at, open_claims.c.tab)
)


_DISPLAY_REQUESTS = Statement(
    select(qr_codes.c.id, qr_codes.c.display_requested_by, qr_codes.c.display_requested_at)
    .where(qr_codes.c.display_requested_by.is_not(None), qr_codes.c.deleted_at.is_(None))
    .order_by(qr_codes.c.display_requested_at)
    .limit(number(MOST_REQUESTS))
)


async def find_waiting(reader: Reader, admin_id: str) -> Waiting:
    requests: list[Change] = [
        {
            "verb": QrVerb.DISPLAY_REQUESTED,
            "subjectId": code,
            "by": by,
            "at": iso(to_moment(at)),
            "status": None,
            "version": None,
        }
        for code, by, at in await reader.all(_DISPLAY_REQUESTS, {})
    ]
    return Waiting(await has_unfinished(reader, admin_id), requests)


async def read_beginning(reader: Reader) -> tuple[int, list[int], News]:
    """A number up to which every row is settled, the numbers of the rows above it, and the current state."""
    [[newest]] = await reader.all(_NEWEST, {})
    [[sealed, first_gap]] = await reader.all(_SETTLED, {})
    settled = sealed if first_gap is None else min(sealed, first_gap - 1)
    low = max(0, newest - MOST_UNSETTLED, settled)
    numbers = [row[0] for row in await reader.all(_NUMBERS, {"above": low})]
    return low, numbers, News([], [], [], await reader.all(_COUNTS, {}), await _read_open(reader))


async def read_news(reader: Reader, top: int, gaps: list[int]) -> News:
    rows = await read_rows_after(reader, top)
    # Before the late rows are read: what a settled gap has is then among them. SQLite has one writer at a time.
    settled = gaps if reader.is_sqlite or not gaps else await reader.scalars(_SETTLED_AMONG, {"numbers": gaps})
    late = await _read_rows_among(reader, gaps) if gaps else []
    return News(
        rows,
        late,
        settled if len(late) < MOST_ROWS else [],
        await reader.all(_COUNTS, {}),
        await _read_open(reader),
    )


async def read_rows_after(reader: Reader, seq: int) -> list[LogRow]:
    return [_to_row(cells) for cells in await reader.all(_ROWS_AFTER, {"seq": seq})]


async def find_missed(reader: Reader, after: int) -> list[LogRow] | None:
    """The rows after a screen's mark; None if there are too many, or if the mark is not from this log."""
    [[newest]] = await reader.all(_NEWEST, {})
    if after > newest:
        return None
    rows = await read_rows_after(reader, after)
    return rows if len(rows) < MOST_ROWS else None


async def _read_rows_among(reader: Reader, numbers: list[int]) -> list[LogRow]:
    statement, among = (_ROWS_AMONG_ON_SQLITE, json.dumps(numbers)) if reader.is_sqlite else (_ROWS_AMONG, numbers)
    return [_to_row(cells) for cells in await reader.all(statement, {"numbers": among})]


async def _read_open(reader: Reader) -> list[OpenClaim]:
    within = alive(await reader.now(), OPEN_FOR)
    found = await reader.all(_OPEN, {"alive_at": within.since, "ahead": within.ahead})
    return [OpenClaim(admin_id, by, claim_id, iso(to_moment(opened_at))) for admin_id, by, claim_id, opened_at in found]


def _to_row(cells: tuple[Any, ...]) -> LogRow:
    seq, at, actor, verb, subject_id, after = cells
    if verb not in LIVE_VERBS:
        return LogRow(seq, None, subject_id if verb in ENDS_SESSIONS else None)
    # SQLite's driver returns JSON as text.
    recorded = (json.loads(after) if isinstance(after, str) else after) or {}
    change: Change = {
        "verb": verb,
        "subjectId": subject_id,
        "by": actor,
        "at": iso(to_moment(at)),
        "status": recorded.get("status"),
        "version": recorded.get("version"),
    }
    return LogRow(seq, change, EVERYBODY if verb == PolicyVerb.CHANGED else None)
