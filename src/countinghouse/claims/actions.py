"""Moving a claim. The WHERE clause of one UPDATE is the lock; unique constraints are the second line of defence."""

import time
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import bindparam, update

from countinghouse.audit.actions import INSERT_AUDIT_ROW, Actor, record_values
from countinghouse.claims.as_logged import check_as_logged, payout_of
from countinghouse.claims.lifecycle import Status, Target, find_move, moves_to, round_after
from countinghouse.claims.move_keys import INSERT_KEY, KeyedMove, Moved, read_answer, sweep_now_and_then
from countinghouse.claims.proof import PAYOUT_STEPS
from countinghouse.claims.queries import Claim, Payout, claim_not_found, next_moves, read_claim, select_claim
from countinghouse.claims.references import (
    INSERT_REFERENCE,
    find_reference_owner,
    former_reference,
    normalised_reference,
    reference_taken,
    refuse_own_number,
)
from countinghouse.claims.resource import ClaimVerb
from countinghouse.claims.rules import (
    CODE,
    CurrentClaim,
    LastMove,
    cannot_move,
    find_missing_step_up,
    find_refusal,
    find_returned_by,
    get_current_claim,
    reason_required,
)
from countinghouse.claims.seen import find_new_warning
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.db import AlreadyThere, Change, Guarded, NewRow
from countinghouse.core.errors import Conflict, InvalidInput, Refusal
from countinghouse.core.ids import is_id, new_id
from countinghouse.core.times import iso, now
from countinghouse.policy.queries import Policy, read_policy


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """`version` and `seen` (ids of warnings) are what the admin saw; `key` is the idempotency key of the request."""

    target: Target
    version: int | None = None
    reason: str | None = None
    reference: str | None = None
    key: str | None = None
    batch_id: str | None = None
    seen: tuple[str, ...] | None = None

    def asked(self) -> tuple[Any, ...]:
        """A retry must be the same. Without `seen`, it may be one of a request to the release before."""
        return astuple(self) if self.seen is not None else astuple(self)[:-1]


_GUARD = update(claims).where(
    claims.c.id == bindparam("claim_id"),
    claims.c.status == bindparam("seen"),
    claims.c.version == bindparam("seen_version"),
)
_INSERT_TRANSITION = NewRow(
    claim_transitions,
    {name: name for name in ("claim_id", "moved_by", "moved_at", "number", "payout_round", "reason")}
    | {"id": "transition_id", "from_status": "seen", "to_status": "target"},
)


def _guarded_move(*more: NewRow) -> Guarded:
    """The move, its transition row and its audit row: all of them are written, or none."""
    moved = _GUARD.values(
        status=bindparam("target"),
        version=bindparam("number"),
        payout_round=bindparam("payout_round"),
        moved_at=bindparam("moved_at"),
    )
    then = (_INSERT_TRANSITION, INSERT_AUDIT_ROW, *more)
    return Guarded(claims, moved, key="claim_id", then=then, answer=select_claim)


# Keyed by whether the move has a reference, and whether it has an idempotency key.
_MOVES = {
    (False, False): _guarded_move(),
    (True, False): _guarded_move(INSERT_REFERENCE),
    (False, True): _guarded_move(INSERT_KEY),
    (True, True): _guarded_move(INSERT_REFERENCE, INSERT_KEY),
}
# Moves nothing and stores only the key, so that a retry of a request that found nothing to do gets the same answer.
_STAY = Guarded(
    claims, _GUARD.values(version=claims.c.version), key="claim_id", then=(INSERT_KEY,), answer=select_claim
)

# How often a move is retried when others move the same claim at the same time.
_TRIES = 5
# Each try may wait seconds for the claim's row lock.
_RETRY_SECONDS = 3.0


async def move_claim(
    change: Change, actor: Actor, claim_id: str, request: MoveRequest, *, has_stepped_up: bool = True
) -> Moved:
    """Moves the claim once. Repeating one's own move changes nothing, succeeds, and reports when it was made.

    Without `has_stepped_up` it raises `NeedsStepUp` where the policy asks for a fresh second factor.
    """
    former = None if request.reference is None else former_reference(request.reference)
    request = _validated(request)
    if not is_id(claim_id):
        raise claim_not_found()
    mover = _Mover(change, actor, claim_id, request, former, has_stepped_up=has_stepped_up)
    return await mover.move() if mover.keyed is None else await mover.move_by_key(mover.keyed)


def _validated(request: MoveRequest) -> MoveRequest:
    if request.reason is None and all(move.needs_reason for move in moves_to(request.target)):
        raise reason_required(request.target)
    if request.seen is not None and request.target != "Paid":
        raise InvalidInput({"seen": "Warnings are compared only when a claim becomes Paid. Leave this field out."})
    if request.reference is None:
        return request
    if request.target != "Paid":
        raise InvalidInput({"reference": "A bank reference is recorded only when a claim becomes Paid."})
    return replace(request, reference=normalised_reference(request.reference))


class _Mover:
    """One request to move one claim, including its retries."""

    def __init__(
        self,
        change: Change,
        actor: Actor,
        claim_id: str,
        request: MoveRequest,
        former: str | None,
        *,
        has_stepped_up: bool,
    ) -> None:
        self.has_stepped_up = has_stepped_up
        # The reference as an earlier release would have stored it.
        self.former = former
        self.change = change
        self.actor = actor
        self.claim_id = claim_id
        self.request = request
        self.keyed = None if request.key is None else KeyedMove(actor, request.key, claim_id, request.asked())

    async def move_by_key(self, keyed: KeyedMove) -> Moved:
        """The key is not looked up first: the move stores it in the same statement, which a used key refuses."""
        await sweep_now_and_then(self.change, keyed)
        try:
            return await self.move()
        except Refusal:
            # The key may have been used before, or by a concurrent request: its move is then the reason for this.
            found = await read_answer(self.change, keyed)
            if found is None:
                raise
            return found if isinstance(found, Moved) else await self.move()

    async def move(self) -> Moved:
        policy = await read_policy(self.change) if self.request.target == "Paid" else Policy()
        give_up_at = time.monotonic() + _RETRY_SECONDS
        for _ in range(_TRIES):
            moved = await self._try_move(policy, await get_current_claim(self.change, self.claim_id))
            if moved is not None:
                return moved
            if time.monotonic() > give_up_at:
                break
        raise Conflict(CODE, "Other admins are moving this claim right now. Reload it and check it again.")

    async def _try_move(self, policy: Policy, current: CurrentClaim) -> Moved | None:
        """None if others have moved the claim since it was read."""
        request = self.request
        move = find_move(current.status, request.target)
        if move is None or request.version not in (None, current.version):
            return await self._confirm_repeat(current)
        if move.needs_reason and request.reason is None:
            raise reason_required(request.target)
        if request.reference is not None:
            refuse_own_number(request.reference, current.claim["number"])
        if self.former is not None and (owner := await find_reference_owner(self.change, self.former)) is not None:
            raise reference_taken(self.former, owner)
        refusal: Refusal | None = find_refusal(
            move,
            policy,
            self.actor,
            current.amount_paise,
            current.last_move,
            has_reference=request.reference is not None,
            returned_by=await find_returned_by(self.change, self.actor, current),
        )
        if refusal is None and request.seen is not None:
            refusal = await find_new_warning(self.change, current, request.seen, now())
        if refusal is None and not self.has_stepped_up:
            refusal = find_missing_step_up(move, policy, current.amount_paise)
        if refusal is not None:
            raise refusal
        if request.target in PAYOUT_STEPS:
            await check_as_logged(self.change, current)
        return await self._write(current)

    async def _write(self, current: CurrentClaim) -> Moved | None:
        """The claim after the move, or None if its status or version is no longer what was read."""
        request = self.request
        version = current.version + 1
        values = {
            **self._guard(current),
            "target": request.target,
            "transition_id": new_id(),
            "number": version,
            "payout_round": round_after(request.target, current.payout_round),
            "reason": request.reason,
            **record_values(
                self.actor,
                ClaimVerb.MOVED,
                self.claim_id,
                before={"status": current.status, "version": current.version},
                after={"status": request.target, "version": version} | _details(request, current),
            ),
        }
        if request.reference is not None:
            values |= {"reference_id": new_id(), "reference": request.reference}
        payout = self._payout(values["moved_at"])
        if self.keyed is not None:
            after = {
                "status": request.target,
                "version": version,
                "moves": next_moves(request.target),
                "payout": payout,
            }
            values |= self.keyed.beside(Moved(cast(Claim, current.claim | after)))
        try:
            moved = await self.change.guarded(_MOVES[request.reference is not None, self.keyed is not None], values)
        except AlreadyThere as error:
            raise await self._explain_duplicate(current.status) from error
        return Moved(read_claim(moved) | {"payout": payout}) if moved is not None else None

    def _payout(self, at: datetime) -> Payout | None:
        """Of the claim after the move. A statement of PostgreSQL does not see the rows that it writes itself."""
        if self.request.target != "Paid":
            return None
        return {"at": iso(at), "by": self.actor.name, "reference": self.request.reference}

    def _guard(self, current: CurrentClaim) -> dict[str, Any]:
        return {
            "claim_id": self.claim_id,
            "seen": current.status,
            "seen_version": current.version,
            "moved_by": self.actor.name,
            "moved_at": now(),
        }

    async def _explain_duplicate(self, seen: Status) -> Conflict:
        reference = self.request.reference
        owner = await find_reference_owner(self.change, reference) if reference is not None else None
        if reference is not None and owner is not None:
            return reference_taken(reference, owner)
        # A claim can reach the same payout twice only if its status was changed directly in the database.
        message = f"This claim has been {self.request.target} before. Its history and its status disagree;"
        return Conflict(CODE, f"{message} ask your operator.", {"status": seen})

    async def _confirm_repeat(self, current: CurrentClaim) -> Moved | None:
        last = current.last_move
        if last is None or not self._is_repeat(current, last):
            raise cannot_move(current, self.request.target)
        repeated = Moved(current.claim, iso(last.moved_at))
        if self.keyed is None:
            return repeated
        stay = self._guard(current) | self.keyed.beside(repeated)
        try:
            stayed = await self.change.guarded(_STAY, stay)
        except AlreadyThere as error:
            # The key was used before. `move_by_key` looks it up and checks that it was for the same move.
            raise cannot_move(current, self.request.target) from error
        return replace(repeated, claim=read_claim(stayed)) if stayed is not None else None

    def _is_repeat(self, current: CurrentClaim, last: LastMove) -> bool:
        """Whether this admin made this same move, from the version they name, and nobody has moved the claim since."""
        request = self.request
        return (
            last.moved_by == self.actor.name
            and current.status == request.target
            and request.version in (None, current.version, current.version - 1)
            and request.reason in (None, last.reason)
            and request.reference in (None, last.reference)
        )


def _details(request: MoveRequest, current: CurrentClaim) -> dict[str, Any]:
    given = {"reason": request.reason, "reference": request.reference, "batch": request.batch_id}
    details: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if request.target in PAYOUT_STEPS:
        # What was decided on. Changed directly in the database afterwards, it no longer agrees with the log.
        details |= payout_of(current)
    return details
