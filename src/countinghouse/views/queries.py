"""Reading saved views."""

import unicodedata
from typing import TYPE_CHECKING, Any, Literal

from pydantic import with_config
from sqlalchemy import Row, bindparam, func, select
from typing_extensions import TypedDict

from countinghouse.core.db import Reader
from countinghouse.core.errors import NotFound
from countinghouse.core.ids import is_id
from countinghouse.resources import SCREENS_WITH_VIEWS
from countinghouse.views.tables import saved_views

# A type that the API's description spells out, made of what is declared. The type checker cannot read it.
if TYPE_CHECKING:
    Screen = str
else:
    Screen = Literal[SCREENS_WITH_VIEWS]


@with_config(
    json_schema_extra={
        "examples": [
            {
                "_id": "6917e2f4a1b2c3d4e5000005",
                "screen": "claims",
                "name": "Large and pending",
                "search": "status=Pending&minAmount=50000&sort=-amount",
            }
        ]
    }
)
class View(TypedDict):
    _id: str
    screen: Screen
    name: str
    search: str


def name_key(name: str) -> str:
    """The form in which names are compared: nobody would distinguish "Large" from "large"."""
    return unicodedata.normalize("NFKC", name).casefold()


_OF_SCREEN = (
    select(saved_views)
    .where(saved_views.c.admin_id == bindparam("of"), saved_views.c.screen == bindparam("on"))
    .order_by(saved_views.c.name_key)
)
_COUNT = (
    select(func.count())
    .select_from(saved_views)
    .where(saved_views.c.admin_id == bindparam("of"), saved_views.c.screen == bindparam("on"))
)
_ONE = select(saved_views).where(saved_views.c.id == bindparam("view_id"), saved_views.c.admin_id == bindparam("of"))
_LOCK_ONE = _ONE.with_for_update()


def to_view(row: Row[Any]) -> View:
    return {"_id": row.id, "screen": row.screen, "name": row.name, "search": row.search}


async def list_views(reader: Reader, admin_id: str, screen: Screen) -> list[View]:
    return [to_view(row) for row in await reader.rows(_OF_SCREEN, {"of": admin_id, "on": screen})]


async def count_views(reader: Reader, admin_id: str, screen: Screen) -> int:
    return int(await reader.scalar(_COUNT, {"of": admin_id, "on": screen}))


async def get_view(reader: Reader, admin_id: str, view_id: str, *, for_change: bool = False) -> Row[Any]:
    """A view of another admin is reported as not found."""
    statement = _LOCK_ONE if for_change else _ONE
    found = await reader.first(statement, {"view_id": view_id, "of": admin_id}) if is_id(view_id) else None
    if found is None:
        raise NotFound("view_not_found", "There is no such view. It may have been deleted.")
    return found
