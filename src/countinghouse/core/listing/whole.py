"""A list from its first row to its last, for streaming."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy import ColumnElement

from countinghouse.core.db import Chosen, Reader
from countinghouse.core.errors import InvalidInput
from countinghouse.core.inputs import invalid_from
from countinghouse.core.listing.declarations import Shape
from countinghouse.core.listing.finding import bound_ids, find_ids_if_few, leaves_too_many
from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.pages import is_wide
from countinghouse.core.listing.query import ListQuery

Q = TypeVar("Q", bound=ListQuery)


def read_whole_query(listing: Listing, query: type[Q], sent: dict[str, str], why: str, within: str = "") -> Q:
    """Parses filters and order as the list's own URL would. Paging is refused, with the reason `why`."""
    paging = [name for name in ("limit", "cursor", "skip") if name in sent]
    if paging:
        raise InvalidInput({f"{within}{name}": f"{name} is not allowed here: {why}" for name in paging})
    try:
        asked = query.model_validate(sent)
    except ValidationError as error:
        raise invalid_from(error) from error
    # Refuses an order that the list does not know.
    listing.order(asked.sort)
    return asked


async def choose_whole(
    reader: Reader, listing: Listing, asked: ListQuery, extra: Sequence[ColumnElement[Any]] = ()
) -> Chosen:
    """The rows as `listing.items` expects them, with the `extra` columns behind."""
    ids = await find_ids_if_few(listing, reader, asked)
    found = listing.shape(asked, ids)
    shape = replace(found, sort=asked.sort, is_wide=await is_wide(listing, reader, asked, found))
    values = listing.values(asked, bound_ids(ids, reader.is_sqlite))
    if asked.q is not None and shape.is_searching and not await leaves_too_many(listing, reader, asked):
        shape, more = listing.by_index(shape, asked.q, reader.is_sqlite)
        values |= more
    return Chosen(listing.select_whole(shape).add_columns(*extra), values, tuple(_settings(shape)))


def _settings(shape: Shape) -> Iterator[str]:
    # A long list joins the same parents again and again: caching them in memory halves the time.
    yield "enable_memoize = on"
    yield "work_mem = '32MB'"
    if shape.search_index is not None:
        # Forces lookups from the matches to their rows; PostgreSQL tends to read a million rows instead.
        yield "enable_hashjoin = off"
        yield "enable_mergejoin = off"
    elif not shape.is_among:
        # An index scan returns the first row at once; PostgreSQL tends to sort a million rows first.
        yield "enable_sort = off"
