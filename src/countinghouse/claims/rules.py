"""Who may not make a move that the claim's status allows, and why: the policy, and the rule for undoing."""

from countinghouse.audit.actions import Actor
from countinghouse.claims.lifecycle import Move
from countinghouse.claims.refusals import CODE
from countinghouse.claims.standing import LastMove
from countinghouse.core.errors import Conflict
from countinghouse.core.times import iso
from countinghouse.india.amounts import in_rupees
from countinghouse.policy.queries import Policy, Rule


def find_refusal(
    move: Move,
    policy: Policy,
    actor: Actor,
    amount_paise: int,
    last_move: LastMove | None,
    *,
    has_reference: bool,
) -> Conflict | None:
    """`last_move` is the move that brought the claim to its current status."""
    if move.by_same_admin:
        return _find_refused_undo(move, actor, last_move)
    if move.target != "Paid":
        return None
    if policy.paid_needs_reference and not has_reference:
        return _refused("paidNeedsReference", "A claim is marked Paid only with the bank's reference; enter it.")
    if last_move is None or last_move.moved_by != actor.name:
        return None
    if policy.two_persons:
        sentence = "You accepted this claim, so somebody else must mark it Paid."
        return _refused("twoPersons", sentence)
    above = policy.second_look_above_paise
    if above is not None and amount_paise > above:
        sentence = f"You accepted this claim, and above {in_rupees(above)} somebody else must mark it Paid."
        return _refused("secondLookAbove", sentence)
    return None


def _refused(rule: Rule, sentence: str) -> Conflict:
    return Conflict("policy_refuses", sentence, {"rule": rule})


def _find_refused_undo(move: Move, actor: Actor, last_move: LastMove | None) -> Conflict | None:
    if last_move is None:
        message = "Nobody accepted this claim at the desk, so nobody can undo it; put it on hold or reject it."
        return Conflict(CODE, message, {"status": move.source})
    if last_move.moved_by == actor.name:
        return None
    at = iso(last_move.moved_at)
    message = f"{last_move.moved_by} accepted this claim at {at}, and only they can undo that."
    return Conflict(CODE, message, {"status": move.source, "by": last_move.moved_by, "at": at})
