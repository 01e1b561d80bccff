"""Reading saved views."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from sqlalchemy import Row, bindparam, select
from typing_extensions import TypedDict

from countinghouse.admins.queries import get_own
from countinghouse.core.db import Reader
from countinghouse.core.errors import NotFound
from countinghouse.core.examples import Example, described
from countinghouse.resources import SCREENS_WITH_VIEWS
from countinghouse.views.tables import saved_views

# A type that the API's description spells out, made of what is declared. The type checker cannot read it.
if TYPE_CHECKING:
    Screen = str
else:
    Screen = Literal[SCREENS_WITH_VIEWS]


@described
class View(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000005")]
    screen: Annotated[Screen, Example("claims")]
    name: Annotated[str, Example("Large and pending")]
    search: Annotated[str, Example("status=Pending&minAmount=50000&sort=-amount")]


_OF_SCREEN = (
    select(saved_views)
    .where(saved_views.c.admin_id == bindparam("of"), saved_views.c.screen == bindparam("on"))
    .order_by(saved_views.c.name_key)
)


def to_view(row: Row[Any]) -> View:
    return {"_id": row.id, "screen": row.screen, "name": row.name, "search": row.search}


async def list_views(reader: Reader, admin_id: str, screen: Screen) -> list[View]:
    return [to_view(row) for row in await reader.rows(_OF_SCREEN, {"of": admin_id, "on": screen})]


async def get_view(reader: Reader, admin_id: str, view_id: str, *, for_change: bool = False) -> Row[Any]:
    missing = NotFound("view_not_found", "There is no such view. It may have been deleted.")
    return await get_own(reader, saved_views, admin_id, view_id, missing, for_change=for_change)
