"""Made-up purchases. A few have an unusual payment proof, so that there is something to find."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from countinghouse.core.db.bulk import Cells
from countinghouse.core.times import stored_text
from countinghouse.demo.clock import Timeline
from countinghouse.demo.qr_codes import COUNTERS
from countinghouse.india.days import indian_day
from countinghouse.purchases.findings import FindingCode

# The number of days that are claimed together, and how often at most in one claim.
CLAIM_TYPES = {"Daily": (1, 6), "Weekly": (7, 2), "Maturity": (30, 1)}
# Amounts in rupees, and how many purchases of a hundred have them.
_PLANS = {500: 14, 1_000: 20, 2_000: 18, 5_000: 18, 10_000: 14, 25_000: 9, 50_000: 5, 1_00_000: 2}
_REFERENCES_A_DAY = 1_000_000
# By the number of the purchase, repeated after this many.
_ODDITIES: dict[int, FindingCode] = {50: "repeated", 150: "near", 250: "other_day", 350: "not_on_display"}
_ODDITIES_REPEAT = 400


class Made(NamedTuple):
    """What the claims need of a purchase."""

    user: int
    claim_type: str
    income_paise: int


def upi_reference(at: datetime, number: int) -> str:
    """Twelve digits that contain their date in India: the year's last digit, the day of the year, then a number.

    The last two are check digits, so that no two references of a day look like typos of each other by chance.
    """
    day = indian_day(at)
    digits = f"{day.year % 10}{day:%j}{number:06d}"
    return f"{digits}{98 - int(digits) * 100 % 97:02d}"


def make_purchases(
    rng: Random, opened: datetime, timeline: Timeline, users: Timeline, made: list[Made]
) -> Iterator[Cells]:
    """Appends to `made`."""
    moments = timeline.moments
    numbers = rng.sample(range(_REFERENCES_A_DAY), min(len(moments), _REFERENCES_A_DAY))
    reference, rupees = "", 0
    for index in range(len(moments)):
        before, rupees_before = reference, rupees
        oddity = _ODDITIES.get(index % _ODDITIES_REPEAT)
        if oddity == "near":
            # Only two references of one day are compared.
            moments[index] = min(moments[index], moments[index - 1] + timedelta(seconds=40))
        at = moments[index]
        user = users.pick_recent(rng, at - timedelta(minutes=5))
        (claim_type,) = rng.choices(list(CLAIM_TYPES), (60, 30, 10))
        (rupees,) = rng.choices(list(_PLANS), list(_PLANS.values()))
        # 1 to 2 % a day, in steps of a thousandth of a percent, so that there are paise.
        income = rng.randint(1_000, 2_000)
        is_paid_to_hidden = oddity == "not_on_display"
        payable = [counter for counter in COUNTERS if counter.is_on_display(at - opened) != is_paid_to_hidden]
        reference = upi_reference(at, numbers[index % _REFERENCES_A_DAY])
        match oddity:
            case "repeated":
                # Grouped with spaces, as another app shows it.
                reference = f"{before[:4]} {before[4:8]} {before[8:]}"
            case "near":
                rupees = rupees_before
                reference = f"{before[:7]}{(int(before[7]) + rng.randint(1, 9)) % 10}{before[8:]}"
            case "other_day":
                reference = upi_reference(at - timedelta(days=9), numbers[index % _REFERENCES_A_DAY])
        made.append(Made(user, claim_type, rupees * income // 1_000))
        yield {
            "id": timeline.id_of(index),
            "created_at": stored_text(at),
            "user_id": users.id_of(user),
            "invest_paise": rupees * 100,
            "daily_income_paise": made[index].income_paise,
            "upi_id": reference,
            "claim_type": claim_type,
            "qr_name": rng.choice(payable).name,
            "reference_key": None if oddity else reference,
            # None for the unusual ones, which are checked after all are written.
            "findings": None if oddity else "",
        }
