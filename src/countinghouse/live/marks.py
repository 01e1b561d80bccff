"""Which rows of the log have been told, when numbers are given out in one order and committed in another."""

from collections.abc import Iterable

# PostgreSQL numbers a row when it is written and shows it when it is committed. A statement may take sixty seconds; a
# number that has not come up by then belongs to a change that was undone, and never will.
GAP_SECONDS = 70.0

# More numbers than this are not in the making at once: the sequence itself was moved.
MOST_GAPS = 10_000


class LogMark:
    """Told is everything up to `top` that is in no gap; nothing up to `low` will ever come again."""

    def __init__(self, low: int) -> None:
        self.top = low
        # When each was first missed. Numbers only rise, so that the first one in is always the lowest.
        self._gaps: dict[int, float] = {}

    @property
    def low(self) -> int:
        return next(iter(self._gaps)) - 1 if self._gaps else self.top

    @property
    def gaps(self) -> list[int]:
        return list(self._gaps)

    def reach(self, numbers: Iterable[int], at: float) -> None:
        """`numbers` rise, and are above the top."""
        for number in numbers:
            missing = range(max(self.top + 1, number - MOST_GAPS), number)
            self._gaps.update(dict.fromkeys(missing, at))
            self.top = number

    def fill(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._gaps.pop(number, None)

    def give_up(self, at: float) -> None:
        """On the gaps that have been open for too long."""
        self._gaps = {number: since for number, since in self._gaps.items() if at - since < GAP_SECONDS}
