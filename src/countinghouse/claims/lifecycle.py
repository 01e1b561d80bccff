"""The allowed moves of a claim, as data. The database, the rules and the answers all read this one table."""

from typing import Literal, get_args

Status = Literal["Pending", "Accepted", "Paid"]
Target = Literal["Accepted", "Paid"]

STATUSES: tuple[Status, ...] = get_args(Status)
FIRST: Status = "Pending"

MOVES: dict[Status, tuple[Target, ...]] = {
    "Pending": ("Accepted",),
    "Accepted": ("Paid",),
    "Paid": (),
}


def sources_of(target: Target) -> tuple[Status, ...]:
    return tuple(status for status, targets in MOVES.items() if target in targets)
