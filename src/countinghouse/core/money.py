"""Money: stored as whole paise, shown as rupees with at most two decimals."""

# Almost every client reads a JSON number as a float, which keeps fifteen digits. The tables refuse larger amounts.
LARGEST_PAISE = 10**15 - 1


def rupees(paise: int) -> float:
    return paise / 100
