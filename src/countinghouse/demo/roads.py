"""The paths of made-up claims: nearly all are accepted and paid, a few are held, rejected or returned by the bank."""

from random import Random
from typing import NamedTuple

from countinghouse.claims.lifecycle import Target


class Stage(NamedTuple):
    target: Target
    mean_days: float
    reason: str | None = None


_ACCEPTED = Stage("Accepted", 4.0)
_PAID = Stage("Paid", 2.5)

_HELD = (
    "The name on the account differs from the client's.",
    "The client asked us to wait for a new account.",
    "Two claims on one day; checking with the client.",
    "The bank's branch code is not known.",
)
_RELEASED = ("The client has answered; all is well.", "The bank has confirmed the account.", "Checked by phone.")
_REJECTED = ("Claimed twice by mistake.", "Withdrawn by the client.", "The account belongs to somebody else.")
_RETURNED = ("Account closed.", "The IFSC and the account do not belong together.", "The bank gave no reason.")

_SHARE_HELD = 0.04
_SHARE_HELD_AND_REJECTED = 0.2
_SHARE_REJECTED = 0.02
_SHARE_RETURNED = 0.02
_SHARE_PAID_AGAIN = 0.6


def choose_road(rng: Random) -> list[Stage]:
    """The complete path, if there is enough time."""
    draw = rng.random()
    if draw < _SHARE_REJECTED:
        return [Stage("Rejected", 3.0, rng.choice(_REJECTED))]
    road: list[Stage] = []
    if draw < _SHARE_REJECTED + _SHARE_HELD:
        road.append(Stage("On hold", 2.0, rng.choice(_HELD)))
        if rng.random() < _SHARE_HELD_AND_REJECTED:
            return [*road, Stage("Rejected", 5.0, rng.choice(_REJECTED))]
        road.append(Stage("Pending", 6.0, rng.choice(_RELEASED)))
    road += (_ACCEPTED, _PAID)
    if rng.random() < _SHARE_RETURNED:
        road.append(Stage("Returned", 3.0, rng.choice(_RETURNED)))
        if rng.random() < _SHARE_PAID_AGAIN:
            road += (_ACCEPTED, _PAID)
    return road
