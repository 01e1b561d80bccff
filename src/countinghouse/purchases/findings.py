"""What is unusual about the transaction ID of a purchase, in sentences. They only inform; nothing is refused."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Literal, get_args

import msgspec
import structlog
from typing_extensions import TypedDict

from countinghouse.core.examples import Example, described
from countinghouse.india.amounts import in_rupees
from countinghouse.india.days import day_in_words, day_of, indian_day
from countinghouse.india.references import are_swapped, classify, is_of_another_day

log = structlog.get_logger()

# Their order is stored, in the bits of `checked_codes`: add new ones at the end.
FindingCode = Literal["repeated", "near", "other_day", "not_on_display"]
_BITS = {code: 1 << place for place, code in enumerate(get_args(FindingCode))}

# Others are counted up to this number. A transaction ID on more purchases is a word like NONE, or was noticed long ago:
# listing each new purchase on all the others would help nobody.
MOST_OTHERS = 10

# A customer who has the code open when it is hidden may still pay to it.
_GRACE = timedelta(minutes=30)


@described
class Finding(TypedDict):
    code: Annotated[FindingCode, Example("repeated")]
    sentence: Annotated[
        str, Example("This transaction ID is also on the purchase of Om Rao over ₹5,000, made on 3 Nov 2026.")
    ]


class _Findings(dict[str | None, list[Finding]]):
    """A cache from the stored text to its findings. The same few are read again and again, so they are parsed once."""

    MOST = 10_000

    def __missing__(self, stored: str | None) -> list[Finding]:
        if len(self) >= self.MOST:
            self.clear()
        findings = self[stored] = _decoded(stored) if stored else []
        return findings


def _decoded(stored: str) -> list[Finding]:
    try:
        return msgspec.json.decode(stored, type=list[Finding])
    except msgspec.MsgspecError:
        # Another program wrote it. One such row must not make a whole page unreadable.
        log.warning("findings_not_readable", stored=stored[:100])
        return []


FINDINGS = _Findings()


def bits_of(codes: Iterable[FindingCode]) -> int:
    """A set of codes as one number, which both databases can compare with another set."""
    return sum(_BITS[code] for code in set(codes))


def codes_in(stored_findings: str | None) -> list[FindingCode]:
    return [found["code"] for found in FINDINGS[stored_findings]]


def stored(findings: Sequence[Finding]) -> str:
    return msgspec.json.encode(findings).decode() if findings else ""


@dataclass(frozen=True, slots=True)
class Entry:
    """The fields of a purchase that its findings depend on."""

    id: str
    made_at: datetime
    client: str
    amount_paise: int
    key: str
    qr_name: str

    @property
    def day(self) -> date:
        return indian_day(self.made_at)


@dataclass(frozen=True, slots=True)
class Display:
    shown_at: datetime
    hidden_at: datetime | None


@dataclass(frozen=True, slots=True)
class Displays:
    """When codes were on display, by name. Purchases from before the first display are not judged by this."""

    first_at: datetime | None
    by_name: Mapping[str, Sequence[Display]]


def find_findings(
    entry: Entry, others: Sequence[Entry] | None, nearby: Sequence[Entry], displays: Displays
) -> list[Finding]:
    """`others` have the same key (None: very many); `nearby` have a key one typo away, and the same amount and day."""
    candidates: tuple[tuple[FindingCode, str | None], ...] = (
        ("repeated", _repeated(others)),
        ("near", _near(entry, nearby)),
        ("other_day", _other_day(entry)),
        ("not_on_display", _not_on_display(entry, displays)),
    )
    return [{"code": code, "sentence": sentence} for code, sentence in candidates if sentence is not None]


def _repeated(others: Sequence[Entry] | None) -> str | None:
    if others is None or len(others) >= MOST_OTHERS:
        return f"This transaction ID is on {MOST_OTHERS} or more other purchases."
    if not others:
        return None
    first = _first(others)
    owner = f"of {first.client} over {in_rupees(first.amount_paise)}"
    if len(others) == 1:
        return f"This transaction ID is also on the purchase {owner}, made on {day_of(first.made_at)}."
    return (
        f"This transaction ID is on {len(others)} other purchases; "
        f"the first, {owner}, was made on {day_of(first.made_at)}."
    )


def _near(entry: Entry, nearby: Sequence[Entry]) -> str | None:
    if not nearby:
        return None
    amount = in_rupees(entry.amount_paise)
    if len(nearby) >= MOST_OTHERS:
        return f"Nearly the same transaction ID is on {MOST_OTHERS} or more other {amount} purchases that day."
    first = _first(nearby)
    slip = "Two digits swapped from" if are_swapped(entry.key, first.key) else "One digit away from"
    more = f", and nearly the same as on {len(nearby) - 1} more" if len(nearby) > 1 else ""
    return f"{slip} {first.key}, {first.client}'s {amount} purchase that day{more}."


def _other_day(entry: Entry) -> str | None:
    reference = classify(entry.key, entry.day)
    if reference.day is None or not is_of_another_day(reference, entry.day):
        return None
    kind = "transaction ID" if reference.kind == "app" else f"{reference.kind} reference"
    return f"This {kind} is dated {day_in_words(reference.day)}; the purchase was made on {day_in_words(entry.day)}."


def _not_on_display(entry: Entry, displays: Displays) -> str | None:
    if displays.first_at is None or entry.made_at < displays.first_at or not entry.qr_name:
        return None
    shown = displays.by_name.get(entry.qr_name, ())
    if not shown:
        return f"No code named “{entry.qr_name}” has ever been on display."
    before = [display for display in shown if display.shown_at <= entry.made_at]
    if not before:
        first_at = min(display.shown_at for display in shown)
        return f"“{entry.qr_name}” was not on display yet: it was first displayed on {day_of(first_at)}."
    # Two codes may have had the same name, and one may have been hidden before the other.
    ends = [display.hidden_at for display in before if display.hidden_at is not None]
    if len(ends) < len(before) or entry.made_at <= (last := max(ends)) + _GRACE:
        return None
    return f"“{entry.qr_name}” was not on display any more: it was hidden on {day_of(last)}."


def _first(entries: Sequence[Entry]) -> Entry:
    return min(entries, key=lambda entry: (entry.made_at, entry.id))
