"""Money: whole paise inside, rupees with at most two decimals outside."""

# A JSON number is read as a float almost everywhere, and a float keeps fifteen digits. The tables refuse more.
LARGEST_PAISE = 10**15 - 1


def rupees(paise: int) -> float:
    return paise / 100


def in_rupees(paise: int) -> str:
    """For a sentence: ₹12,34,567.50, grouped by lakh; paise only where there are some."""
    whole, rest = divmod(abs(paise), 100)
    left, grouped = str(whole)[:-3], str(whole)[-3:]
    while left:
        left, grouped = left[:-2], f"{left[-2:]},{grouped}"
    return f"{'-' if paise < 0 else ''}₹{grouped}{f'.{rest:02}' if rest else ''}"
