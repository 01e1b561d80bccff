"""What admins did, in the order it happened, as the real actions would have logged it."""

import heapq
import json
from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from countinghouse.audit.actions import Actor
from countinghouse.claims.lifecycle import Status, Target
from countinghouse.claims.resource import ClaimVerb
from countinghouse.core.resource import Verb
from countinghouse.demo.clock import to_text
from countinghouse.demo.numbers import Ids
from countinghouse.demo.writers import Cells


class Step(NamedTuple):
    """One move of a claim, as the real action would have stored it."""

    seen: Status
    target: Target
    number: int
    payout_round: int
    reason: str | None = None
    reference: str | None = None

    def told(self) -> tuple[str, str]:
        """The `before` and `after` of the audit log."""
        more = {"reason": self.reason, "reference": self.reference}
        before = {"status": self.seen, "version": self.number - 1}
        after = {"status": self.target, "version": self.number, **{name: more[name] for name in more if more[name]}}
        return json.dumps(before), json.dumps(after)


def _to_json(part: Mapping[str, Any] | None) -> str | None:
    return None if part is None else json.dumps(part)


class Deed(NamedTuple):
    at_ms: int
    # Orders events of the same millisecond: the one added first comes first.
    order: int
    actor: Actor
    verb: Verb
    subject_id: str
    before: str | None
    after: str | None
    move: Step | None = None


class Happened(NamedTuple):
    """The rows to insert."""

    transitions: list[Cells]
    references: list[Cells]
    log: list[Cells]


class History:
    """Keeps only events later than the rows written so far: a few days' worth, whatever the size."""

    def __init__(self, rng: Random) -> None:
        self._ids = Ids(rng)
        self._ahead: list[Deed] = []
        self._added = 0
        self._moves = 0

    def tell(
        self,
        at_ms: int,
        actor: Actor,
        verb: Verb,
        subject_id: str,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
    ) -> None:
        self._push(Deed(at_ms, self._added, actor, verb, subject_id, _to_json(before), _to_json(after)))

    def tell_move(self, at_ms: int, actor: Actor, claim_id: str, step: Step) -> None:
        self._push(Deed(at_ms, self._added, actor, ClaimVerb.MOVED, claim_id, *step.told(), step))

    def _push(self, deed: Deed) -> None:
        heapq.heappush(self._ahead, deed)
        self._added += 1

    def take_until(self, at_ms: int) -> Happened:
        """Removes and returns everything that has happened by then."""
        taken = Happened([], [], [])
        while self._ahead and self._ahead[0].at_ms <= at_ms:
            deed = heapq.heappop(self._ahead)
            at = to_text(deed.at_ms)
            taken.log.append(
                {
                    "at": at,
                    "actor": deed.actor.name,
                    "address": deed.actor.address,
                    "verb": deed.verb.value,
                    "subject_id": deed.subject_id,
                    "before": deed.before,
                    "after": deed.after,
                }
            )
            if deed.move is not None:
                self._take_move(taken, deed, deed.move, at)
        return taken

    def _take_move(self, taken: Happened, deed: Deed, step: Step, at: str) -> None:
        of_claim: Cells = {
            "id": self._ids.make(deed.at_ms, self._moves),
            "claim_id": deed.subject_id,
            "number": step.number,
        }
        self._moves += 1
        taken.transitions.append(
            {
                **of_claim,
                "from_status": step.seen,
                "to_status": step.target,
                "moved_by": deed.actor.name,
                "moved_at": at,
                "payout_round": step.payout_round,
                "reason": step.reason,
            }
        )
        if step.reference is not None:
            taken.references.append({**of_claim, "reference": step.reference, "recorded_at": at})
