"""Claims like another one, among many: of the same client and amount, made at about the same time or in flight to the
same account. Counted by bisection, because one client may have thousands of claims of the same amount."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from countinghouse.claims.facts import Account, ClaimsAlike
from countinghouse.claims.lifecycle import IN_FLIGHT, Status
from countinghouse.core.times import around

ALIKE_WITHIN = timedelta(days=3)


class Mate(NamedTuple):
    """A claim of the same client and amount. They are compared by time, then by id."""

    at: datetime
    id: str
    status: Status
    account: Account


class Mates:
    def __init__(self, claims: Iterable[Mate]) -> None:
        self._all = sorted(claims)
        self._in_flight: dict[tuple[str, str], list[Mate]] = {}
        for mate in self._all:
            if mate.status in IN_FLIGHT:
                self._in_flight.setdefault(mate.account.key, []).append(mate)

    def find_alike(self, claim_id: str, at: datetime, account: Account) -> ClaimsAlike | None:
        """`at` is when the claim was made, which is one of these."""
        first_at, last_at = around(at, ALIKE_WITHIN)
        low, high = _places(self._all, first_at, last_at)
        flying = self._in_flight.get(account.key, [])
        flying_low, flying_high = _places(flying, first_at, last_at)
        # The claim itself is always within its own days.
        count = high - low - 1 + len(flying) - (flying_high - flying_low)
        if count == 0:
            return None
        # The newest is the last one of one of these parts, or the one before it if that is the claim itself.
        newest = [*self._all[max(low, high - 2) : high], *flying[-1:], *flying[max(0, flying_low - 1) : flying_low]]
        found = max(mate for mate in newest if mate.id != claim_id)
        return ClaimsAlike(count, found.at, found.status)


def _places(mates: list[Mate], first_at: datetime, last_at: datetime) -> tuple[int, int]:
    return bisect_left(mates, first_at, key=_time_of), bisect_right(mates, last_at, key=_time_of)


def _time_of(mate: Mate) -> datetime:
    return mate.at
