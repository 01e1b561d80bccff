"""What became of the rows: counts by outcome, and every bad row in a CSV file."""

import csv
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from countinghouse.exports.csv_file import safe_text
from countinghouse.importing.converting import Problem

Outcome = Literal["created", "unchanged", "conflict", "invalid"]
OUTCOMES: tuple[Outcome, ...] = ("created", "unchanged", "conflict", "invalid")
BAD: tuple[Outcome, ...] = ("conflict", "invalid")

_HEADINGS = ("File", "Collection", "Place", "Outcome", "Field", "Value", "Reason")
# So many are shown on the screen; the file has all.
MOST_SHOWN = 100


@dataclass
class Report:
    """`path` is where bad rows are written; the file is created with the first of them."""

    path: Path
    outcomes: dict[str, Counter[Outcome]] = field(default_factory=dict)
    notes: int = 0
    first_bad: list[dict[str, Any]] = field(default_factory=list)
    _file: Any = None
    _csv: Any = None

    def add(
        self, noun: str, file: str, collection: str, place: str, outcome: Outcome, problems: Iterable[Problem]
    ) -> None:
        self.outcomes.setdefault(noun, Counter())[outcome] += 1
        for problem in problems:
            kind = "imported" if problem.severity == "note" else outcome
            self.notes += problem.severity == "note"
            self._write((file, collection, place, kind, problem.field, problem.value, problem.reason))

    def _write(self, cells: tuple[str, ...]) -> None:
        if self._csv is None:
            # It contains bank details: for the operator only.
            self.path.touch(mode=0o600)
            self._file = self.path.open("w", encoding="utf-8-sig", newline="")
            self._csv = csv.writer(self._file, lineterminator="\r\n")
            self._csv.writerow(_HEADINGS)
        self._csv.writerow([safe_text(cell) for cell in cells])
        if len(self.first_bad) < MOST_SHOWN:
            names = ("file", "collection", "place", "outcome", "field", "value", "reason")
            self.first_bad.append(dict(zip(names, cells, strict=True)))

    @property
    def bad_rows(self) -> int:
        return sum(counts[outcome] for counts in self.outcomes.values() for outcome in BAD)

    @property
    def has_file(self) -> bool:
        return self._csv is not None

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
