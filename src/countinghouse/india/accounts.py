"""Account numbers: when two are the same, and whether one is plausible.

Banks share no common format, so `account_note` reports only what no bank uses.
"""

from string import ascii_lowercase, ascii_uppercase

FEWEST_DIGITS, MOST_DIGITS = 9, 18

# Removed from the ends: all spaces, dashes, and the invisible characters that are pasted along.
AROUND = (
    "\t\n\r -\u00a0\u00ad\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d"
    "\u200e\u200f\u2010\u2011\u2012\u2013\u2014\u2015\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2066"
    "\u2067\u2068\u2069\u2212\u3000\ufeff\uff0d"
)
# Removed everywhere: those by which people separate groups of digits. SQLite can remove few in one expression.
WITHIN = "\t -\u00a0\u2007\u2009\u200b\u2011\u2013\u202f\u3000\uff0d"
_FIRST_WIDE, _FIRST_WIDE_SMALL, _LAST_WIDE = 0xFF10, 0xFF40, 0xFF5F
# ASCII letters become capitals. Wide digits, letters and the signs among them become those of ASCII.
FOLDED = {ord(small): capital for small, capital in zip(ascii_lowercase, ascii_uppercase, strict=True)} | {
    wide: chr(wide - (0xFEE0 if wide < _FIRST_WIDE_SMALL else 0xFF00)) for wide in range(_FIRST_WIDE, _LAST_WIDE + 1)
}
_KEYS = FOLDED | dict.fromkeys(map(ord, WITHIN))

_UPWARDS = "1234567890" * 3
_DOWNWARDS = _UPWARDS[::-1]


def account_key(written: str) -> str:
    """The form in which account numbers and bank codes are compared: in capitals, without spaces and dashes, with ASCII
    characters for wide ones. Zeros before a number count. `claims/same_account.py` is the same in SQL."""
    if written.isascii() and written.isalnum():
        return written.upper()
    return written.strip(AROUND).translate(_KEYS)


def account_note(account_no: str) -> str:
    """A sentence about what is unusual; empty if the number could be real."""
    if not account_no.strip():
        return "No account number is given."
    if not (account_no.isascii() and account_no.isdigit()):
        return "Account numbers have digits only."
    if not FEWEST_DIGITS <= len(account_no) <= MOST_DIGITS:
        return f"Account numbers have {FEWEST_DIGITS} to {MOST_DIGITS} digits; this one has {len(account_no)}."
    if len(set(account_no)) == 1:
        return "All its digits are the same."
    if account_no in _UPWARDS or account_no in _DOWNWARDS:
        return "Its digits are just a counting sequence."
    return ""
