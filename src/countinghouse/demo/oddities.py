"""Gives a few made-up purchases unusual payment proofs, so that there is something to find."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from countinghouse.demo.clock import DAY, indian_day_of
from countinghouse.demo.numbers import upi_reference
from countinghouse.purchases.findings import FindingCode

_KINDS: tuple[FindingCode, ...] = ("repeated", "near", "other_day", "not_on_display")
# One purchase in this many is unusual, with the kinds taking turns.
_EVERY = 100


@dataclass(frozen=True, slots=True)
class Proof:
    at_ms: int
    number: int
    invest_paise: int
    qr_name: str
    reference: str
    is_odd: bool = False


class Oddities:
    """Remembers the previous purchase, because some are unusual only in relation to another."""

    def __init__(self) -> None:
        self._due: list[FindingCode] = []
        self._made = 0
        self._before: Proof | None = None

    def perhaps(self, proof: Proof, hidden: Sequence[str]) -> Proof:
        """`hidden` are the codes that are not on display at that time."""
        if self._made % _EVERY == _EVERY // 2:
            self._due.append(_KINDS[self._made // _EVERY % len(_KINDS)])
        self._made += 1
        made = self._make_odd(proof, hidden) if self._due else None
        if made is not None:
            del self._due[0]
        self._before = made or proof
        return self._before

    def _make_odd(self, proof: Proof, hidden: Sequence[str]) -> Proof | None:
        """None if this purchase does not suit the kind that is due."""
        odd, before = replace(proof, is_odd=True), self._before
        match self._due[0]:
            case "repeated" if before is not None:
                # Grouped with spaces, as another app shows it.
                pieces = (before.reference[start : start + 4] for start in range(0, 12, 4))
                return replace(odd, reference=" ".join(pieces))
            case "near" if before is not None and indian_day_of(before.at_ms) == indian_day_of(proof.at_ms):
                digit = (int(before.reference[7]) + 1 + proof.number % 9) % 10
                reference = f"{before.reference[:7]}{digit}{before.reference[8:]}"
                return replace(odd, reference=reference, invest_paise=before.invest_paise)
            case "other_day":
                return replace(odd, reference=upi_reference(proof.at_ms - 9 * DAY, proof.number))
            case "not_on_display" if hidden:
                return replace(odd, qr_name=hidden[proof.number % len(hidden)])
        return None
