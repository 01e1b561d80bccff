"""Made-up claims: nearly all are accepted and paid, a few are held, rejected or returned by the bank."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import Table

from countinghouse.audit.actions import Actor
from countinghouse.claims.lifecycle import FIRST, Status, Target, round_after
from countinghouse.claims.resource import ClaimVerb
from countinghouse.claims.tables import claim_transitions, payout_references
from countinghouse.core.times import stored_text, to_milliseconds
from countinghouse.demo.bulk import Cells, History
from countinghouse.demo.clock import Timeline, in_desk_hours, make_id
from countinghouse.demo.people import make_account, make_address
from countinghouse.demo.purchases import CLAIM_TYPES, Made

_SHARE_LEFT_WAITING = 0.02
_SHARE_TO_SECOND_ACCOUNT = 0.04
_SHARE_WITH_REFERENCE = 0.6
_SHARE_REJECTED = 0.02
_SHARE_HELD = 0.04
_SHARE_HELD_AND_REJECTED = 0.2
_SHARE_RETURNED = 0.02
_SHARE_PAID_AGAIN = 0.6

_BANKS = ("HDFC", "SBIN", "ICIC", "UTIB", "PUNB")
_MOST_PAYOUTS = 10**8
_TRIES = 16


class _Stage(NamedTuple):
    target: Target
    mean_days: float
    reasons: tuple[str, ...] = ()


_ACCEPTED = _Stage("Accepted", 4.0)
_PAID = _Stage("Paid", 2.5)
_HELD = _Stage(
    "On hold",
    2.0,
    (
        "The name on the account differs from the client's.",
        "The client asked us to wait for a new account.",
        "Two claims on one day; checking with the client.",
    ),
)
_RELEASED = _Stage("Pending", 6.0, ("The client has answered; all is well.", "The bank has confirmed the account."))
_REJECTED = _Stage("Rejected", 4.0, ("Claimed twice by mistake.", "The account belongs to somebody else."))
_RETURNED = _Stage("Returned", 3.0, ("Account closed.", "The IFSC and the account do not belong together."))


def _choose_road(rng: Random) -> list[_Stage]:
    """The complete path, if there is enough time."""
    draw = rng.random()
    if draw < _SHARE_REJECTED:
        return [_REJECTED]
    road = []
    if draw < _SHARE_REJECTED + _SHARE_HELD:
        if rng.random() < _SHARE_HELD_AND_REJECTED:
            return [_HELD, _REJECTED]
        road = [_HELD, _RELEASED]
    road += [_ACCEPTED, _PAID]
    if rng.random() < _SHARE_RETURNED:
        road += [_RETURNED, _ACCEPTED, _PAID] if rng.random() < _SHARE_PAID_AGAIN else [_RETURNED]
    return road


class Claims:
    def __init__(self, rng: Random, timeline: Timeline, history: History, admins: tuple[Actor, ...]) -> None:
        self._rng = rng
        self._timeline = timeline
        self._history = history
        self._admins = admins
        self._mark = rng.getrandbits(40)
        self._payouts = rng.sample(range(_MOST_PAYOUTS), len(timeline.moments))

    def rows(self, users: Timeline, purchases: Timeline, made: list[Made], until: datetime) -> Iterator[Cells]:
        rng = self._rng
        claimed_days = [0] * len(made)
        for index, at in enumerate(self._timeline.moments):
            purchase, days = self._pick(purchases, made, claimed_days, at)
            claimed_days[purchase] += days
            user, _, income_paise = made[purchase]
            # Of a client only the number is kept; the same number gives the same address and accounts each time.
            is_second = rng.random() < _SHARE_TO_SECOND_ACCOUNT
            account_no, ifsc = make_account(Random(f"{self._mark} {user} {is_second}"), user)  # noqa: S311 - made up
            claim_id = self._timeline.id_of(index)
            yield {
                "id": claim_id,
                "created_at": stored_text(at),
                "user_id": users.id_of(user),
                "purchase_id": purchases.id_of(purchase),
                "amount_paise": income_paise * days,
                "account_no": account_no,
                "ifsc": ifsc,
                "address": make_address(Random(f"{self._mark} {user}")),  # noqa: S311 - made up
                **self._work_on(claim_id, at, until, self._payouts[index]),
            }

    def _pick(self, purchases: Timeline, made: list[Made], claimed_days: list[int], at: datetime) -> tuple[int, int]:
        """A purchase with unclaimed income, and the number of days that are claimed."""
        for _ in range(_TRIES):
            purchase = purchases.pick_recent(self._rng, at - timedelta(days=1))
            unclaimed = (at - purchases.moments[purchase]).days - claimed_days[purchase]
            together, at_most = CLAIM_TYPES[made[purchase].claim_type]
            if unclaimed >= together:
                return purchase, together * self._rng.randint(1, min(unclaimed // together, at_most))
        # More claims were requested than the purchases have income for.
        return purchase, 1

    def _work_on(self, claim_id: str, at: datetime, until: datetime, payout: int) -> Cells:
        """Logs the moves before the end of the demo, and returns the columns that they change."""
        rng = self._rng
        status: Status = FIRST
        version, payout_round, moved_at = 0, 0, None
        for target, mean_days, reasons in _choose_road(rng):
            wait = timedelta(minutes=20, days=rng.expovariate(1 / mean_days))
            at = in_desk_hours(rng, to_milliseconds(at + wait))
            if at > until - timedelta(minutes=1) or rng.random() < _SHARE_LEFT_WAITING:
                break
            version += 1
            payout_round = round_after(target, payout_round)
            actor, moved_at = rng.choice(self._admins), stored_text(at)
            move_id = make_id(self._mark, at, self._history.added)
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
                after["reference"] = f"{rng.choice(_BANKS)}N{at:%y%m%d}{payout_round}{payout:08}"
                rows[payout_references] = {**of_claim, "reference": after["reference"], "recorded_at": moved_at}
            self._history.add(at, actor, ClaimVerb.MOVED, claim_id, before, after, rows)
            status = target
        return {"status": status, "version": version, "payout_round": payout_round, "moved_at": moved_at}
