"""Money: whole paise inside, rupees with at most two decimals outside."""

# A JSON number is read as a float almost everywhere, and a float keeps fifteen digits. The tables refuse more.
LARGEST_PAISE = 10**15 - 1


def rupees(paise: int) -> float:
    return paise / 100
