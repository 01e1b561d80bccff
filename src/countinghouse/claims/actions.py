"""Moving a claim. The WHERE clause of one UPDATE is the lock; a unique constraint stands behind it."""

from sqlalchemy import Connection, bindparam, insert, update
from sqlalchemy.exc import IntegrityError

from countinghouse.audit.actions import Actor, Verb, record
from countinghouse.claims.lifecycle import Status, Target, sources_of
from countinghouse.claims.queries import Claim, find_move_to, get_claim, get_status
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.errors import Conflict
from countinghouse.core.ids import new_id
from countinghouse.core.times import iso, now

_MOVE = (
    update(claims)
    .where(claims.c.id == bindparam("claim_id"), claims.c.status == bindparam("seen"))
    .values(status=bindparam("target"))
)


def move_claim(connection: Connection, actor: Actor, claim_id: str, target: Target) -> Claim:
    """Moves it once. Asking again for what one did oneself changes nothing and succeeds."""
    seen = get_status(connection, claim_id)
    if seen not in sources_of(target) or not _moved(connection, claim_id, seen, target):
        _accept_repeat_or_refuse(connection, actor, claim_id, target)
        return get_claim(connection, claim_id)
    _remember(connection, actor, claim_id, seen, target)
    record(connection, actor, Verb.CLAIM_MOVED, claim_id, before={"status": seen}, after={"status": target})
    return get_claim(connection, claim_id)


def _remember(connection: Connection, actor: Actor, claim_id: str, seen: Status, target: Target) -> None:
    row = {"claim_id": claim_id, "from_status": seen, "to_status": target, "moved_by": actor.name, "moved_at": now()}
    try:
        connection.execute(insert(claim_transitions).values(id=new_id(), **row))
    except IntegrityError as error:
        # Only a status that was changed behind the desk's back can bring a claim here a second time.
        message = f"This claim has been {target} before. Its history and its status disagree; ask your operator."
        raise Conflict("claim_cannot_move", message, {"status": seen}) from error


def _moved(connection: Connection, claim_id: str, seen: Status, target: Target) -> bool:
    return connection.execute(_MOVE, {"claim_id": claim_id, "seen": seen, "target": target}).rowcount == 1


def _accept_repeat_or_refuse(connection: Connection, actor: Actor, claim_id: str, target: Target) -> None:
    # Read again: the status may have changed between the first look and the guarded UPDATE.
    status = get_status(connection, claim_id)
    move = find_move_to(connection, claim_id, status)
    if move is None:
        raise Conflict("claim_cannot_move", _not_from(status, target), {"status": status})
    if status == target and move.moved_by == actor.name:
        return
    at = iso(move.moved_at)
    message = f"{move.moved_by} moved this claim to {status} at {at}."
    if status not in (target, "Paid"):
        message += f" {_not_from(status, target)}"
    raise Conflict("claim_cannot_move", message, {"status": status, "by": move.moved_by, "at": at})


def _not_from(status: Status, target: Target) -> str:
    return f"A claim that is {status} cannot become {target}; only one that is {' or '.join(sources_of(target))} can."
