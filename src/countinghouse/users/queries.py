"""Reading users."""

from typing import Any

from pydantic import with_config
from sqlalchemy import FromClause, Select, select, type_coerce
from typing_extensions import TypedDict

from countinghouse.core.listing import Listing, Order, Tallies, created_between
from countinghouse.core.listing.json_items import JsonText, MomentWord, Quoted, Word, json_text
from countinghouse.core.times import MomentText
from countinghouse.users.tables import user_tallies, users


class UserContact(TypedDict):
    """How other nouns show whose they are."""

    username: str
    mobile: str


@with_config(
    json_schema_extra={
        "examples": [
            {
                "_id": "6917e2f4a1b2c3d4e5000001",
                "createdAt": "2026-11-15T02:52:36.120Z",
                "username": "Ananya Iyer",
                "mobile": "9805756092",
            }
        ]
    }
)
class User(TypedDict):
    _id: str
    createdAt: str
    username: str
    mobile: str


def select_users(user: FromClause = users) -> Select[Any]:
    return select(
        user.c.id,
        type_coerce(user.c.created_at, MomentText).label("created_at"),
        user.c.username,
        user.c.mobile,
    )


def user_item(user: FromClause) -> JsonText:
    return json_text(
        {
            "_id": Word(user.c.id),
            "createdAt": MomentWord(user.c.created_at),
            "username": Quoted(user.c.username),
            "mobile": Quoted(user.c.mobile),
        }
    )


USERS = Listing(
    users,
    Tallies(user_tallies),
    select_users,
    user_item,
    orders={
        "createdAt": Order((users.c.created_at, users.c.id)),
        "username": Order((users.c.username, users.c.id)),
        "mobile": Order((users.c.mobile, users.c.id)),
    },
    filters=created_between(users),
    searched=(users.c.username, users.c.mobile),
)


@with_config(json_schema_extra={"examples": [{"count": 2, "isExact": True}]})
class UserTotals(TypedDict):
    count: int
    isExact: bool
