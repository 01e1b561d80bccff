"""Account and mobile numbers for those who do not need them: the last four digits, in whatever text they are.

Every text of an answer is masked, unless the type of its field says what else it holds: see `Holds`. The numbers that
an answer declares are found in its other texts in any spelling.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import Annotated


class Holds(Enum):
    """What a text holds, where its declaration says so. Any other text may hold numbers among its words."""

    # It is an account or mobile number.
    NUMBER = "number"
    # One word that may be all digits, such as a bank reference or an id of the service. Only the numbers of its own
    # record are masked in it; if it is several words, it is masked like any text.
    REFERENCE = "reference"
    # No number of a client, or one that was asked for and is logged.
    NOTHING = "nothing"


# For the fields of answers: `accountNo: WholeNumber`.
WholeNumber = Annotated[str, Holds.NUMBER]
Reference = Annotated[str, Holds.REFERENCE]
Plain = Annotated[str, Holds.NOTHING]

_SHOWN = 4
# The shortest account numbers have nine digits.
FEWEST_DIGITS = 9
# Those of a record itself may begin with a zero that is left out.
FEWEST_OWN_DIGITS = 2 * _SHOWN
# The ids and moments of the desk, which are in every row.
_IS_OURS = re.compile(r"[0-9a-f]{24}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z", re.ASCII)
# Digits that no number is calculated with, such as raised and circled ones; for a character class. All others are \d.
SIGNS = (
    "\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea"
    "\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\U00010a40-\U00010a43\U00010e60-\U00010e68"
    "\U00011052-\U0001105a\U0001f100-\U0001f10a"
)
_DIGIT = rf"[\d{SIGNS}]"
# Between groups of digits: two spaces, or a dash of any kind, and signs that nobody sees. A dot and the bracket of an
# area code only where no amount, date or address of a network has one.
_UNSEEN = r"[\u00ad\u200b-\u200f\u2060\ufeff]{0,2}"
_BETWEEN_GROUPS = (
    r"(?:[ \t\u00a0\u2000-\u200a\u202f\u3000]{1,2}|[_\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]"
    rf"|(?<={_DIGIT}{{4}})\.(?={_DIGIT}{{4}})|(?<=\({_DIGIT}{{5}})\) ?(?={_DIGIT}{{5}}))?"
)
_GROUPED = f"{_UNSEEN}{_BETWEEN_GROUPS}{_UNSEEN}"
# At least that many digits, also in groups. An id or a digest within a sentence is no number.
_NUMBER = re.compile(
    rf"\b(?=[0-9a-f]*[a-f])[0-9a-f]{{24,}}\b|(?P<number>{_DIGIT}(?:{_GROUPED}{_DIGIT}){{{FEWEST_DIGITS - 1},}})"
)
_OTHERS = re.compile(rf"[^\d{SIGNS}]+")
# A number that is known is found in any spelling: with brackets, dots, dashes or line breaks between its digits, and
# letters that look like a dash or like nothing. Of other digits these would join dates, times and amounts. Nothing in
# it is a digit, and nothing of it is given back, so that a search stays linear.
_BETWEEN = r"[\W_\u02b0-\u02ff\u115f\u1160\u3164\uffa0\u30fc\uff70]*+"
# Begins an id that was derived from a row's values. Who knows all of those but six digits can find these by trying, so
# no part of it is shown.
DERIVED = "row "
_DERIVED_ID = re.compile(rf"\b{DERIVED}[0-9a-f]{{32}}\b")


def masked(number: str) -> str:
    """A short number is hidden as a whole: its last digits would be nearly all of it."""
    return "••••" + (number[-_SHOWN:] if len(number) >= 2 * _SHOWN else "")


def mask_own(text: str, own: Iterable[str]) -> str:
    """A text with the numbers of its own row masked, in any spelling, and derived ids."""
    if DERIVED in text:
        text = _DERIVED_ID.sub(f"{DERIVED}••••", text)
    digits = _digits_of(text)
    if len(digits) < FEWEST_OWN_DIGITS:
        return text
    for number in chain.from_iterable(map(_ways_to_write, own)):
        if number in digits:
            # The same characters at the same places.
            for found in reversed([*re.finditer(_BETWEEN.join(number), _plain(text))]):
                text = text[: found.start()] + masked(number) + text[found.end() :]
    return text


def mask_numbers(text: str, own: Iterable[str] = (), kept: Sequence[str] = ()) -> str:
    """Any text, with the numbers in it masked. `kept` are references that the same answer shows."""
    if len(text) < 2 * _SHOWN or _IS_OURS.fullmatch(text):
        return text
    text = mask_own(text, own)
    if len(_OTHERS.sub("", text)) < FEWEST_DIGITS:
        return text
    spans = [span for reference in kept for span in _spans(reference, text)]

    def shown(found: re.Match[str]) -> str:
        is_kept = found["number"] is None or any(start <= found.start() and found.end() <= end for start, end in spans)
        return found[0] if is_kept else masked(found[0])

    return _NUMBER.sub(shown, text)


def _spans(word: str, text: str) -> Iterator[tuple[int, int]]:
    start = text.find(word)
    while start >= 0:
        yield start, start + len(word)
        start = text.find(word, start + len(word))


def mask_reference(text: str, own: Iterable[str]) -> str:
    return mask_own(text, own) if len(text.split()) == 1 else mask_numbers(text, own)


def may_be_number(q: str) -> bool:
    """Whether a search for this text may tell who has a number, or is for a derived id, which tells as much."""
    return len(_digits_of(q)) >= FEWEST_DIGITS or _DERIVED_ID.search(q) is not None


def _digits_of(text: str) -> str:
    return _plain(_OTHERS.sub("", text))


def _plain(text: str) -> str:
    """With digits from 0 to 9 for all others."""
    return text if text.isascii() else "".join(str(unicodedata.digit(character, character)) for character in text)


@lru_cache(1000)
def _ways_to_write(number: str) -> tuple[str, ...]:
    """Its digits; then those without the zeros or the country code before them, which are often left out."""
    digits = _digits_of(number)
    short = digits.lstrip("0")
    if len(short) == 12:
        short = short.removeprefix("91")
    return tuple(one for one in dict.fromkeys((digits, short)) if len(one) >= FEWEST_OWN_DIGITS)
