"""What became of the rows: counts by outcome, and every bad row in a CSV file."""

import csv
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import with_config
from typing_extensions import TypedDict

from countinghouse.core.csv_text import safe_text
from countinghouse.importing.converting import Problem

Outcome = Literal["created", "unchanged", "conflict", "invalid"]
OUTCOMES: tuple[Outcome, ...] = ("created", "unchanged", "conflict", "invalid")
BAD: tuple[Outcome, ...] = ("conflict", "invalid")


@with_config(
    json_schema_extra={
        "examples": [
            {
                "file": "users.csv",
                "collection": "users",
                "place": "line 3",
                "outcome": "invalid",
                "field": "mobile",
                "value": "12",
                "reason": "mobile must have 10 digits.",
            }
        ]
    }
)
class BadRow(TypedDict):
    """`outcome` is `imported` for a remark about a row that is not bad."""

    file: str
    collection: str
    place: str
    outcome: Outcome | Literal["imported"]
    field: str
    value: str
    reason: str


_HEADINGS = ("File", "Collection", "Place", "Outcome", "Field", "Value", "Reason")
# So many are shown on the screen; the file has all, or says that there are more.
MOST_SHOWN = 100


_MORE = "There are more bad rows than this file holds. Correct these first."


@dataclass
class Report:
    """`path` is where bad rows are written; the file is created with the first of them."""

    path: Path
    # Where a stranger's file must not fill the disk.
    most_characters: int | None = None
    outcomes: dict[str, Counter[Outcome]] = field(default_factory=dict)
    notes: int = 0
    first_bad: list[BadRow] = field(default_factory=list)
    _file: Any = None
    _csv: Any = None
    _written: int = 0
    _is_full: bool = False

    def add(
        self, noun: str, file: str, collection: str, place: str, outcome: Outcome, problems: Iterable[Problem]
    ) -> None:
        self.outcomes.setdefault(noun, Counter())[outcome] += 1
        for problem in problems:
            kind: Outcome | Literal["imported"] = "imported" if problem.severity == "note" else outcome
            self.notes += problem.severity == "note"
            row = BadRow(
                file=file,
                collection=collection,
                place=place,
                outcome=kind,
                field=problem.field,
                value=problem.value,
                reason=problem.reason,
            )
            self._write(row)

    def _write(self, row: BadRow) -> None:
        if self._csv is None:
            # It contains bank details: for the operator only.
            self.path.touch(mode=0o600)
            self._file = self.path.open("w", encoding="utf-8-sig", newline="")
            self._csv = csv.writer(self._file, lineterminator="\r\n")
            self._csv.writerow(_HEADINGS)
        if not self._is_full:
            self._written += self._csv.writerow([safe_text(str(cell)) for cell in row.values()])
            if self.most_characters is not None and self._written > self.most_characters:
                self._is_full = True
                self._csv.writerow(["", "", "", "", "", "", _MORE])
        if len(self.first_bad) < MOST_SHOWN:
            self.first_bad.append(row)

    @property
    def bad_rows(self) -> int:
        return sum(counts[outcome] for counts in self.outcomes.values() for outcome in BAD)

    @property
    def good_rows(self) -> int:
        return sum(counts.total() for counts in self.outcomes.values()) - self.bad_rows

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
