"""Counts and sums of the matching rows, per group if the list has one: from the tallies if possible, else counted."""

from countinghouse.core.db import Reader
from countinghouse.core.listing.counting import count
from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import ListFilters
from countinghouse.core.listing.tallied import Total, is_tallied, read_tallied


async def read_totals(
    listing: Listing, reader: Reader, asked: ListFilters, groups: tuple[str, ...], exact: bool
) -> dict[str, Total]:
    """One total for each group, even if the query asks for one group: a screen shows all of them side by side."""
    nothing = Total(0, (0,) * len(listing.tallies.sums))
    found = (
        await read_tallied(listing, reader, asked)
        if is_tallied(listing, asked)
        else await count(listing, reader, asked, groups, exact)
    )
    return {group: found.get(group, nothing) for group in groups}
