"""Countinghouse without one of its parts: `python -m bench.server_without PART serve …`, otherwise the same server."""

import sys
from collections.abc import Callable

from countinghouse.admins import dependencies
from countinghouse.audit.sealer import Sealer
from countinghouse.claims.queries import CLAIMS
from countinghouse.cli import app
from countinghouse.core.listing import Listing
from countinghouse.purchases.queries import PURCHASES


def _leave_out(listing: Listing, name: str) -> None:
    fields = listing.fields
    if name not in fields(listing.table):
        raise LookupError(f"There is no {name} to leave out.")
    # Nothing has been read yet, so nothing has been built from the fields.
    fewer = lambda rows: {one: value for one, value in fields(rows).items() if one != name}  # noqa: E731
    object.__setattr__(listing, "fields", fewer)


def _replace(owner: object, name: str) -> None:
    """With a function that does nothing."""
    if not callable(getattr(owner, name)):
        raise LookupError(f"There is no {name} to leave out.")
    setattr(owner, name, lambda *_: None)


def _without_marks() -> None:
    _leave_out(CLAIMS, "bank")
    _leave_out(PURCHASES, "findings")


def _without_numbers() -> None:
    _leave_out(CLAIMS, "number")
    _leave_out(PURCHASES, "number")


WITHOUT: dict[str, Callable[[], None]] = {
    "nothing": lambda: None,
    "marks": _without_marks,
    "numbers": _without_numbers,
    "permissions": lambda: _replace(dependencies, "refuse_unless"),
    "sealing": lambda: _replace(Sealer, "start"),
    # A matter of settings.
    "metrics and logs": lambda: None,
}

if __name__ == "__main__":
    WITHOUT[sys.argv.pop(1)]()
    app()
