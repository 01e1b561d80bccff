"""Ids and numbers that look random, do not repeat, and are the same for the same seed."""

from functools import lru_cache
from hashlib import blake2b
from random import Random

from countinghouse.demo.clock import date_of, indian_day_of

_ID_COUNTER_LIMIT = 1 << 24

REFERENCES_A_DAY = 1_000_000


@lru_cache(maxsize=1_000)
def _date_digits(day: int) -> str:
    date = date_of(day)
    return f"{date.year % 10}{date.timetuple().tm_yday:03d}"


def upi_reference(at_ms: int, number: int) -> str:
    """Twelve digits that contain their date in India: the year's last digit, the day of the year, then a number.

    The last two are check digits, so that no two references of a day look like typos of each other by chance.
    """
    digits = f"{_date_digits(indian_day_of(at_ms))}{number:06d}"
    return f"{digits}{98 - int(digits) * 100 % 97:02d}"


class Ids:
    """The format of core.ids, but reproducible: an id depends on its time and its position in the table."""

    def __init__(self, rng: Random) -> None:
        self._mark = f"{rng.getrandbits(40):010x}"
        self._first = rng.randrange(_ID_COUNTER_LIMIT)

    def make(self, at_ms: int, index: int) -> str:
        return f"{at_ms // 1000:08x}{self._mark}{(self._first + index) % _ID_COUNTER_LIMIT:06x}"


class Shuffled:
    """Maps every index to a different number below `limit`, in no visible order, without storing any of them."""

    def __init__(self, rng: Random, limit: int) -> None:
        bits = (limit - 1).bit_length()
        self._limit = limit
        self._mask = (1 << bits) - 1
        self._half = bits // 2
        self._steps = [(rng.getrandbits(bits) | 1, rng.getrandbits(bits)) for _ in range(3)]

    def at(self, index: int) -> int:
        number = index
        while True:
            # Each step is reversible, so no two indexes collide. A number beyond the limit goes through the steps
            # again.
            for odd, more in self._steps:
                number = (number * odd + more) & self._mask
                number ^= number >> self._half
            if number < self._limit:
                return number


class Traits:
    """The properties of one person, computed from their index each time instead of being stored."""

    def __init__(self, key: bytes, index: int, variant: int = 0) -> None:
        seed = index.to_bytes(8, "big") + bytes((variant,))
        self._bits = int.from_bytes(blake2b(seed, key=key, digest_size=32).digest(), "big")

    def below(self, limit: int) -> int:
        self._bits, number = divmod(self._bits, limit)
        return number
