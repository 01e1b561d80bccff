"""Made-up purchases."""

from array import array
from collections.abc import Iterator
from random import Random

from countinghouse.demo.clock import HOUR, MINUTE, spread, to_text
from countinghouse.demo.counters import Counters
from countinghouse.demo.numbers import REFERENCES_A_DAY, Ids, Shuffled, upi_reference
from countinghouse.demo.oddities import Oddities, Proof
from countinghouse.demo.people import People
from countinghouse.demo.writers import Cells

CLAIM_TYPES = ("Daily", "Weekly", "Maturity")
_CLAIM_TYPE_SHARES = (0.6, 0.9)

# Amounts in rupees, and how many purchases of a hundred have them.
_PLANS = {500: 14, 1_000: 20, 2_000: 18, 5_000: 18, 10_000: 14, 25_000: 9, 50_000: 5, 1_00_000: 2}
_HUNDRED_PLANS = tuple(rupees for rupees, often in _PLANS.items() for _ in range(often))


class Orders:
    """Remembers what the claims need of each purchase: its time, user, type and daily income."""

    def __init__(self, rng: Random, count: int, opened_ms: int, until_ms: int) -> None:
        self._rng = rng
        self._ids = Ids(rng)
        self._references = Shuffled(rng, REFERENCES_A_DAY)
        self._oddities = Oddities()
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
            income = rng.randint(1_000, 2_000)
            proof = self._make_proof(index, at_ms, invest_paise, counters)
            income_paise = proof.invest_paise * income // 100_000
            self.made_ms.append(at_ms)
            self.user.append(user)
            self.claim_type.append(claim_type)
            self.income_paise.append(income_paise)
            yield {
                "id": self.id_of(index),
                "created_at": to_text(at_ms),
                "user_id": people.id_of(user),
                "invest_paise": proof.invest_paise,
                "daily_income_paise": income_paise,
                "upi_id": proof.reference,
                "claim_type": CLAIM_TYPES[claim_type],
                "qr_name": proof.qr_name,
                "reference_key": None if proof.is_odd else proof.reference,
                # None for the unusual ones, which are checked after all are written.
                "findings": None if proof.is_odd else "",
            }

    def _make_proof(self, index: int, at_ms: int, invest_paise: int, counters: Counters) -> Proof:
        number = self._references.at(index)
        on_display = counters.on_display(at_ms)
        name = self._rng.choice(on_display)
        proof = Proof(at_ms, number, invest_paise, name, upi_reference(at_ms, number))
        return self._oddities.perhaps(proof, [other for other in counters.names if other not in on_display])


def pick_recent(rng: Random, known: int) -> int:
    """One of the first `known`; later ones are more likely."""
    return known - 1 - int(known * rng.random() ** 1.5)
