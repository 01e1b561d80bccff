"""Reads exports: which are in progress, and how far each has got."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from sqlalchemy import Row, and_, bindparam, func, or_, select
from typing_extensions import TypedDict

from countinghouse.admins.queries import get_own
from countinghouse.core.db import Reader
from countinghouse.core.errors import NotFound
from countinghouse.core.examples import Example, described, example_of, examples
from countinghouse.core.masking import Plain
from countinghouse.core.times import CLOCKS_DIFFER, alive
from countinghouse.exports.files import Format, ListName, file_name
from countinghouse.exports.tables import exports

State = Literal["waiting", "running", "done", "cancelled", "failed", "expired"]
# The file was sent completely; an admin cancelled; an error occurred; the client disconnected; the session ended.
Outcome = Literal["done", "cancelled", "failed", "left", "signed_out"]

# If an export has had no heartbeat for this long, its process has died.
DEAD_AFTER = timedelta(seconds=30)


@described
class Export(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000006")]
    list: Annotated[ListName, Example("claims")]
    format: Annotated[Format, Example("csv")]
    query: Annotated[dict[str, str], Example({"status": "Pending", "sort": "-amount"})]
    fileName: Annotated[str, Example("claims-2026-11-15.csv")]
    state: Annotated[State, Example("running")]
    rowsWritten: Annotated[int, Example(4500)]
    rowsTotal: Annotated[int | None, Example(12345)]


_WAITING = {"state": "waiting", "rowsWritten": 0}
_URL = "https://desk.example.in/api/exports/6917e2f4a1b2c3d4e5000006/file?key=vX0c9lYt2mZr8KqB4nHs5w"


@examples(example_of(Export) | _WAITING | {"url": _URL})
class NewExport(Export):
    url: Plain


# The process that streams the file has sent a heartbeat recently. A heartbeat far in the future is from before the
# clock was set back. Its values are `alive_values`.
IS_ALIVE = and_(exports.c.beat_at > bindparam("silent_since"), exports.c.beat_at <= bindparam("ahead"))


def alive_values(at: datetime) -> dict[str, datetime]:
    within = alive(at, DEAD_AFTER)
    return {"silent_since": within.since, "ahead": within.ahead}


# Waiting exports count too: each may start at any moment.
_IS_UNDER_WAY = and_(
    exports.c.admin_id == bindparam("of"),
    exports.c.ended_at.is_(None),
    or_(
        and_(
            exports.c.started_at.is_(None),
            exports.c.expires_at > bindparam("at"),
            exports.c.created_at <= bindparam("ahead"),
        ),
        IS_ALIVE,
    ),
)
_COUNT_UNDER_WAY = select(func.count()).select_from(exports).where(_IS_UNDER_WAY)
# A cancelled export counts until its next heartbeat, but is not listed, because there is nothing left to do about it.
_LIST_UNDER_WAY = (
    select(exports).where(_IS_UNDER_WAY, exports.c.cancelled_at.is_(None)).order_by(exports.c.created_at, exports.c.id)
)


def is_expired(row: Row[Any], at: datetime) -> bool:
    """Whether its link works no longer. One that was made further ahead is from before the clock was set back."""
    return bool(row.expires_at <= at or row.created_at > at + CLOCKS_DIFFER)


def state_of(row: Row[Any], at: datetime) -> State:
    if row.outcome is not None:
        return row.outcome if row.outcome in ("done", "cancelled") else "failed"
    if row.cancelled_at is not None:
        return "cancelled"
    if row.started_at is None:
        return "expired" if is_expired(row, at) else "waiting"
    # The same rule as IS_ALIVE.
    return "running" if alive(at, DEAD_AFTER).includes(row.beat_at) else "failed"


def to_export(row: Row[Any], at: datetime) -> Export:
    return {
        "_id": row.id,
        "list": row.list,
        "format": row.format,
        "query": row.query,
        "fileName": file_name(row.list, row.created_at, row.format),
        "state": state_of(row, at),
        "rowsWritten": row.rows_written,
        "rowsTotal": row.rows_total,
    }


async def get_export(reader: Reader, admin_id: str, export_id: str, *, for_change: bool = False) -> Row[Any]:
    missing = NotFound("export_not_found", "There is no such export.")
    return await get_own(reader, exports, admin_id, export_id, missing, for_change=for_change)


async def count_under_way(reader: Reader, admin_id: str) -> int:
    return int(await reader.scalar(_COUNT_UNDER_WAY, _under_way_values(admin_id, await reader.now())))


async def list_under_way(reader: Reader, admin_id: str) -> list[Export]:
    """All exports of the admin, from any window: a download outlives its page."""
    at = await reader.now()
    return [to_export(row, at) for row in await reader.rows(_LIST_UNDER_WAY, _under_way_values(admin_id, at))]


def _under_way_values(admin_id: str, at: datetime) -> dict[str, Any]:
    return {"of": admin_id, "at": at, **alive_values(at)}
