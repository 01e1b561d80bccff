"""Reading complaints."""

from typing import Annotated, Literal

from countinghouse.complaints.tables import complaints
from pydantic import Field
from sqlalchemy import FromClause, bindparam
from typing_extensions import TypedDict

from countinghouse.core.listing import Filter, ListFilters, Listing, ListQuery, Order, Tallies
from countinghouse.core.listing.items import Fields

Channel = Literal["phone", "mail"]


class Complaint(TypedDict):
    _id: str
    createdAt: str
    subject: str
    channel: Channel
    answeredAt: str | None


class ComplaintTotals(TypedDict):
    count: int
    isExact: bool


def complaint_fields(complaint: FromClause) -> Fields:
    return {
        "_id": complaint.c.id,
        "createdAt": complaint.c.created_at,
        "subject": complaint.c.subject,
        "channel": complaint.c.channel,
        "answeredAt": complaint.c.answered_at,
    }


class ComplaintFilters(ListFilters):
    channel: Annotated[
        Channel | None,
        Field(description="Only complaints that came this way."),
        Filter(lambda _: complaints.c.channel == bindparam("channel")),
    ] = None


class ComplaintQuery(ComplaintFilters, ListQuery):
    pass


COMPLAINTS = Listing(
    complaints,
    Tallies(),
    complaint_fields,
    orders={
        "createdAt": Order((complaints.c.created_at, complaints.c.id)),
        "subject": Order((complaints.c.subject, complaints.c.id)),
    },
    query=ComplaintFilters,
    searched=(complaints.c.subject,),
    has_search_index=False,
)
