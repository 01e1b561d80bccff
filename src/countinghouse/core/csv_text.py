"""Text in a CSV file that no spreadsheet takes for a formula, a number or a date."""

import re
import unicodedata

# The longest text that Excel accepts inside a formula.
_LONGEST_QUOTED = 255
_DIGITS = re.compile(r"[0-9]+")
# Text that a spreadsheet would convert to a date, a time or another number: 1-2, 12E4, 1,5.
_LOOKS_LIKE_A_NUMBER = re.compile(r"(?=.*[eE.,:/+-])[0-9][0-9eE.,:/+ -]*")
_BEGINS_A_FORMULA = frozenset("=+-@")
_INVISIBLE = ("Cc", "Cf", "Zs", "Zl", "Zp")


def safe_text(text: str) -> str:
    if _DIGITS.fullmatch(text):
        # Only digits can be between these quotes, so the formula always evaluates to the same text.
        return f'="{text}"' if len(text) <= _LONGEST_QUOTED else f"'{text}"
    if _begins_a_formula(text) or _LOOKS_LIKE_A_NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _begins_a_formula(text: str) -> bool:
    if text[:1].isalpha():
        return False
    if text[:1] in ("\t", "\r", "\n"):
        return True
    first = next((character for character in text if unicodedata.category(character) not in _INVISIBLE), "")
    # Some spreadsheets treat full-width and small forms of these characters like the plain ones.
    return unicodedata.normalize("NFKC", first)[:1] in _BEGINS_A_FORMULA
