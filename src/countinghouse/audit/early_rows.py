"""Rows of the log that were sealed before the row that their change was based on.

Release 0.1.0 read the late rows before the new ones, so that a change which was committed in between could be sealed
before an earlier one of the same record. The numbers of the rows still tell their order.
"""

from collections.abc import Callable
from typing import NamedTuple

from countinghouse.audit.chain import AuditRow

# How many rows later the missing row may be: 0.1.0 remembered 10,000 gaps, and sealed the rows that filled them in
# portions of 500, each with up to 500 new rows.
MOST_ROWS_BETWEEN = 20_000


class _Early(NamedTuple):
    taken_as: int
    row: AuditRow


class EarlyRows:
    """Gives each row to `learn`: at once if it `fits` what is known of its record, otherwise after the late row that it
    waits for, or when that has not come. Only a row with a lower number is learned before one that waits."""

    def __init__(self, fits: Callable[[AuditRow], bool], learn: Callable[[AuditRow], None]) -> None:
        self._fits = fits
        self._learn = learn
        self._taken = 0
        # By record, the oldest first.
        self._waiting: dict[tuple[str, str], list[_Early]] = {}

    def take(self, noun: str, row: AuditRow) -> None:
        self._taken += 1
        self._give_up(self._taken - MOST_ROWS_BETWEEN)
        record = (noun, str(row["subject_id"]))
        waiting = self._waiting.get(record, [])
        is_late = bool(waiting) and _number(row) < _number(waiting[0].row)
        if (waiting and not is_late) or not self._fits(row):
            self._waiting.setdefault(record, []).append(_Early(self._taken, row))
            return
        self._learn(row)
        while waiting and self._fits(waiting[0].row):
            self._learn(waiting.pop(0).row)
        if is_late and not waiting:
            del self._waiting[record]

    def take_no_more(self) -> None:
        """Nothing that could be missing comes any more."""
        self._give_up(self._taken)

    def _give_up(self, taken_as: int) -> None:
        """Learns those that were taken up to then, and what waits with them, in the order of their numbers."""
        while self._waiting:
            record = next(iter(self._waiting))
            if self._waiting[record][0].taken_as > taken_as:
                return
            for early in sorted(self._waiting.pop(record), key=lambda early: _number(early.row)):
                self._learn(early.row)


def _number(row: AuditRow) -> int:
    """An altered row may say anything."""
    number = row["seq"]
    return number if isinstance(number, int) else 0
