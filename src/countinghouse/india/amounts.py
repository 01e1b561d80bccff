"""Amounts of money in text: grouped by lakh and crore, and in words as on an Indian cheque."""

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_SMALL = _WORDS.split()
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
# Largest first. Larger numbers repeat the crore: "one lakh crore".
_SCALES = ((10**7, "crore"), (10**5, "lakh"), (10**3, "thousand"), (10**2, "hundred"))


def in_rupees(paise: int) -> str:
    """For sentences: ₹12,34,567.50, with Indian digit grouping; paise are left out if zero."""
    whole, rest = divmod(abs(paise), 100)
    left, grouped = str(whole)[:-3], str(whole)[-3:]
    while left:
        left, grouped = left[:-2], f"{left[-2:]},{grouped}"
    return f"{'-' if paise < 0 else ''}₹{grouped}{f'.{rest:02}' if rest else ''}"


def number_in_words(number: int) -> str:
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")
    size, name = next(scale for scale in _SCALES if number >= scale[0])
    many, rest = divmod(number, size)
    return f"{number_in_words(many)} {name}" + (f" {number_in_words(rest)}" if rest else "")


def rupees_in_words(paise: int) -> str:
    """Twelve lakh thirty-four thousand five hundred rupees and fifty paise."""
    rupees, rest = divmod(paise, 100)
    parts = []
    if rupees or not rest:
        parts.append(f"{number_in_words(rupees)} {'rupee' if rupees == 1 else 'rupees'}")
    if rest:
        parts.append(f"{number_in_words(rest)} {'paisa' if rest == 1 else 'paise'}")
    words = " and ".join(parts)
    return words[0].upper() + words[1:]
