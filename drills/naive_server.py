"""The control: the server with the usual mistake, a move that reads, decides and then writes. The races must catch it.

It has no rule in its database either: every row of its history passes the unique constraints.
"""

from itertools import count
from random import SystemRandom

from sqlalchemy import bindparam, update

from countinghouse.audit.actions import INSERT_AUDIT_ROW, Actor, record_values
from countinghouse.claims import routes
from countinghouse.claims.actions import MoveRequest
from countinghouse.claims.lifecycle import find_move
from countinghouse.claims.move_keys import Moved
from countinghouse.claims.queries import select_claim
from countinghouse.claims.resource import ClaimVerb
from countinghouse.claims.rules import cannot_move, get_current_claim
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.db import Change, Guarded, NewRow
from countinghouse.core.ids import new_id
from countinghouse.core.times import now

_WRITE = Guarded(
    claims,
    update(claims).where(claims.c.id == bindparam("claim_id")).values(status=bindparam("to_status")),
    key="claim_id",
    then=(NewRow(claim_transitions, {column.name: column.name for column in claim_transitions.c}), INSERT_AUDIT_ROW),
    answer=select_claim,
)
# Numbers of its own in each server.
_numbers = count(SystemRandom().randrange(2**30))


async def move_claim_naively(change: Change, actor: Actor, claim_id: str, asked: MoveRequest) -> Moved:
    current = await get_current_claim(change, claim_id)
    if find_move(current.status, asked.target) is None:
        raise cannot_move(current, asked.target)
    number = next(_numbers)
    row = {
        "id": new_id(),
        "claim_id": claim_id,
        "from_status": current.status,
        "to_status": asked.target,
        "moved_by": actor.name,
        "moved_at": now(),
        "number": number,
        "payout_round": number,
        "reason": None,
    }
    before, after = {"status": current.status}, {"status": asked.target}
    await change.guarded(_WRITE, row | record_values(actor, ClaimVerb.MOVED, claim_id, before=before, after=after))
    return Moved((await get_current_claim(change, claim_id)).claim)


def be_naive() -> None:
    """Runs in the process of the server."""
    setattr(routes, "move_claim", move_claim_naively)  # noqa: B010 - not an exported name of that module
