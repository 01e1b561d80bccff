"""Account and mobile numbers for those who do not need them: the last four digits."""

import re
from collections.abc import Callable, Mapping
from typing import Any

_SHOWN = 4
# Nine digits or more, also in groups: the shortest account numbers have nine.
_NUMBER = re.compile(r"\d(?:[ -]?\d){8,}")


def masked(number: str) -> str:
    """A short number is hidden as a whole: its last digits would be nearly all of it."""
    return "••••" + (number[-_SHOWN:] if len(number) >= 2 * _SHOWN else "")


def mask_numbers(text: str) -> str:
    """What somebody wrote, with the numbers in it masked."""
    return _NUMBER.sub(lambda found: masked(found[0]), text)


# The fields of the API that contain such a number, or text that a person wrote, wherever they occur.
MASKS: Mapping[str, Callable[[str], str]] = {
    "accountNo": masked,
    "mobile": masked,
    "address": mask_numbers,
    "reason": mask_numbers,
    "text": mask_numbers,
    "checkedNote": mask_numbers,
}


def mask_fields(value: Any) -> Any:
    """A copy of an answer in which these fields are masked."""
    if isinstance(value, dict):
        return {
            name: MASKS[name](part) if name in MASKS and isinstance(part, str) else mask_fields(part)
            for name, part in value.items()
        }
    return [mask_fields(part) for part in value] if isinstance(value, list | tuple) else value


def mask_details(value: Any) -> Any:
    """A copy in which the numbers in every text are masked, for recorded details of any shape."""
    if isinstance(value, str):
        return mask_numbers(value)
    if isinstance(value, dict):
        return {name: mask_details(part) for name, part in value.items()}
    return [mask_details(part) for part in value] if isinstance(value, list) else value
