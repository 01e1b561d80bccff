"""Short work by the driver itself: no statement is built anew, a read needs no transaction (docs/decisions/0007)."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from countinghouse.core.quick.guarded import Guarded, NewRow
from countinghouse.core.quick.look import AlreadyThere, Change, ConnectionLook, Look
from countinghouse.core.quick.statement import Plan, Statement
from countinghouse.core.quick.within import ConnectionChange

__all__ = [
    "AlreadyThere",
    "Change",
    "ConnectionChange",
    "ConnectionLook",
    "Guarded",
    "Look",
    "NewRow",
    "Plan",
    "Quick",
    "Statement",
]

T = TypeVar("T")


class Quick(Protocol):
    def start(self) -> None:
        """In the event loop that will read until `close`; what is read in others, or without this, just costs more."""
        ...

    async def read(self, work: Callable[[Look], T], *, may_take_long: bool = False) -> T: ...

    async def read_if(
        self,
        allowed: Callable[[Look], bool],
        work: Callable[[Look], T],
        *,
        is_likely: bool = False,
        may_take_long: bool = False,
    ) -> T | None:
        """What `work` finds, or None where `allowed` says no.

        Where a yes is likely, `work` may begin before it is said; at a no, what it found is thrown away.
        """
        ...

    async def change(self, work: Callable[[Change], T]) -> T:
        """What `work` writes by `guarded` is stored each time as a whole, and never done twice."""
        ...

    def close(self) -> None: ...
