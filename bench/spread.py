"""Medians and quartiles: the result of a round-by-round comparison, and how certain it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles


@dataclass(frozen=True)
class Spread:
    low: float
    middle: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        if len(values) < 2:
            return cls(values[0], values[0], values[0])
        low, _, high = quantiles(values, n=4, method="inclusive")
        return cls(low, median(values), high)


def ratios_of(these: Sequence[float], to_those: Sequence[float]) -> list[float]:
    """Round by round: both sides of a pair were measured seconds apart, so a slow minute affects both."""
    return [this / that for this, that in zip(these, to_those, strict=True)]


def percentile(values: Sequence[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
