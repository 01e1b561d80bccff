"""Made-up purchases."""

from array import array
from collections.abc import Iterator
from datetime import datetime
from random import Random

from countinghouse.demo.clock import HOUR, IST, MINUTE, spread, to_text
from countinghouse.demo.counters import Counters
from countinghouse.demo.numbers import Ids, Shuffled
from countinghouse.demo.people import People
from countinghouse.demo.writers import Cells

PURCHASE_COLUMNS = (
    "id",
    "created_at",
    "user_id",
    "invest_paise",
    "daily_income_paise",
    "upi_id",
    "claim_type",
    "qr_name",
)

CLAIM_TYPES = ("Daily", "Weekly", "Maturity")
_CLAIM_TYPE_SHARES = (0.6, 0.9)

# Rupees, and how often of a hundred.
_PLANS = {500: 14, 1_000: 20, 2_000: 18, 5_000: 18, 10_000: 14, 25_000: 9, 50_000: 5, 1_00_000: 2}
_HUNDRED_PLANS = tuple(rupees for rupees, often in _PLANS.items() for _ in range(often))
_REFERENCES = 100_000_000


def upi_reference(at_ms: int, number: int) -> str:
    """Twelve digits that carry their date in India: the year's last digit, the day of the year, then a number."""
    day = datetime.fromtimestamp(at_ms / 1000, IST)
    return f"{day.year % 10}{day.timetuple().tm_yday:03d}{number:08d}"


class Orders:
    """Remembers of each purchase what its claims need: when, whose, which type, and the income of a day."""

    def __init__(self, rng: Random, count: int, opened_ms: int, until_ms: int) -> None:
        self._rng = rng
        self._ids = Ids(rng)
        self._references = Shuffled(rng, _REFERENCES)
        self._moments = spread(rng, count, opened_ms + 2 * HOUR, until_ms - 6 * MINUTE)
        self.made_ms = array("q")
        self.user = array("l")
        self.claim_type = array("b")
        self.income_paise = array("q")

    def id_of(self, index: int) -> str:
        return self._ids.make(self.made_ms[index], index)

    def rows(self, people: People, counters: Counters) -> Iterator[Cells]:
        rng, known = self._rng, 0
        for index, at_ms in enumerate(self._moments):
            while known < len(people.came_ms) and people.came_ms[known] <= at_ms - 5 * MINUTE:
                known += 1
            user = pick_recent(rng, known)
            share = rng.random()
            claim_type = sum(share >= edge for edge in _CLAIM_TYPE_SHARES)
            invest_paise = rng.choice(_HUNDRED_PLANS) * 100
            # 1 to 2 % a day, in steps of a thousandth of a percent, so that there are paise.
            income_paise = invest_paise * rng.randint(1_000, 2_000) // 100_000
            self.made_ms.append(at_ms)
            self.user.append(user)
            self.claim_type.append(claim_type)
            self.income_paise.append(income_paise)
            yield (
                self.id_of(index),
                to_text(at_ms),
                people.id_of(user),
                invest_paise,
                income_paise,
                upi_reference(at_ms, self._references.at(index)),
                CLAIM_TYPES[claim_type],
                rng.choice(counters.on_display(at_ms)),
            )


def pick_recent(rng: Random, known: int) -> int:
    """One of the first `known`, the later ones more often."""
    return known - 1 - int(known * rng.random() ** 1.5)
