"""UPI addresses: their format, when two are the same, and when two only look the same."""

import re
import unicodedata

LONGEST_ADDRESS = 320
_ADDRESS = re.compile(r"[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9.-]{1,63}")

# A Latin letter, then those of other scripts that look like it, beyond what Unicode itself folds (wide, bold, circled).
_LOOKALIKE_GROUPS = (
    "a\u0430\u03b1\u0251 b\u042c\u0185\u0432 c\u0441\u03f2\u1d04 d\u0501\u0257 e\u0435\u0454\u04bd\u03b5"
    " g\u0261\u0581 h\u04bb\u0570 i\u0456\u0131\u0269\u03b9 j\u0458\u03f3 k\u043a\u03ba l\u04cf\u01c0 m\u043c\uff4d"
    " n\u0578\u057c\u03b7\u043f o\u043e\u03bf\u0585\u09e6\u0966\u0a66\u0d20 p\u0440\u03c1 q\u051b\u0563 r\u0433\u1d26"
    " s\u0455\ua731 t\u0442\u03c4 u\u03c5\u057d\u1d1c v\u03bd\u0475\u1d20 w\u051d\u0461\u1d21 x\u0445\u03c7"
    " y\u0443\u04af\u03b3 z\u1d22\u0290 -\u2010\u2011\u2012\u2013\u2014\u2212 .\u2024\u2027\u00b7"
)
_LOOKALIKES = {ord(other): group[0] for group in _LOOKALIKE_GROUPS.split() for other in group[1:]}
# Different characters that look similar on a screen; the longer ones come first.
_CLOSE_ON_SCREEN = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"))
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Combining marks, drawn on top of the letter before. They occur in words of Indian scripts, but never in an address.
_MARKS = ("Mn", "Me")


def is_address(text: str) -> bool:
    return _ADDRESS.fullmatch(text) is not None


def is_typable(text: str) -> bool:
    """Whether every character is on a plain keyboard, so that retyping the text proves that it was read."""
    return text.isascii() and text.isprintable() and text == text.strip()


def same_address(one: str, other: str) -> bool:
    """Case does not matter. A text with a non-ASCII letter never equals anything, however similar it looks."""
    return is_typable(one) and is_typable(other) and one.lower() == other.lower()


def look_alike(one: str, other: str) -> bool:
    """Different addresses that a person may easily confuse."""
    return not same_address(one, other) and _appearance(one) == _appearance(other)


def _appearance(text: str) -> str:
    # Twice, because Unicode folds some characters into letters that only look like Latin ones, and capitals into small
    # ones.
    folded = unicodedata.normalize("NFKD", text.lower().translate(_LOOKALIKES)).lower().translate(_LOOKALIKES)
    seen = "".join(character for character in folded if unicodedata.category(character) not in _INVISIBLE + _MARKS)
    for close, taken_for in _CLOSE_ON_SCREEN:
        seen = seen.replace(close, taken_for)
    return seen.replace(" ", "")


def shown(text: str) -> str:
    """For use in a sentence: makes invisible characters and those that reverse the text direction visible."""
    return "".join("\ufffd" if unicodedata.category(character) in _INVISIBLE else character for character in text)
