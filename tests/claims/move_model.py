"""A reference model of moving claims in plain Python, without a database and without the application's code."""

from dataclasses import dataclass, field
from typing import Any

# A deliberate copy: a change to the application's table of moves must be made here too.
ALLOWED = {
    "Pending": ("Accepted", "On hold", "Rejected"),
    "Accepted": ("Paid", "Pending", "On hold", "Rejected"),
    "Paid": ("Returned",),
    "On hold": ("Pending", "Rejected"),
    "Rejected": ("Pending",),
    "Returned": ("Accepted", "On hold", "Rejected"),
}
STATUSES = tuple(ALLOWED)
UNDOS = {("Accepted", "Pending"), ("Rejected", "Pending")}
NO_REASON = {("Pending", "Accepted"), ("Returned", "Accepted"), ("Accepted", "Paid"), *UNDOS}


@dataclass(frozen=True)
class Asked:
    claim: int
    admin: str
    target: str
    version: int | None = None
    reason: str | None = None
    reference: str | None = None
    key: str | None = None

    @property
    def spelled(self) -> str | None:
        return None if self.reference is None else self.reference.replace("-", "").upper()


@dataclass
class Done:
    source: str
    target: str
    by: str
    reason: str | None
    reference: str | None
    payout_round: int


@dataclass
class ModelClaim:
    status: str = "Pending"
    payout_round: int = 0
    history: list[Done] = field(default_factory=list)

    @property
    def version(self) -> int:
        return len(self.history)

    @property
    def last(self) -> Done | None:
        """The move that led to the current status; None if the status was changed directly in the database."""
        return self.history[-1] if self.history and self.history[-1].target == self.status else None

    @property
    def is_paid_this_round(self) -> bool:
        return any(done.target == "Paid" and done.payout_round == self.payout_round for done in self.history)

    def shown(self) -> dict[str, Any]:
        return {"status": self.status, "version": self.version, "moves": list(ALLOWED[self.status])}


Outcome = tuple[str, dict[str, Any] | None]


class Model:
    def __init__(self, claims: int, *, two_persons: bool, needs_reference: bool) -> None:
        self.claims = [ModelClaim() for _ in range(claims)]
        self.two_persons = two_persons
        self.needs_reference = needs_reference
        self.keys: dict[tuple[str, str], tuple[Asked, dict[str, Any]]] = {}

    def move(self, asked: Asked) -> Outcome:
        """The error code of a refusal, or "moved" with the expected fields of the claim in the response."""
        if asked.reason is None and asked.target in ("On hold", "Rejected", "Returned"):
            return "invalid_input", None
        if asked.reference is not None and asked.target != "Paid":
            return "invalid_input", None
        if asked.key is None:
            return self._move(asked)
        known = self.keys.get((asked.admin, asked.key))
        if known is not None:
            return ("moved", known[1]) if _same(known[0], asked) else ("idempotency_key_reused", None)
        outcome = self._move(asked)
        if outcome[1] is not None:
            self.keys[asked.admin, asked.key] = (asked, outcome[1])
        return outcome

    def _move(self, asked: Asked) -> Outcome:
        claim = self.claims[asked.claim]
        if asked.target not in ALLOWED[claim.status] or asked.version not in (None, claim.version):
            return ("moved", claim.shown()) if self._is_repeat(claim, asked) else ("claim_cannot_move", None)
        if (claim.status, asked.target) not in NO_REASON and asked.reason is None:
            return "invalid_input", None
        is_own = claim.last is not None and claim.last.by == asked.admin
        if (claim.status, asked.target) in UNDOS and not is_own:
            return "claim_cannot_move", None
        if asked.target == "Paid":
            if self.needs_reference and asked.reference is None:
                return "policy_refuses", None
            if self.two_persons and is_own:
                return "policy_refuses", None
            if asked.reference is not None and asked.spelled in self.references():
                return "reference_taken", None
            if claim.is_paid_this_round:
                return "claim_cannot_move", None
        claim.payout_round += asked.target == "Returned"
        done = Done(claim.status, asked.target, asked.admin, asked.reason, asked.spelled, claim.payout_round)
        claim.history.append(done)
        claim.status = asked.target
        return "moved", claim.shown()

    def references(self) -> set[str]:
        return {done.reference for claim in self.claims for done in claim.history if done.reference is not None}

    @staticmethod
    def _is_repeat(claim: ModelClaim, asked: Asked) -> bool:
        last = claim.last
        return (
            last is not None
            and last.by == asked.admin
            and last.target == asked.target
            and asked.version in (None, claim.version, claim.version - 1)
            and asked.reason in (None, last.reason)
            and asked.spelled in (None, last.reference)
        )


def _same(one: Asked, other: Asked) -> bool:
    parts = ("claim", "target", "version", "reason", "spelled")
    return all(getattr(one, part) == getattr(other, part) for part in parts)
