"""Tracks which audit log rows have been published, because rows can be committed in another order than numbered."""

from collections.abc import Iterable

# PostgreSQL numbers a row when it is inserted, but the row becomes visible when it is committed. A statement may take
# 60 seconds; a number that is still missing after that belongs to a rolled-back change and will never appear.
GAP_SECONDS = 70.0

# There are never this many uncommitted rows: a larger gap means that the sequence itself was changed.
MOST_GAPS = 10_000


class LogMark:
    """Every row up to `top` has been published, except those in gaps. No row up to `low` can still appear."""

    def __init__(self, low: int) -> None:
        self.top = low
        # When each gap was first seen. Numbers are added in rising order, so the first key is always the lowest.
        self._gaps: dict[int, float] = {}

    @property
    def low(self) -> int:
        return next(iter(self._gaps)) - 1 if self._gaps else self.top

    @property
    def gaps(self) -> list[int]:
        return list(self._gaps)

    def reach(self, numbers: Iterable[int], at: float) -> None:
        """`numbers` must be ascending and above `top`."""
        for number in numbers:
            missing = range(max(self.top + 1, number - MOST_GAPS), number)
            self._gaps.update(dict.fromkeys(missing, at))
            self.top = number

    def fill(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._gaps.pop(number, None)

    def give_up(self, at: float) -> None:
        """Forgets the gaps that have been open for too long."""
        self._gaps = {number: since for number, since in self._gaps.items() if at - since < GAP_SECONDS}
