"""What can be exported: every list of the desk, with the rows and columns that its resource declares."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError
from sqlalchemy import Connection, Result

from countinghouse.core.errors import InvalidInput
from countinghouse.core.inputs import invalid_from
from countinghouse.core.listing import ListQuery
from countinghouse.core.listing.pages import count_if_cheap
from countinghouse.core.listing.whole import execute_whole
from countinghouse.core.quick import ConnectionReader
from countinghouse.resources import LISTED

# A type that the API's description spells out, made of what is declared. The type checker cannot read it.
if TYPE_CHECKING:
    ListName = str
else:
    ListName = Literal[tuple(LISTED)]

# Paging parameters are refused: an export contains all matching rows.
_PAGING_FIELDS = ("limit", "cursor", "skip")


def read_query(name: ListName, sent: Mapping[str, str]) -> ListQuery:
    """Parses the query as the list's own URL would."""
    out_of_place = {
        field: f"{field} is not allowed here: an export contains all rows that match." for field in _PAGING_FIELDS
    }
    if refused := {field: message for field, message in out_of_place.items() if field in sent}:
        raise InvalidInput(refused)
    try:
        asked = LISTED[name].query.model_validate(dict(sent))
    except ValidationError as error:
        raise invalid_from(error) from error
    # Refuses an order that the list does not know.
    LISTED[name].listing.order(asked.sort)
    return asked


def execute_rows(connection: Connection, name: ListName, asked: ListQuery) -> Result[Any]:
    """The rows of the list, in its order."""
    return execute_whole(connection, LISTED[name].listing, asked)


def count_rows(connection: Connection, name: ListName, asked: ListQuery) -> int | None:
    """How many there are, where that costs no more than a page."""
    return count_if_cheap(LISTED[name].listing, ConnectionReader(connection), asked)
