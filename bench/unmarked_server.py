"""Countinghouse without its marks: the same server, but purchases have no findings and claims no bank."""

from countinghouse.claims.queries import CLAIMS
from countinghouse.cli import app
from countinghouse.core.listing import Listing
from countinghouse.purchases.queries import PURCHASES


def leave_out(listing: Listing, mark: str) -> None:
    fields = listing.fields
    if mark not in fields(listing.table):
        raise LookupError(f"There is no {mark} to leave out.")
    # Nothing has been read yet, so nothing has been built from the fields.
    unmarked = lambda rows: {name: value for name, value in fields(rows).items() if name != mark}  # noqa: E731
    object.__setattr__(listing, "fields", unmarked)


if __name__ == "__main__":
    leave_out(CLAIMS, "bank")
    leave_out(PURCHASES, "findings")
    app()
