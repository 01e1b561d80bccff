"""The queues: what waits for an admin and what was paid today, with count, amount and age."""

from datetime import UTC, datetime, time
from typing import Annotated, Any, Literal

from sqlalchemy import Select, bindparam, func, select, union_all
from typing_extensions import TypedDict

from countinghouse.claims.lifecycle import Status
from countinghouse.claims.tables import claim_tallies, claims
from countinghouse.core.db import Reader
from countinghouse.core.examples import Example, described
from countinghouse.core.listing.items import Converted, ObjectQuery, Sum
from countinghouse.core.listing.sql import number, written
from countinghouse.core.times import Moment, now

QueueName = Literal["Pending", "Accepted", "On hold", "Paid today"]

_WAITING: tuple[Status, ...] = ("Pending", "Accepted", "On hold")


@described
class Queue(TypedDict):
    queue: Annotated[QueueName, Example("Pending")]
    status: Annotated[Status, Example("Pending")]
    count: Annotated[int, Example(2)]
    amount: Annotated[float, Example(3875)]
    oldestAt: Annotated[str | None, Example("2026-11-15T02:52:36.120Z")]


def _select_waiting(status: Status) -> Select[Any]:
    """The count comes from the tallies and the oldest claim from the index: the same cost at any size."""
    oldest = select(func.min(claims.c.created_at)).where(claims.c.status == written(status))
    return select(
        written(status).label("queue"),
        written(status).label("status"),
        func.coalesce(func.sum(claim_tallies.c.entries), number(0)).label("entries"),
        func.coalesce(func.sum(claim_tallies.c.amount_paise), number(0)).label("amount_paise"),
        oldest.scalar_subquery().label("oldest_at"),
    ).where(claim_tallies.c.day == written(""), claim_tallies.c.status == written(status))


_PAID_TODAY = select(
    written("Paid today"),
    written("Paid"),
    func.count(),
    func.coalesce(func.sum(claims.c.amount_paise), number(0)),
    func.min(claims.c.created_at),
).where(claims.c.status == written("Paid"), claims.c.moved_at >= bindparam("since", type_=Moment))

_queue = union_all(*map(_select_waiting, _WAITING), _PAID_TODAY).subquery().c
_QUEUES = ObjectQuery(
    {
        "queue": _queue.queue,
        "status": _queue.status,
        "count": Converted(_queue.entries, int),
        "amount": Sum(_queue.amount_paise),
        "oldestAt": _queue.oldest_at,
    },
    lambda queues: queues,
)


async def read_queues(reader: Reader, since: datetime | None) -> list[Queue]:
    """`since` is when the admin's day began; by default the current day in UTC."""
    return await _QUEUES.read(reader, {"since": since or datetime.combine(now().date(), time(), UTC)})
