"""Lists that stay fast at a million rows. One definition per noun serves its pages, its totals and its export."""

from countinghouse.core.listing.filters import AMOUNTS, amount_between, created_between
from countinghouse.core.listing.listing import Listing, Order, Tallies
from countinghouse.core.listing.query import AmountRange, Exactly, ListFilters, ListQuery
from countinghouse.core.listing.searching import Child, Parent

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
