"""A client withdraws their claim: it becomes Rejected by an ordinary move, and nothing is deleted."""

from pydantic import with_config
from sqlalchemy import bindparam, select
from typing_extensions import TypedDict

from countinghouse.audit.actions import Actor
from countinghouse.claims.actions import MoveRequest, move_claim
from countinghouse.claims.lifecycle import FIRST, Status
from countinghouse.claims.rules import CurrentClaim, get_current_claim
from countinghouse.claims.tables import claims
from countinghouse.core.db import Change, Statement
from countinghouse.core.errors import Conflict
from countinghouse.intake.correcting import changed_by_others, not_found

REASON = "Withdrawn by client"
_TRIES = 5


@with_config(
    json_schema_extra={
        "examples": [{"_id": "6917e2f4a1b2c3d4e5000003", "externalId": "c-1001", "status": "Rejected", "version": 1}]
    }
)
class Withdrawn(TypedDict):
    _id: str
    externalId: str
    status: Status
    version: int


_FIND = Statement(select(claims.c.id).where(claims.c.external_id == bindparam("external_id")))


async def withdraw_claim(change: Change, actor: Actor, external_id: str) -> Withdrawn:
    """Repeating it changes nothing and gets the same answer."""
    claim_id = await change.scalar(_FIND, {"external_id": external_id})
    if claim_id is None:
        raise not_found("claim")
    for _ in range(_TRIES):
        current = await get_current_claim(change, claim_id)
        if _is_withdrawn(current):
            return _answer(claim_id, external_id, current.status, current.version)
        if current.status != FIRST:
            message = f"This claim is {current.status}; only a {FIRST} one can be withdrawn."
            raise Conflict("claim_not_pending", message, {"status": current.status})
        try:
            # With the version: a claim that an admin accepts meanwhile must not be rejected by this.
            request = MoveRequest("Rejected", current.version, REASON)
            moved = await move_claim(change, actor, claim_id, request)
        except Conflict:
            # It has moved since it was read.
            continue
        return _answer(claim_id, external_id, moved.claim["status"], moved.claim["version"])
    raise changed_by_others("claim")


def _is_withdrawn(current: CurrentClaim) -> bool:
    last = current.last_move
    return current.status == "Rejected" and last is not None and last.reason == REASON


def _answer(claim_id: str, external_id: str, status: Status, version: int) -> Withdrawn:
    return {"_id": claim_id, "externalId": external_id, "status": status, "version": version}
