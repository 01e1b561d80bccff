"""A list from its first row to its last, for streaming."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Result, text

from countinghouse.core.listing.finding import bound_ids, find_few
from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import ListQuery
from countinghouse.core.quick import ConnectionLook


def execute_whole(connection: Connection, listing: Listing, asked: ListQuery, *, as_items: bool) -> Result[Any]:
    """As JSON objects or as plain columns; the rows are fetched as they are asked for."""
    look = ConnectionLook(connection)
    ids = find_few(listing, look, asked)
    shape = replace(listing.shape(asked, ids), sort=asked.sort)
    if not look.is_sqlite and not shape.is_among and not shape.is_searching:
        # Walking an index gives the first row at once; PostgreSQL would rather sort a million rows before it.
        connection.execute(text("SET LOCAL enable_sort = off"))
    chosen = listing.select_whole_items(shape) if as_items else listing.select_whole(shape)
    values = listing.values(asked, bound_ids(look, ids))
    return connection.execution_options(stream_results=True).execute(chosen, values)
