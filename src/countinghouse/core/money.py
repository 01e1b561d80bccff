"""Money: stored as whole paise, shown as rupees with at most two decimals."""

# Almost every client reads a JSON number as a float, which keeps fifteen digits. The tables refuse larger amounts.
LARGEST_PAISE = 10**15 - 1


def rupees(paise: int) -> float:
    return paise / 100


def in_rupees(paise: int) -> str:
    """For sentences: ₹12,34,567.50, with Indian digit grouping; paise are left out if zero."""
    whole, rest = divmod(abs(paise), 100)
    left, grouped = str(whole)[:-3], str(whole)[-3:]
    while left:
        left, grouped = left[:-2], f"{left[-2:]},{grouped}"
    return f"{'-' if paise < 0 else ''}₹{grouped}{f'.{rest:02}' if rest else ''}"
