"""The reference of a payout as a bank or an app prints it: alone, or among the channel, names and remarks of a line.

`IMPS/P2A/412345678901/RAHUL`, `UPI-412345678901` and `0000412345678901` are the payout that others call 412345678901.
"""

import re
import unicodedata

from countinghouse.india.references import LABELS, NEFT, RTGS, UPI, plain_word

_BETWEEN = re.compile(r"[\s\-\u2010-\u2015\u2212\u2043\u2796\ufe58\ufe63\uff0d/\u2044\u2215.:*]+")
_CHANNELS = frozenset({"UPI", "IMPS", "MMT", "P2A", "P2M", "NEFT", "RTGS", "UTR", "RRN"})
# Beside these, twelve digits are an account number.
_OF_ACCOUNTS = frozenset({"NEFT", "RTGS"})
# Some statements have a column of sixteen digits.
_PADDING = re.compile(r"\A0000(?=[0-9]{12}\Z)")
# A day, an hour or an amount: no reference has a point or a colon between digits, or slashes and not one letter.
_MEASURED = re.compile(r"[0-9]\s*[.:]\s*[0-9]")


def references_in(typed: str) -> list[str]:
    """The reference in its one spelling. Empty if this is a day or an amount, several if it may be any of them."""
    written = unicodedata.normalize("NFKC", typed).upper()
    words = [word for part in _BETWEEN.split(written) if (word := plain_word(part))]
    joined = "".join(words)
    if _is_numbered(whole := _bare(joined)):
        return [whole]
    channels = _CHANNELS.intersection(words)
    bare = [_bare(word) for word in words]
    # More digits after a space may be the rest of a longer number.
    begins = bool(bare) and _is_numbered(bare[0]) and not any(word.isdecimal() for word in words[1:])
    if channels or begins:
        found = [word for word in bare if _is_numbered(word) and not (channels & _OF_ACCOUNTS and UPI.fullmatch(word))]
        if found:
            return list(dict.fromkeys(found))
    is_measured = _MEASURED.search(written) or (joined.isdecimal() and _has_slashes(written))
    return [] if is_measured and joined.isalnum() else [joined]


def _bare(word: str) -> str:
    return _PADDING.sub("", LABELS.sub("", word))


def _is_numbered(word: str) -> bool:
    """By a bank: a reference of UPI, IMPS, NEFT or RTGS."""
    return any(form.fullmatch(word) for form in (UPI, NEFT, RTGS))


def _has_slashes(written: str) -> bool:
    return any(character in written for character in "/\u2044\u2215*")
