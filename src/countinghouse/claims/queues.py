"""The queues: what waits for an admin and what was paid today, with count, amount and age."""

from datetime import UTC, datetime, time
from typing import Any, Literal

from pydantic import with_config
from sqlalchemy import Select, bindparam, func, select, union_all
from typing_extensions import TypedDict

from countinghouse.claims.lifecycle import Status
from countinghouse.claims.tables import claim_tallies, claims
from countinghouse.core.db import Reader, Statement
from countinghouse.core.listing.sql import number, written
from countinghouse.core.money import rupees
from countinghouse.core.times import Moment, iso, now, to_moment

QueueName = Literal["Pending", "Accepted", "On hold", "Paid today"]

_WAITING: tuple[Status, ...] = ("Pending", "Accepted", "On hold")


@with_config(
    json_schema_extra={
        "examples": [
            {
                "queue": "Pending",
                "status": "Pending",
                "count": 2,
                "amount": 3875,
                "oldestAt": "2026-11-15T02:52:36.120Z",
            }
        ]
    }
)
class Queue(TypedDict):
    queue: QueueName
    status: Status
    count: int
    amount: float
    oldestAt: str | None


def _select_waiting(status: Status) -> Select[Any]:
    """The count comes from the tallies and the oldest claim from the index: the same cost at any size."""
    tallied = (claim_tallies.c.day == written("")) & (claim_tallies.c.status == written(status))
    return select(
        written(status).label("queue"),
        written(status).label("status"),
        func.coalesce(func.sum(claim_tallies.c.entries), number(0)).label("entries"),
        func.coalesce(func.sum(claim_tallies.c.amount_paise), number(0)).label("amount_paise"),
        select(func.min(claims.c.created_at)).where(claims.c.status == written(status)).scalar_subquery(),
    ).where(tallied)


def _select_paid() -> Select[Any]:
    return select(
        written("Paid today"),
        written("Paid"),
        func.count(),
        func.coalesce(func.sum(claims.c.amount_paise), number(0)),
        func.min(claims.c.created_at),
    ).where(claims.c.status == written("Paid"), claims.c.moved_at >= bindparam("since", type_=Moment))


_QUEUES = Statement(union_all(*map(_select_waiting, _WAITING), _select_paid()))


async def read_queues(reader: Reader, since: datetime | None) -> list[Queue]:
    """`since` is when the admin's day began; by default the current day in UTC."""
    began = since or datetime.combine(now().date(), time(), UTC)
    return [
        {
            "queue": queue,
            "status": status,
            "count": int(entries),
            "amount": rupees(int(amount_paise)),
            "oldestAt": None if oldest_at is None else iso(to_moment(oldest_at)),
        }
        for queue, status, entries, amount_paise, oldest_at in await reader.all(_QUEUES, {"since": began})
    ]
