"""Indian mobile numbers: ten digits that begin with 6, 7, 8 or 9, with the country prefix in any form."""

import re

_SEPARATORS = re.compile(r"[\s().-]+")
_MOBILE = re.compile(r"(?:\+91|0091|91|0)?([6-9][0-9]{9})", re.ASCII)


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
    halves = f"{plain[:5]} {plain[5:]}"
    others = (plain, f"+91{plain}", f"91{plain}", f"0{plain}", f"+91 {plain}", f"+91-{plain}", f"+91 {halves}", halves)
    return tuple(dict.fromkeys((written, *others)))
