"""Lists that stay fast at a million rows. One definition per noun serves its pages, its totals and its export."""

from countinghouse.core.listing.declarations import Order, Tallies
from countinghouse.core.listing.listing import Listing
from countinghouse.core.listing.query import AmountRange, Exactly, Filter, ListFilters, ListQuery
from countinghouse.core.listing.searching import Child, Parent

__all__ = [
    "AmountRange",
    "Child",
    "Exactly",
    "Filter",
    "ListFilters",
    "ListQuery",
    "Listing",
    "Order",
    "Parent",
    "Tallies",
]
