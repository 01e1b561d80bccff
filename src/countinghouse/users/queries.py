"""Reading users."""

from typing import Any

from pydantic import with_config
from sqlalchemy import Row, Select, select, type_coerce
from typing_extensions import TypedDict

from countinghouse.core.listing import Listing
from countinghouse.core.times import MomentText
from countinghouse.users.tables import users


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


def select_users() -> Select[Any]:
    return select(
        users.c.id,
        type_coerce(users.c.created_at, MomentText).label("created_at"),
        users.c.username,
        users.c.mobile,
    )


USERS = Listing(
    select_users(),
    id=users.c.id,
    created_at=users.c.created_at,
    sorts={"createdAt": users.c.created_at, "username": users.c.username, "mobile": users.c.mobile},
    searched=(users.c.username, users.c.mobile),
)


def to_user(row: Row[Any]) -> User:
    return {"_id": row.id, "createdAt": row.created_at, "username": row.username, "mobile": row.mobile}
