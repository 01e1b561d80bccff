"""Short work by the driver itself: no statement is built anew, a read needs no transaction (docs/decisions/0007)."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from countinghouse.core.quick.guarded import Guarded, NewRow
from countinghouse.core.quick.look import AlreadyThere, Change, ConnectionLook, Look
from countinghouse.core.quick.statement import Plan, Statement

__all__ = ["AlreadyThere", "Change", "ConnectionLook", "Guarded", "Look", "NewRow", "Plan", "Quick", "Statement"]

T = TypeVar("T")


class Quick(Protocol):
    async def read(self, work: Callable[[Look], T], *, may_take_long: bool = False) -> T: ...

    async def change(self, work: Callable[[Change], T]) -> T:
        """What `work` writes by `guarded` is stored each time as a whole, and never done twice."""
        ...

    def close(self) -> None: ...
