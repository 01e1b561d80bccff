"""Plausibility of account numbers. Banks share no common format, so this reports only what no bank uses."""

FEWEST_DIGITS, MOST_DIGITS = 9, 18

_UPWARDS = "1234567890" * 3
_DOWNWARDS = _UPWARDS[::-1]


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
