"""Indian mobile numbers: ten digits that begin with 6, 7, 8 or 9, with the country prefix in any form."""

import re

_SEPARATORS = re.compile(r"[\s().-]+")
_MOBILE = re.compile(r"(?:\+91|0091|91|0)?([6-9][0-9]{9})", re.ASCII)
# What stands before the ten digits in the usual spellings.
_STARTS = ("", "(+91)", "(+91) ", *(f"{code}{join}" for code in ("+91", "91", "0091", "0") for join in ("", " ", "-")))


def plain_mobile(written: str) -> str | None:
    """The ten digits, or None if it is not an Indian mobile number."""
    found = _MOBILE.fullmatch(_SEPARATORS.sub("", written))
    return found and found[1]


def mobile_note(written: str) -> str:
    """A sentence about what is unusual; empty if the number could be real."""
    if plain_mobile(written) is not None:
        return ""
    return "Not an Indian mobile number: those have 10 digits and begin with 6, 7, 8 or 9."


def mobile_spellings(written: str) -> tuple[str, ...]:
    """The usual ways to write the same number, first as it was written."""
    plain = plain_mobile(written)
    if plain is None:
        return (written,)
    bodies = (plain, f"{plain[:5]} {plain[5:]}", f"{plain[:5]}-{plain[5:]}")
    return tuple(dict.fromkeys((written, *(start + body for start in _STARTS for body in bodies))))
