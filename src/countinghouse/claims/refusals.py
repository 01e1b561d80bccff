"""Why a claim cannot move, in sentences for the screen."""

from countinghouse.claims.lifecycle import Status, Target, find_move, sources_of
from countinghouse.claims.standing import Standing
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.times import iso

CODE = "claim_cannot_move"


def reason_required(target: Target) -> InvalidInput:
    return InvalidInput({"reason": f"A reason is required to move this claim to {target}."})


def cannot_move(standing: Standing, target: Target) -> Conflict:
    """Says who moved the claim and when, if anybody did: an admin who comes second wants to know just that."""
    status, last = standing.status, standing.last_move
    fields = {"status": status, "version": str(standing.version)}
    if find_move(status, target) is not None:
        hint = "It has changed since you loaded it; check it again."
    else:
        hint = f"A claim that is {status} cannot become {target}; only one that is {_either(sources_of(target))} can."
    if last is None:
        return Conflict(CODE, hint, fields)
    at = iso(last.moved_at)
    message = f"{last.moved_by} moved this claim to {status} at {at}."
    if status != target:
        message += f" {hint}"
    return Conflict(CODE, message, fields | {"by": last.moved_by, "at": at})


def history_disagrees(seen: Status, target: Target) -> Conflict:
    """A claim can reach the same payout twice only if its status was changed directly in the database."""
    message = f"This claim has been {target} before. Its history and its status disagree; ask your operator."
    return Conflict(CODE, message, {"status": seen})


def moved_by_others() -> Conflict:
    return Conflict(CODE, "Other admins are moving this claim right now. Reload it and check it again.")


def _either(statuses: tuple[Status, ...]) -> str:
    *others, last = statuses
    return f"{', '.join(others)} or {last}" if others else last
