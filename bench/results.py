"""What one run has measured, as the report reads it."""

from dataclasses import dataclass, field

from bench.comparison import Comparison
from bench.flatness import Flatness
from bench.million import MillionRows
from bench.parts import Parts
from bench.whole_list import ListComparison
from bench.workers import Workers


@dataclass(frozen=True)
class Chapter:
    """Measured and written elsewhere."""

    lines: list[str]


Found = Comparison | Flatness | Parts | Workers | list[MillionRows] | Chapter


@dataclass
class Results:
    comparisons: dict[str, Comparison] = field(default_factory=dict)
    whole_list: ListComparison | None = None
    flatness: Flatness | None = None
    parts: Parts | None = None
    workers: Workers | None = None
    million: list[MillionRows] = field(default_factory=list)
    chapters: list[Chapter] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)

    def add(self, key: str, found: Found) -> None:
        match found:
            case Comparison():
                self.comparisons[key] = found
                if isinstance(found, ListComparison):
                    self.whole_list = found
            case Flatness():
                self.flatness = found
            case Parts():
                self.parts = found
            case Workers():
                self.workers = found
            case Chapter():
                self.chapters.append(found)
            case _:
                self.million = found
