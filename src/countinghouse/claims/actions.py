"""Moving a claim. The WHERE clause of one UPDATE is the lock; a unique constraint stands behind it."""

from sqlalchemy import bindparam, update

from countinghouse.audit.actions import RECORD_BESIDE, Actor, Verb, record_values
from countinghouse.claims.lifecycle import Status, Target, sources_of
from countinghouse.claims.queries import CLAIMS, Claim, find_move_to, get_claim, read_claim
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.errors import Conflict
from countinghouse.core.ids import is_id, new_id
from countinghouse.core.quick import AlreadyThere, Change, Guarded, NewRow
from countinghouse.core.times import iso, now

# The move, the row that remembers it and the row of the audit log: all of them, or none.
_MOVE = Guarded(
    claims,
    update(claims)
    .where(claims.c.id == bindparam("claim_id"), claims.c.status == bindparam("seen"))
    .values(status=bindparam("target")),
    key="claim_id",
    answer=CLAIMS.select_rows,
    then=(
        NewRow(
            claim_transitions,
            {
                "id": "transition_id",
                "claim_id": "claim_id",
                "from_status": "seen",
                "to_status": "target",
                "moved_by": "moved_by",
                "moved_at": "moved_at",
            },
        ),
        RECORD_BESIDE,
    ),
)


def move_claim(change: Change, actor: Actor, claim_id: str, target: Target) -> Claim:
    """Moves it once. Asking again for what one did oneself changes nothing and succeeds."""
    for seen in sources_of(target) if is_id(claim_id) else ():
        moved = _find_moved(change, actor, claim_id, seen, target)
        if moved is not None:
            return moved
    return _accept_repeat_or_refuse(change, actor, claim_id, target)


def _find_moved(change: Change, actor: Actor, claim_id: str, seen: Status, target: Target) -> Claim | None:
    """The claim as it is after the move; None when it is not in the status that the move begins in."""
    move = {
        "claim_id": claim_id,
        "seen": seen,
        "target": target,
        "transition_id": new_id(),
        "moved_by": actor.name,
        "moved_at": now(),
    }
    told = record_values(actor, Verb.CLAIM_MOVED, claim_id, before={"status": seen}, after={"status": target})
    try:
        moved = change.guarded(_MOVE, move | told)
    except AlreadyThere as error:
        # Only a status that was changed behind the desk's back can bring a claim here a second time.
        message = f"This claim has been {target} before. Its history and its status disagree; ask your operator."
        raise Conflict("claim_cannot_move", message, {"status": seen}) from error
    return read_claim(moved) if moved is not None else None


def _accept_repeat_or_refuse(change: Change, actor: Actor, claim_id: str, target: Target) -> Claim:
    claim = get_claim(change, claim_id)
    status = claim["status"]
    move = find_move_to(change, claim_id, status)
    if move is None:
        raise Conflict("claim_cannot_move", _not_from(status, target), {"status": status})
    if status == target and move.moved_by == actor.name:
        return claim
    at = iso(move.moved_at)
    message = f"{move.moved_by} moved this claim to {status} at {at}."
    if status not in (target, "Paid"):
        message += f" {_not_from(status, target)}"
    raise Conflict("claim_cannot_move", message, {"status": status, "by": move.moved_by, "at": at})


def _not_from(status: Status, target: Target) -> str:
    return f"A claim that is {status} cannot become {target}; only one that is {' or '.join(sources_of(target))} can."
