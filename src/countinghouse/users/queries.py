"""Reading users."""

from typing import Annotated, NotRequired

from sqlalchemy import FromClause
from typing_extensions import TypedDict

from countinghouse.core.examples import Example, described
from countinghouse.core.listing import ListFilters, Listing, Order, Tallies
from countinghouse.core.listing.items import Fields
from countinghouse.core.masking import Reference, WholeNumber
from countinghouse.users.tables import user_tallies, users


class UserContact(TypedDict):
    """The user, as shown in other records."""

    _id: str
    username: str
    mobile: WholeNumber


@described
class User(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000001")]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    username: Annotated[str, Example("Ananya Iyer")]
    mobile: Annotated[WholeNumber, Example("9805756092")]
    # The service's own id; null if the user did not come through the intake. Not in lists.
    externalId: NotRequired[Annotated[Reference | None, Example("u-1001")]]


def user_fields(user: FromClause) -> Fields:
    return {"_id": user.c.id, "createdAt": user.c.created_at, "username": user.c.username, "mobile": user.c.mobile}


USERS = Listing(
    users,
    Tallies(user_tallies),
    user_fields,
    orders={
        "createdAt": Order((users.c.created_at, users.c.id)),
        "username": Order((users.c.username, users.c.id)),
        "mobile": Order((users.c.mobile, users.c.id)),
    },
    query=ListFilters,
    searched=(users.c.username, users.c.mobile),
    identifying=(users.c.external_id,),
)


@described
class UserTotals(TypedDict):
    count: Annotated[int, Example(2)]
    isExact: Annotated[bool, Example(True)]
