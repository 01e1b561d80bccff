"""Moving a claim. The WHERE clause of one UPDATE is the lock; unique constraints stand behind it."""

from dataclasses import astuple, dataclass, replace
from typing import Any

from sqlalchemy import bindparam, update

from countinghouse.audit.actions import RECORD_BESIDE, Actor, record_values
from countinghouse.claims.lifecycle import Move, Status, Target, find_move, moves_to, round_after, targets_from
from countinghouse.claims.move_keys import KEY_BESIDE, KeyedMove, Moved, find_answer, sweep_now_and_then
from countinghouse.claims.queries import CLAIMS, Claim, claim_not_found, read_claim
from countinghouse.claims.references import (
    REFERENCE_BESIDE,
    find_reference_owner,
    normalised_reference,
    reference_taken,
)
from countinghouse.claims.refusals import cannot_move, history_disagrees, moved_by_others, reason_required
from countinghouse.claims.resource import ClaimVerb
from countinghouse.claims.rules import find_refusal
from countinghouse.claims.standing import LastMove, Standing, get_standing
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.errors import Conflict, InvalidInput, Refusal
from countinghouse.core.ids import is_id, new_id
from countinghouse.core.quick import AlreadyThere, Change, Guarded, NewRow
from countinghouse.core.times import iso, now
from countinghouse.policy.queries import Policy, read_policy


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """`version` is the one the admin saw, `key` what they call this request, to ask for its answer again."""

    target: Target
    version: int | None = None
    reason: str | None = None
    reference: str | None = None
    key: str | None = None
    batch_id: str | None = None


_GUARD = update(claims).where(
    claims.c.id == bindparam("claim_id"),
    claims.c.status == bindparam("seen"),
    claims.c.version == bindparam("seen_version"),
)
_TRANSITION_BESIDE = NewRow(
    claim_transitions,
    {
        "id": "transition_id",
        "claim_id": "claim_id",
        "from_status": "seen",
        "to_status": "target",
        "moved_by": "moved_by",
        "moved_at": "moved_at",
        "number": "number",
        "payout_round": "payout_round",
        "reason": "reason",
    },
)


def _guarded_move(*more: NewRow) -> Guarded:
    """The move, the row that remembers it and the row of the audit log: all of them, or none."""
    moved = _GUARD.values(
        status=bindparam("target"),
        version=bindparam("number"),
        payout_round=bindparam("payout_round"),
        moved_at=bindparam("moved_at"),
    )
    then = (_TRANSITION_BESIDE, RECORD_BESIDE, *more)
    return Guarded(claims, moved, key="claim_id", then=then, answer=CLAIMS.select_rows)


# By whether it has a reference, and whether it has a key.
_MOVES = {
    (False, False): _guarded_move(),
    (True, False): _guarded_move(REFERENCE_BESIDE),
    (False, True): _guarded_move(KEY_BESIDE),
    (True, True): _guarded_move(REFERENCE_BESIDE, KEY_BESIDE),
}
# Nothing moves, but a retry of the request that found nothing to do gets the same answer.
_STAY = Guarded(
    claims, _GUARD.values(version=claims.c.version), key="claim_id", then=(KEY_BESIDE,), answer=CLAIMS.select_rows
)

# Where nearly every claim stands when it is asked to move there: tried at once, so that it costs no look beforehand.
_USUAL: dict[Target, tuple[Status, int]] = {"Accepted": ("Pending", 0), "Paid": ("Accepted", 1)}

# How often a claim that others move at the same moment is looked at anew.
_TRIES = 5


def move_claim(change: Change, actor: Actor, claim_id: str, asked: MoveRequest) -> Moved:
    """Moves it once. Asking again for what one did oneself changes nothing, succeeds, and says since when."""
    asked = _checked(asked)
    if not is_id(claim_id):
        raise claim_not_found()
    mover = _Mover(change, actor, claim_id, asked)
    return mover.move() if mover.keyed is None else mover.move_by_key(mover.keyed)


def _checked(asked: MoveRequest) -> MoveRequest:
    if asked.reason is None and all(move.needs_reason for move in moves_to(asked.target)):
        raise reason_required(asked.target)
    if asked.reference is None:
        return asked
    if asked.target != "Paid":
        raise InvalidInput({"reference": "A bank reference is recorded only when a claim becomes Paid."})
    return replace(asked, reference=normalised_reference(asked.reference))


class _Mover:
    """One request to move one claim, for as long as it takes."""

    def __init__(self, change: Change, actor: Actor, claim_id: str, asked: MoveRequest) -> None:
        self.change = change
        self.actor = actor
        self.claim_id = claim_id
        self.asked = asked
        self.keyed = None if asked.key is None else KeyedMove(actor, asked.key, claim_id, astuple(asked))

    def move_by_key(self, keyed: KeyedMove) -> Moved:
        answered = find_answer(self.change, keyed)
        if answered is not None:
            return answered
        sweep_now_and_then(self.change, keyed)
        try:
            return self.move()
        except Refusal:
            # Its twin may have been quicker, and what refused this one is what that one did.
            answered = find_answer(self.change, keyed)
            if answered is None:
                raise
            return answered

    def move(self) -> Moved:
        policy = read_policy(self.change) if self.asked.target == "Paid" else Policy()
        moved = self._find_moved_as_usual(policy)
        for _ in range(_TRIES):
            if moved is not None:
                return moved
            moved = self._find_moved(policy, get_standing(self.change, self.claim_id))
        raise moved_by_others()

    def _find_moved_as_usual(self, policy: Policy) -> Moved | None:
        asked = self.asked
        if asked.target not in _USUAL or self.keyed is not None:
            return None
        if policy.asks_who_accepted or (policy.paid_needs_reference and asked.reference is None):
            return None
        status, version = _USUAL[asked.target]
        if asked.version not in (None, version):
            return None
        return self._write(status, version, payout_round=0)

    def _find_moved(self, policy: Policy, standing: Standing) -> Moved | None:
        """None when the claim was moved by others since it was looked at."""
        asked = self.asked
        move = find_move(standing.status, asked.target)
        if move is None or asked.version not in (None, standing.version):
            return self._find_repeated(standing)
        if move.needs_reason and asked.reason is None:
            raise reason_required(asked.target)
        refusal = find_refusal(
            move,
            policy,
            self.actor,
            standing.amount_paise,
            standing.last_move,
            has_reference=asked.reference is not None,
        )
        if refusal is not None:
            raise refusal
        return self._write(
            standing.status,
            standing.version,
            payout_round=standing.payout_round,
            beside=self._key_beside(standing, move),
        )

    def _key_beside(self, standing: Standing, move: Move) -> dict[str, Any]:
        if self.keyed is None:
            return {}
        after: Claim = {
            **standing.claim,
            "status": move.target,
            "version": standing.version + 1,
            "moves": targets_from(move.target),
        }
        return self.keyed.beside(Moved(after))

    def _write(
        self, seen: Status, seen_version: int, *, payout_round: int, beside: dict[str, Any] | None = None
    ) -> Moved | None:
        """The claim as it is after the move; None when it is no longer what was seen."""
        asked = self.asked
        version = seen_version + 1
        values = {
            **self._guard(seen, seen_version),
            "target": asked.target,
            "transition_id": new_id(),
            "number": version,
            "payout_round": round_after(asked.target, payout_round),
            "reason": asked.reason,
            **(beside or {}),
            **record_values(
                self.actor,
                ClaimVerb.MOVED,
                self.claim_id,
                before={"status": seen, "version": seen_version},
                after={"status": asked.target, "version": version, **_told(asked)},
            ),
        }
        if asked.reference is not None:
            values |= {"reference_id": new_id(), "reference": asked.reference}
        try:
            moved = self.change.guarded(_MOVES[asked.reference is not None, self.keyed is not None], values)
        except AlreadyThere as error:
            raise self._why_already_there(seen) from error
        return Moved(read_claim(moved)) if moved is not None else None

    def _guard(self, seen: Status, seen_version: int) -> dict[str, Any]:
        return {
            "claim_id": self.claim_id,
            "seen": seen,
            "seen_version": seen_version,
            "moved_by": self.actor.name,
            "moved_at": now(),
        }

    def _why_already_there(self, seen: Status) -> Conflict:
        reference = self.asked.reference
        owner = find_reference_owner(self.change, reference) if reference is not None else None
        if reference is not None and owner is not None:
            return reference_taken(reference, owner)
        return history_disagrees(seen, self.asked.target)

    def _find_repeated(self, standing: Standing) -> Moved | None:
        last = standing.last_move
        if last is None or not self._is_repeat(standing, last):
            raise cannot_move(standing, self.asked.target)
        repeated = Moved(standing.claim, iso(last.moved_at))
        if self.keyed is None:
            return repeated
        stay = self._guard(standing.status, standing.version) | self.keyed.beside(repeated)
        try:
            stayed = self.change.guarded(_STAY, stay)
        except AlreadyThere as error:
            # Under the same key; whether for the same move, the one who looks it up will say.
            raise cannot_move(standing, self.asked.target) from error
        return replace(repeated, claim=read_claim(stayed)) if stayed is not None else None

    def _is_repeat(self, standing: Standing, last: LastMove) -> bool:
        """Whether this admin did just this, from the version that they name, and nobody has moved the claim since."""
        asked = self.asked
        return (
            last.moved_by == self.actor.name
            and standing.status == asked.target
            and asked.version in (None, standing.version, standing.version - 1)
            and asked.reason in (None, last.reason)
            and asked.reference in (None, last.reference)
        )


def _told(asked: MoveRequest) -> dict[str, str]:
    told = {"reason": asked.reason, "reference": asked.reference, "batch": asked.batch_id}
    return {name: value for name, value in told.items() if value is not None}
