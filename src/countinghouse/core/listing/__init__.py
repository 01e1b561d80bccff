"""Lists that stay instant at a million rows: one definition a noun serves its pages, its totals and its export."""

from countinghouse.core.listing.filters import AMOUNTS, amount_between, created_between
from countinghouse.core.listing.listing import Child, Listing, Order, Parent, Tallies
from countinghouse.core.listing.query import AmountRange, Exactly, ListFilters, ListQuery

__all__ = [
    "AMOUNTS",
    "AmountRange",
    "Child",
    "Exactly",
    "ListFilters",
    "ListQuery",
    "Listing",
    "Order",
    "Parent",
    "Tallies",
    "amount_between",
    "created_between",
]
