"""Account and mobile numbers for those who do not need them: the last four digits."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

_SHOWN = 4
# The shortest account numbers have nine digits.
_FEWEST_DIGITS = 9
# At least that many digits, also in groups.
_NUMBER = re.compile(rf"\d(?:[ -]?\d){{{_FEWEST_DIGITS - 1},}}")
_OTHERS = re.compile(r"\D+")
# A number that is known is found in any spelling: with brackets, dots, dashes or line breaks between its digits. Of
# other digits these would join dates, times and amounts. Nothing in it is a digit, so that a search stays linear.
_BETWEEN = r"[\W_]{0,6}"
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
    if len(digits) < 2 * _SHOWN:
        return text
    for number in chain.from_iterable(map(_ways_to_write, own)):
        if number in digits:
            # The same characters at the same places.
            plain = "".join(str(unicodedata.decimal(character, character)) for character in text)
            for found in reversed([*re.finditer(_BETWEEN.join(number), plain)]):
                text = text[: found.start()] + masked(number) + text[found.end() :]
    return text


def mask_numbers(text: str, own: Iterable[str] = ()) -> str:
    """What somebody wrote, with the numbers in it masked."""
    return _NUMBER.sub(lambda found: masked(found[0]), mask_own(text, own))


def may_be_number(q: str) -> bool:
    """Whether a search for this text may tell who has a number, or is for a derived id, which tells as much."""
    return len(_digits_of(q)) >= _FEWEST_DIGITS or _DERIVED_ID.search(q) is not None


def _digits_of(text: str) -> str:
    digits = _OTHERS.sub("", text)
    return digits if digits.isascii() else "".join(str(unicodedata.decimal(digit)) for digit in digits)


@lru_cache(1000)
def _ways_to_write(number: str) -> tuple[str, ...]:
    """Its digits; then those without the zeros or the country code before them, which are often left out."""
    digits = _digits_of(number)
    short = digits.lstrip("0")
    if len(short) == 12:
        short = short.removeprefix("91")
    return tuple(one for one in dict.fromkeys((digits, short)) if len(one) >= 2 * _SHOWN)


# The fields of the API that contain such a number, wherever they occur.
NUMBER_FIELDS = frozenset({"accountNo", "mobile"})
# The fields that may contain one: what a person wrote, and the id that the service has given to a row. That id may have
# any digits, so only the numbers of its row are masked in it.
TEXT_FIELDS: Mapping[str, Callable[[str, Sequence[str]], str]] = {
    "address": mask_numbers,
    "reason": mask_numbers,
    "text": mask_numbers,
    "checkedNote": mask_numbers,
    "externalId": mask_own,
}
MASKED_FIELDS = NUMBER_FIELDS | TEXT_FIELDS.keys()


def mask_fields(answer: Any) -> Any:
    """A copy of an answer in which these fields are masked."""
    return _mask_fields(answer, list(dict.fromkeys(_numbers_in(answer))))


def _numbers_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.items():
            if name not in NUMBER_FIELDS:
                yield from _numbers_in(part)
            elif isinstance(part, str):
                yield part
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _numbers_in(part)


def _mask_fields(value: Any, own: Sequence[str]) -> Any:
    if isinstance(value, dict):
        return {name: _mask_field(name, part, own) for name, part in value.items()}
    return [_mask_fields(part, own) for part in value] if isinstance(value, list | tuple) else value


def _mask_field(name: str, value: Any, own: Sequence[str]) -> Any:
    if not isinstance(value, str):
        return _mask_fields(value, own)
    if name in NUMBER_FIELDS:
        return masked(value)
    return TEXT_FIELDS[name](value, own) if name in TEXT_FIELDS else value


def mask_details(value: Any) -> Any:
    """A copy in which the numbers in every text are masked, for recorded details of any shape."""
    if isinstance(value, str):
        return mask_numbers(value)
    if isinstance(value, dict):
        return {name: mask_details(part) for name, part in value.items()}
    return [mask_details(part) for part in value] if isinstance(value, list) else value
