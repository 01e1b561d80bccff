"""Payment references of banks and payment apps: their normalised form, their kind, and the date that some contain.

UPI and IMPS: twelve digits, which are the last digit of the year, the day of the year and eight more digits. NEFT:
sixteen characters, which are bank and channel, then two digits of the year and the day of the year in either order,
then more digits. RTGS: twenty-two characters, which are bank, R and channel, then the full date, then more digits. Apps
have their own ids, which banks do not know.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations
from typing import Literal

Kind = Literal["UPI", "NEFT", "RTGS", "app", "other"]

LONGEST_KEY = 100

_SEPARATORS = re.compile(r"[\s\-\u2010-\u2015\u2212\u2043\u2796\ufe58\ufe63\uff0d]+")
# Field labels of an app that were pasted along with the twelve digits.
LABELS = re.compile(r"\A(?:UPI|UTR|RRN|IMPS|REFERENCE|REF|TRANSACTION|TXN|NUMBER|NO|ID)+(?=[0-9]{12}\Z)")
# Separators, punctuation, symbols, zero-width characters and enclosing marks. Other combining marks are kept: in many
# scripts they are the vowels.
_IGNORED_CATEGORIES = ("Z", "P", "S", "C", "Me")
_VARIATION_SELECTORS = range(0xFE00, 0xFE10)

UPI = re.compile(r"[0-9]{12}")
RTGS = re.compile(r"[A-Z]{4}R[0-9A-Z]([0-9]{8})[0-9]{8}")
NEFT = re.compile(r"(?:[A-Z]{4}[0-9A-Z](?=[0-9]{11}\Z)|N(?=[0-9]{15}\Z))([0-9]{5})[0-9]+")
_PHONEPE = re.compile(r"T([0-9]{6})[0-9]{15,16}")
_GOOGLE_PAY = re.compile(r"CICAG[0-9A-Z]{4,}")
_OTHER_APP = re.compile(r"(?=[0-9]*[A-Z])(?=[A-Z]*[0-9])[0-9A-Z]{8,40}|[0-9]{13,40}")

# A reference of a current payment does not contain a date further away than this: then the digits mean something else.
_MOST_YEARS_OFF = 5
# The payment is made before the record that it proves, and some clocks are not on Indian time.
MOST_DAYS_OFF = 1
# In shorter references, such as consecutive numbers, a difference of one digit means nothing.
FEWEST_DIGITS_COMPARED = 6
MOST_COMPARED = 100
DIGITS = frozenset("0123456789")


def without_separators(typed: str) -> str:
    """In upper case, with ASCII digits for those of any script, without spaces, dashes and invisible characters."""
    if typed.isascii() and typed.isalnum():
        return typed.upper()
    plain = unicodedata.normalize("NFKC", typed).upper()
    return _SEPARATORS.sub("", plain_word(plain))


def plain_word(word: str) -> str:
    """With ASCII digits for those of any script, and without invisible characters."""
    return "".join(_plain_digit(character) for character in word if _is_visible(character))


def reference_key(typed: str) -> str:
    """The normalised key: the same for the same payment, however the reference was copied."""
    key = without_separators(typed)
    if not (key.isascii() and key.isalnum()):
        key = unicodedata.normalize("NFKC", "".join(character for character in key if _is_significant(character)))
    return LABELS.sub("", key)[:LONGEST_KEY]


def _plain_digit(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    return character if digit is None else str(digit)


def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in ("Cf", "Cc", "Me") and ord(character) not in _VARIATION_SELECTORS


def _is_significant(character: str) -> bool:
    return not unicodedata.category(character).startswith(_IGNORED_CATEGORIES)


@dataclass(frozen=True, slots=True)
class Reference:
    kind: Kind
    day: date | None = None


def classify(key: str, around: date) -> Reference:
    """The year nearest to `around` is chosen if the reference is ambiguous."""
    if UPI.fullmatch(key):
        years = range(around.year - _MOST_YEARS_OFF, around.year + _MOST_YEARS_OFF + 1)
        found = _nearest([_day_of_year(year, key[1:4]) for year in years if year % 10 == int(key[0])], around)
        kind: Kind = "UPI"
    elif rtgs := RTGS.fullmatch(key):
        found = _nearest([_day(rtgs[1][:4], rtgs[1][4:6], rtgs[1][6:])], around)
        kind = "RTGS"
    elif neft := NEFT.fullmatch(key):
        year_first = _day_of_year(2000 + int(neft[1][:2]), neft[1][2:])
        day_first = _day_of_year(2000 + int(neft[1][3:]), neft[1][:3])
        found = _nearest([year_first, day_first], around)
        kind = "NEFT"
    elif phonepe := _PHONEPE.fullmatch(key):
        return Reference("app", _nearest([_day(f"20{phonepe[1][:2]}", phonepe[1][2:4], phonepe[1][4:])], around))
    else:
        return Reference("app" if _GOOGLE_PAY.fullmatch(key) or _OTHER_APP.fullmatch(key) else "other")
    return Reference(kind, found) if found else Reference("other")


def is_of_another_day(reference: Reference, day: date) -> bool:
    return reference.day is not None and abs((reference.day - day).days) > MOST_DAYS_OFF


def _day_of_year(year: int, number: str) -> date | None:
    """None if the year has no such day, such as day 366 of most years, or if the year is out of range."""
    try:
        day = date(year, 1, 1) + timedelta(days=int(number) - 1)
    except (ValueError, OverflowError):
        return None
    return day if day.year == year else None


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _nearest(days: list[date | None], around: date) -> date | None:
    possible = [day for day in days if day is not None and abs(day.year - around.year) <= _MOST_YEARS_OFF]
    return min(possible, key=lambda day: abs(day - around), default=None)


def one_slip_away(key: str) -> set[str]:
    """All keys with one digit changed or two digits swapped, as happens when a number is copied by hand."""
    places = [place for place, character in enumerate(key) if character in DIGITS]
    if len(places) < FEWEST_DIGITS_COMPARED:
        return set()
    slips = {key[:place] + digit + key[place + 1 :] for place in places for digit in "0123456789"}
    slips |= {
        key[:left] + key[right] + key[left + 1 : right] + key[left] + key[right + 1 :]
        for left, right in combinations(places, 2)
    }
    slips.discard(key)
    return slips


class KnownKeys:
    """Finds slips among these keys without listing all slips of each.

    Two keys that are one slip apart are equal in every second place, or have the same digits. Few pairs are.
    """

    def __init__(self) -> None:
        self._keys: set[str] = set()
        self._by_trait: dict[str | bytes, list[str]] = {}

    def add(self, key: str) -> None:
        if key in self._keys:
            return
        self._keys.add(key)
        for trait in _traits(key):
            self._by_trait.setdefault(trait, []).append(key)

    def one_slip_away(self, key: str) -> set[str]:
        alike = [self._by_trait.get(trait, []) for trait in _traits(key)]
        # More than there are slips: keys that somebody chose to be alike.
        if sum(map(len, alike)) > MOST_COMPARED:
            return one_slip_away(key) & self._keys
        return {other for keys in alike for other in keys if is_one_slip_away(key, other)}


def _traits(key: str) -> tuple[str, str, bytes]:
    # A changed digit is in an even or in an odd place; swapped digits stay the same when sorted.
    return "even" + key[::2], key[1::2], bytes(sorted(key.encode()))


def is_one_slip_away(key: str, other: str) -> bool:
    if key == other or len(key) != len(other):
        return False
    differing = [pair for pair in zip(key, other, strict=True) if pair[0] != pair[1]]
    if len(differing) > 2 or not all(character in DIGITS for pair in differing for character in pair):
        return False
    is_changed_or_swapped = len(differing) == 1 or differing[0] == differing[1][::-1]
    return is_changed_or_swapped and sum(character in DIGITS for character in key) >= FEWEST_DIGITS_COMPARED


def are_swapped(key: str, other: str) -> bool:
    """For two keys that are one slip apart: whether two digits were swapped."""
    return sum(one != another for one, another in zip(key, other, strict=True)) == 2
