"""The current state of a claim, and why a move of it is refused, in sentences for the screen."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import FromClause, ScalarSelect, and_, bindparam, select

from countinghouse.admins.tables import admins
from countinghouse.audit.actions import Actor
from countinghouse.claims.lifecycle import ACCEPT, Move, Status, Target, find_move, sources_of
from countinghouse.claims.queries import IS_LAST_MOVE, Claim, claim_not_found, read_claim, select_claim
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.db import Reader, Statement
from countinghouse.core.errors import Conflict, Forbidden, InvalidInput
from countinghouse.core.ids import is_id
from countinghouse.core.inputs import name_key
from countinghouse.core.listing.sql import number, written
from countinghouse.core.times import iso, to_moment
from countinghouse.india.amounts import in_rupees
from countinghouse.policy.queries import Policy, Rule

CODE = "claim_cannot_move"


class NeedsStepUp(Forbidden):
    """The move is allowed, but the policy asks for a fresh second factor first."""


class LastMove(NamedTuple):
    """The move that brought the claim to its current status."""

    moved_by: str
    moved_at: datetime
    reason: str | None
    reference: str | None


@dataclass(frozen=True, slots=True)
class CurrentClaim:
    status: Status
    version: int
    payout_round: int
    amount_paise: int
    # None if it began in this status or was moved directly in the database.
    last_move: LastMove | None
    # Who last marked it as returned, by its moves: the round is only a number, which says nothing about who.
    returned_by: str | None
    claim: Claim


def select_returned_by(claim: FromClause) -> ScalarSelect[str]:
    """The admin who last marked the claim as returned."""
    moves = claim_transitions.alias("returns")
    return (
        select(moves.c.moved_by)
        .where(moves.c.claim_id == claim.c.id, moves.c.to_status == written("Returned"))
        .order_by(moves.c.number.desc())
        .limit(number(1))
        .correlate(claim)
        .scalar_subquery()
    )


_CURRENT = Statement(
    select_claim(claims)
    .add_columns(
        claims.c.status,
        claims.c.version,
        claims.c.payout_round,
        claims.c.amount_paise,
        claim_transitions.c.moved_by,
        claim_transitions.c.moved_at,
        claim_transitions.c.reason,
        payout_references.c.reference,
        select_returned_by(claims),
    )
    .outerjoin(claim_transitions, IS_LAST_MOVE)
    .outerjoin(
        payout_references,
        and_(payout_references.c.claim_id == claims.c.id, payout_references.c.number == claims.c.version),
    )
    .where(claims.c.id == bindparam("claim_id"))
)


async def get_current_claim(reader: Reader, claim_id: str) -> CurrentClaim:
    found = await reader.all(_CURRENT, {"claim_id": claim_id}) if is_id(claim_id) else []
    if not found:
        raise claim_not_found()
    *item, status, version, payout_round, amount_paise, by, at, reason, reference, returned_by = found[0]
    move = None if by is None else LastMove(by, to_moment(at), reason, reference)
    return CurrentClaim(status, version, payout_round, amount_paise, move, returned_by, read_claim(tuple(item)))


def find_refusal(
    move: Move,
    policy: Policy,
    actor: Actor,
    amount_paise: int,
    last_move: LastMove | None,
    *,
    has_reference: bool,
    returned_by: str | None,
) -> Conflict | None:
    """Why the actor may not make a move that the claim's status allows: the policy, and the rules for two persons.

    `returned_by` is the admin who may not prepare a second payment alone, if there is one."""
    if move.is_undo:
        return _find_refused_undo(move, actor, last_move)
    if move.target == "Accepted" and returned_by == actor.name:
        message = "You marked this claim as returned, so somebody else must accept it for a second payment."
        return Conflict(CODE, message, {"status": move.source, "by": actor.name})
    if move.target != "Paid":
        return None
    if policy.paid_needs_reference and not has_reference:
        return _policy_refuses("paidNeedsReference", "A claim cannot be marked Paid without its bank reference.")
    if last_move is None or last_move.moved_by != actor.name:
        return None
    if policy.two_persons:
        return _policy_refuses("twoPersons", "You accepted this claim, so somebody else must mark it Paid.")
    above = policy.second_look_above_paise
    if above is not None and amount_paise > above:
        sentence = f"You accepted this claim, and above {in_rupees(above)} somebody else must mark it Paid."
        return _policy_refuses("secondLookAbove", sentence)
    return None


_OTHERS = Statement(
    select(number(1))
    .where(
        admins.c.username_key != bindparam("name_key"),
        admins.c.disabled_at.is_(None),
        admins.c.role.in_([written(role) for role in sorted(ACCEPT.roles)]),
    )
    .limit(number(1))
)


async def is_alone(reader: Reader, actor: Actor) -> bool:
    """Whether nobody else may accept claims. A desk of one person still has to be able to pay again."""
    return not await reader.all(_OTHERS, {"name_key": name_key(actor.name)})


async def find_returned_by(reader: Reader, actor: Actor, current: CurrentClaim) -> str | None:
    return None if current.returned_by != actor.name or await is_alone(reader, actor) else actor.name


def find_missing_step_up(move: Move, policy: Policy, amount_paise: int) -> NeedsStepUp | None:
    above = policy.step_up_above_paise
    if move.target != "Paid" or above is None or amount_paise <= above:
        return None
    return NeedsStepUp("step_up_required", f"Above {in_rupees(above)} a payment needs a fresh second factor.")


def _policy_refuses(rule: Rule, sentence: str) -> Conflict:
    return Conflict("policy_refuses", sentence, {"rule": rule})


def _find_refused_undo(move: Move, actor: Actor, last_move: LastMove | None) -> Conflict | None:
    done = move.source.lower()
    if last_move is None:
        message = f"Nobody {done} this claim at the desk, so nobody can undo that."
        return Conflict(CODE, message, {"status": move.source})
    if last_move.moved_by == actor.name:
        return None
    at = iso(last_move.moved_at)
    message = f"{last_move.moved_by} {done} this claim, and only they can undo that."
    return Conflict(CODE, message, {"status": move.source, "by": last_move.moved_by, "at": at})


def reason_required(target: Target) -> InvalidInput:
    return InvalidInput({"reason": f"A reason is required to move this claim to {target}."})


def cannot_move(current: CurrentClaim, target: Target) -> Conflict:
    """Says who moved the claim and when, if anybody did: an admin who comes second wants to know just that."""
    status, last = current.status, current.last_move
    fields = {"status": status, "version": str(current.version)}
    if find_move(status, target) is not None:
        hint = "It has changed since you loaded it; check it again."
    else:
        *others, source = sources_of(target)
        either = f"{', '.join(others)} or {source}" if others else source
        hint = f"A claim that is {status} cannot become {target}; only one that is {either} can."
    if last is None:
        return Conflict(CODE, hint, fields)
    at = iso(last.moved_at)
    message = f"{last.moved_by} moved this claim to {status} at {at}."
    if status != target:
        message += f" {hint}"
    return Conflict(CODE, message, fields | {"by": last.moved_by, "at": at})
