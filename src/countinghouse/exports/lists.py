"""What can be exported: every list of the desk, with the rows and columns that its resource declares."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from countinghouse.core.db import Chosen, Cost, Reader
from countinghouse.core.errors import InvalidInput
from countinghouse.core.inputs import invalid_from
from countinghouse.core.listing import ListQuery
from countinghouse.core.listing.pages import cost_of_page, count_if_cheap
from countinghouse.core.listing.whole import choose_whole
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


async def choose_rows(reader: Reader, name: ListName, asked: ListQuery) -> Chosen:
    """The rows of the list, in its order."""
    return await choose_whole(reader, LISTED[name].listing, asked)


def cost_of_count(name: ListName, asked: ListQuery) -> Cost:
    return cost_of_page(LISTED[name].listing, asked)


async def count_rows(reader: Reader, name: ListName, asked: ListQuery) -> int | None:
    """How many there are, where that costs no more than a page."""
    return await count_if_cheap(LISTED[name].listing, reader, asked)
