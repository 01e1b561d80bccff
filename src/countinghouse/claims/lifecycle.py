"""The moves of a claim, as data. The database, the rules and the answers all use this one table."""

from dataclasses import dataclass
from typing import Literal, get_args

from countinghouse.admins.permissions import Permission, Role, permission

Status = Literal["Pending", "Accepted", "Paid", "On hold", "Rejected", "Returned"]
# The statuses a claim can move to. Pending is the target of Release and of the undos.
Target = Status
# How prominent the button of a move is. Red is reserved for deletion and failure, so there is no tone for it.
Tone = Literal["neutral", "primary"]

STATUSES: tuple[Status, ...] = get_args(Status)
FIRST: Status = "Pending"
# Neither paid nor rejected: money that may still be paid out. A claim that the bank returned is to be paid again.
IN_FLIGHT: tuple[Status, ...] = ("Pending", "Accepted", "On hold", "Returned")

ACCEPT = permission("claims.accept", Role.PAYER, Role.REVIEWER)
HOLD = permission("claims.hold", Role.PAYER, Role.REVIEWER)
REJECT = permission("claims.reject", Role.PAYER, Role.REVIEWER)
PAY = permission("claims.pay", Role.PAYER)
RETURN = permission("claims.return", Role.PAYER)


@dataclass(frozen=True, slots=True)
class Move:
    """One step. `verb` is the label of the action; an undo is only for the admin who made the last move."""

    source: Status
    target: Target
    verb: str
    permission: Permission
    needs_reason: bool = False
    is_undo: bool = False
    tone: Tone = "neutral"


MOVES: tuple[Move, ...] = (
    Move("Pending", "Accepted", "Accept", ACCEPT),
    Move("Returned", "Accepted", "Accept", ACCEPT),
    Move("Accepted", "Paid", "Paid Success", PAY, tone="primary"),
    Move("Accepted", "Pending", "Undo Accept", ACCEPT, is_undo=True),
    Move("Pending", "On hold", "Put on hold", HOLD, needs_reason=True),
    Move("Accepted", "On hold", "Put on hold", HOLD, needs_reason=True),
    Move("Returned", "On hold", "Put on hold", HOLD, needs_reason=True),
    Move("On hold", "Pending", "Release", HOLD, needs_reason=True),
    Move("Pending", "Rejected", "Reject", REJECT, needs_reason=True),
    Move("Accepted", "Rejected", "Reject", REJECT, needs_reason=True),
    Move("On hold", "Rejected", "Reject", REJECT, needs_reason=True),
    Move("Returned", "Rejected", "Reject", REJECT, needs_reason=True),
    Move("Rejected", "Pending", "Undo Reject", REJECT, is_undo=True),
    Move("Paid", "Returned", "Mark as returned", RETURN, needs_reason=True),
)


def moves_from(status: Status) -> tuple[Move, ...]:
    return tuple(move for move in MOVES if move.source == status)


def moves_to(target: Target) -> tuple[Move, ...]:
    return tuple(move for move in MOVES if move.target == target)


def sources_of(target: Target) -> tuple[Status, ...]:
    return tuple(move.source for move in moves_to(target))


def permissions_for(target: Target) -> tuple[Permission, ...]:
    """One of them is needed to move a claim there; the move itself needs its own."""
    return tuple(dict.fromkeys(move.permission for move in moves_to(target)))


def find_move(source: Status, target: Target) -> Move | None:
    return next((move for move in MOVES if move.source == source and move.target == target), None)


def round_after(target: Target, payout_round: int) -> int:
    """A claim that the bank returned may be paid again: from then on, a payout belongs to a new round."""
    return payout_round + (target == "Returned")
