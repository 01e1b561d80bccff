"""Made-up claims, and how far each has been processed."""

from array import array
from collections.abc import Iterator
from random import Random

from countinghouse.audit.actions import Actor
from countinghouse.claims.lifecycle import FIRST, Status, round_after
from countinghouse.demo.clock import DAY, HOUR, MINUTE, in_desk_hours, spread, to_text
from countinghouse.demo.history import History, Step
from countinghouse.demo.numbers import Ids, Shuffled, Traits
from countinghouse.demo.orders import CLAIM_TYPES, Orders, pick_recent
from countinghouse.demo.people import People
from countinghouse.demo.places import make_account, make_address
from countinghouse.demo.roads import choose_road
from countinghouse.demo.writers import Cells

# Claims start when there is income to claim.
_FIRST_CLAIM = 8 * DAY + 2 * HOUR
_SHARE_LEFT_WAITING = 0.02
_SHARE_TO_SECOND_ACCOUNT = 0.04
_SHARE_WITH_REFERENCE = 0.6
_BANKS = ("HDFC", "SBIN", "ICIC", "UTIB", "PUNB")
_MOST_PAYOUTS = 10**8
_TRIES = 16


class Withdrawals:
    def __init__(self, rng: Random, count: int, opened_ms: int, until_ms: int) -> None:
        self._rng = rng
        self._ids = Ids(rng)
        self._key = rng.randbytes(16)
        self._until_ms = until_ms
        self._moments = spread(rng, count, opened_ms + _FIRST_CLAIM, until_ms - 3 * MINUTE)
        self._payouts = Shuffled(rng, _MOST_PAYOUTS)
        self._claimed_days = array("l")
        self.reached_ms = opened_ms

    def rows(self, people: People, orders: Orders, history: History, admins: tuple[Actor, ...]) -> Iterator[Cells]:
        rng, ripe = self._rng, 0
        self._claimed_days.extend(0 for _ in orders.made_ms)
        for index, at_ms in enumerate(self._moments):
            while ripe < len(orders.made_ms) and orders.made_ms[ripe] <= at_ms - DAY:
                ripe += 1
            order, days = self._pick(orders, ripe, at_ms)
            self._claimed_days[order] += days
            user = orders.user[order]
            second = int(rng.random() < _SHARE_TO_SECOND_ACCOUNT)
            account_no, ifsc = make_account(Traits(self._key, user, 1 + second), user)
            claim_id = self._ids.make(at_ms, index)
            self.reached_ms = at_ms
            status, version, payout_round, moved_at = self._work_on(claim_id, index, at_ms, history, admins)
            yield {
                "id": claim_id,
                "created_at": to_text(at_ms),
                "user_id": people.id_of(user),
                "purchase_id": orders.id_of(order),
                "amount_paise": orders.income_paise[order] * days,
                "account_no": account_no,
                "ifsc": ifsc,
                "address": make_address(Traits(self._key, user)),
                "status": status,
                "version": version,
                "payout_round": payout_round,
                "moved_at": moved_at,
            }

    def _pick(self, orders: Orders, ripe: int, at_ms: int) -> tuple[int, int]:
        """A purchase with unclaimed income, and the number of days that are claimed."""
        for _ in range(_TRIES):
            order = pick_recent(self._rng, ripe)
            unclaimed = (at_ms - orders.made_ms[order]) // DAY - self._claimed_days[order]
            match CLAIM_TYPES[orders.claim_type[order]]:
                case "Daily" if unclaimed >= 1:
                    return order, self._rng.randint(1, min(unclaimed, 6))
                case "Weekly" if unclaimed >= 7:
                    return order, 7 * self._rng.randint(1, min(unclaimed // 7, 2))
                case "Maturity" if unclaimed >= 30:
                    return order, 30
        # More claims were requested than the purchases have income for.
        return order, 1

    def _work_on(
        self, claim_id: str, index: int, at_ms: int, history: History, admins: tuple[Actor, ...]
    ) -> tuple[Status, int, int, str | None]:
        """Logs the moves before the end of the demo, and returns the status after the last one."""
        rng = self._rng
        status, version, payout_round, moved_at = FIRST, 0, 0, None
        for target, mean_days, reason in choose_road(rng):
            wait_ms = 20 * MINUTE + int(rng.expovariate(1 / mean_days) * DAY)
            at_ms = in_desk_hours(rng, at_ms + wait_ms)
            if at_ms > self._until_ms - MINUTE or rng.random() < _SHARE_LEFT_WAITING:
                break
            version += 1
            payout_round = round_after(target, payout_round)
            reference = self._reference(rng, at_ms, index, payout_round) if target == "Paid" else None
            step = Step(status, target, version, payout_round, reason, reference)
            history.tell_move(at_ms, rng.choice(admins), claim_id, step)
            status, moved_at = target, to_text(at_ms)
        return status, version, payout_round, moved_at

    def _reference(self, rng: Random, at_ms: int, index: int, payout_round: int) -> str | None:
        """The format that banks use: letters of the bank, the day, and a number that does not repeat."""
        if rng.random() >= _SHARE_WITH_REFERENCE:
            return None
        return f"{rng.choice(_BANKS)}N{to_text(at_ms)[2:10].replace('-', '')}{payout_round}{self._payouts.at(index):08}"
