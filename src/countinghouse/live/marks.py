"""Tracks which audit log rows have been published, because rows can be committed in another order than numbered.

A number that is missing is a gap until the row appears, or until the transactions that may have it have ended.
"""

from collections.abc import Iterable

# There are never this many uncommitted rows: a larger gap means that the sequence itself was changed.
MOST_GAPS = 10_000


class LogMark:
    """Every row up to `top` has been published, except those in gaps. No row up to `low` can still appear."""

    def __init__(self, low: int) -> None:
        self.top = low
        # In rising order, as keys, because each is removed by its number.
        self._gaps: dict[int, None] = {}

    @property
    def low(self) -> int:
        return next(iter(self._gaps)) - 1 if self._gaps else self.top

    @property
    def gaps(self) -> list[int]:
        return list(self._gaps)

    def reach(self, numbers: Iterable[int]) -> None:
        """`numbers` must be ascending and above `top`."""
        for number in numbers:
            missing = range(max(self.top + 1, number - MOST_GAPS), number)
            self._gaps.update(dict.fromkeys(missing))
            self.top = number

    def close(self, numbers: Iterable[int]) -> None:
        """Forgets gaps: their rows are published, or will never appear."""
        for number in numbers:
            self._gaps.pop(number, None)
