"""Made-up users."""

from array import array
from collections.abc import Iterator
from random import Random

from countinghouse.demo.clock import MINUTE, spread, to_text
from countinghouse.demo.names import make_name
from countinghouse.demo.numbers import Ids, Shuffled
from countinghouse.demo.writers import Cells

# Indian mobile numbers have ten digits and begin with 6, 7, 8 or 9.
_LOWEST_MOBILE = 6_000_000_000
_MOBILES = 4_000_000_000


class People:
    """Remembers when each user registered; everything else about them follows from their index."""

    def __init__(self, rng: Random, count: int, opened_ms: int, until_ms: int) -> None:
        self._rng = rng
        self._ids = Ids(rng)
        self._mobiles = Shuffled(rng, _MOBILES)
        self._moments = spread(rng, count, opened_ms + 30 * MINUTE, until_ms - 9 * MINUTE)
        self.came_ms = array("q")

    def id_of(self, index: int) -> str:
        return self._ids.make(self.came_ms[index], index)

    def rows(self) -> Iterator[Cells]:
        for index, at_ms in enumerate(self._moments):
            self.came_ms.append(at_ms)
            mobile = str(_LOWEST_MOBILE + self._mobiles.at(index))
            yield {
                "id": self.id_of(index),
                "created_at": to_text(at_ms),
                "username": make_name(self._rng, index),
                "mobile": mobile,
            }
