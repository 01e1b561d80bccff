"""Made-up claims: nearly all are accepted and paid, a few are held, rejected or returned by the bank."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import Table

from countinghouse.audit.actions import Actor
from countinghouse.claims.lifecycle import FIRST, Status, Target, round_after
from countinghouse.claims.proof import PAYOUT_STEPS, payout_details
from countinghouse.claims.resource import ClaimVerb
from countinghouse.claims.tables import claim_transitions, payout_references
from countinghouse.core.db.bulk import Cells
from countinghouse.core.times import stored_text, to_milliseconds
from countinghouse.demo.clock import Timeline, in_desk_hours, make_id
from countinghouse.demo.history import History
from countinghouse.demo.people import make_account, make_address
from countinghouse.demo.purchases import CLAIM_TYPES, Made

_SHARE_LEFT_WAITING = 0.02
_SHARE_TO_SECOND_ACCOUNT = 0.04
_SHARE_WITH_REFERENCE = 0.6
_BANKS = ("HDFC", "SBIN", "ICIC", "UTIB", "PUNB")


class _Stage(NamedTuple):
    target: Target
    mean_days: float
    reasons: tuple[str, ...] = ()


_ACCEPTED = _Stage("Accepted", 4.0)
_PAID = _Stage("Paid", 2.5)
_HELD = _Stage(
    "On hold",
    2.0,
    ("The name on the account differs from the client's.", "The client asked us to wait for a new account."),
)
_RELEASED = _Stage("Pending", 6.0, ("The client has answered; all is well.", "The bank has confirmed the account."))
_REJECTED = _Stage("Rejected", 4.0, ("Claimed twice by mistake.", "The account belongs to somebody else."))
_RETURNED = _Stage("Returned", 3.0, ("Account closed.", "The IFSC and the account do not belong together."))
# The complete paths, if there is enough time, and how many claims of a thousand take them.
_ROADS = {
    (_ACCEPTED, _PAID): 922,
    (_REJECTED,): 20,
    (_HELD, _REJECTED): 8,
    (_HELD, _RELEASED, _ACCEPTED, _PAID): 30,
    (_ACCEPTED, _PAID, _RETURNED): 8,
    (_ACCEPTED, _PAID, _RETURNED, _ACCEPTED, _PAID): 12,
}


@dataclass
class Claims:
    rng: Random
    timeline: Timeline
    users: Timeline
    purchases: Timeline
    made: list[Made]
    history: History
    admins: tuple[Actor, ...]
    until: datetime

    def rows(self) -> Iterator[Cells]:
        mark = self.rng.getrandbits(40)
        payouts = self.rng.sample(range(10**8), len(self.timeline.moments))
        claimed_days = [0] * len(self.made)
        for index, at in enumerate(self.timeline.moments):
            purchase, days = self._pick(claimed_days, at)
            claimed_days[purchase] += days
            user, _, income_paise = self.made[purchase]
            # Of a client only the number is kept; the same number gives the same address and accounts each time.
            is_second = self.rng.random() < _SHARE_TO_SECOND_ACCOUNT
            account_no, ifsc = make_account(Random(f"{mark} {user} {is_second}"), user)  # noqa: S311 - made up
            claim_id, amount_paise = self.timeline.id_of(index), income_paise * days
            user_id, address = self.users.id_of(user), make_address(Random(f"{mark} {user}"))  # noqa: S311 - made up
            details = payout_details(user_id, address, account_no, ifsc, amount_paise)
            yield {
                "id": claim_id,
                "created_at": stored_text(at),
                "user_id": user_id,
                "purchase_id": self.purchases.id_of(purchase),
                "amount_paise": amount_paise,
                "account_no": account_no,
                "ifsc": ifsc,
                "address": address,
                **self._work_on(claim_id, at, mark, payouts[index], details),
            }

    def _pick(self, claimed_days: list[int], at: datetime) -> tuple[int, int]:
        """A purchase with unclaimed income, and the number of days that are claimed."""
        for _ in range(16):
            purchase = self.purchases.pick_recent(self.rng, at - timedelta(days=1))
            unclaimed = (at - self.purchases.moments[purchase]).days - claimed_days[purchase]
            together, at_most = CLAIM_TYPES[self.made[purchase].claim_type]
            if unclaimed >= together:
                return purchase, together * self.rng.randint(1, min(unclaimed // together, at_most))
        # More claims were requested than the purchases have income for.
        return purchase, 1

    def _work_on(self, claim_id: str, at: datetime, mark: int, payout: int, details: dict[str, Any]) -> Cells:
        """Logs the moves before the end of the demo, and returns the columns that they change. `details` are where the
        claim is paid to."""
        rng = self.rng
        status: Status = FIRST
        version, payout_round, moved_at = 0, 0, None
        (road,) = rng.choices(list(_ROADS), list(_ROADS.values()))
        for target, mean_days, reasons in road:
            wait = timedelta(minutes=20, days=rng.expovariate(1 / mean_days))
            at = in_desk_hours(rng, to_milliseconds(at + wait))
            if at > self.until - timedelta(minutes=1) or rng.random() < _SHARE_LEFT_WAITING:
                break
            version += 1
            payout_round = round_after(target, payout_round)
            actor, moved_at = rng.choice(self.admins), stored_text(at)
            move_id = make_id(mark, at, self.history.added)
            of_claim: dict[str, Any] = {"id": move_id, "claim_id": claim_id, "number": version}
            reason = rng.choice(reasons) if reasons else None
            move = {"from_status": status, "to_status": target, "moved_by": actor.name, "moved_at": moved_at}
            rows: dict[Table, Cells] = {
                claim_transitions: {**of_claim, **move, "payout_round": payout_round, "reason": reason}
            }
            before = {"status": status, "version": version - 1}
            after = {"status": target, "version": version, **({"reason": reason} if reason else {})}
            if target == "Paid" and rng.random() < _SHARE_WITH_REFERENCE:
                # As banks write it: letters of the bank, the day, and a number that does not repeat.
                after["reference"] = (
                    f"{rng.choice(('HDFC', 'SBIN', 'ICIC', 'PUNB'))}N{at:%y%m%d}{payout_round}{payout:08}"
                )
                rows[payout_references] = {**of_claim, "reference": after["reference"], "recorded_at": moved_at}
            logged = after | details if target in PAYOUT_STEPS else after
            self.history.add(at, actor, ClaimVerb.MOVED, claim_id, before, logged, rows)
            status = target
        return {"status": status, "version": version, "payout_round": payout_round, "moved_at": moved_at}
