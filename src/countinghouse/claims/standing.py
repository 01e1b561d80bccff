"""The current state of a claim and who moved it there: what the decision on a move is based on."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, bindparam

from countinghouse.claims.lifecycle import Status
from countinghouse.claims.queries import CLAIMS, IS_LAST_MOVE, Claim, claim_not_found, read_claim
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.db import Reader, Statement
from countinghouse.core.ids import is_id
from countinghouse.core.times import to_moment


@dataclass(frozen=True, slots=True)
class LastMove:
    moved_by: str
    moved_at: datetime
    reason: str | None
    reference: str | None


@dataclass(frozen=True, slots=True)
class Standing:
    status: Status
    version: int
    payout_round: int
    amount_paise: int
    # The move to its current status; None if it began there or was moved directly in the database.
    last_move: LastMove | None
    claim: Claim


_STANDING = Statement(
    CLAIMS.select_rows(claims)
    .add_columns(
        claims.c.status,
        claims.c.version,
        claims.c.payout_round,
        claims.c.amount_paise,
        claim_transitions.c.moved_by,
        claim_transitions.c.moved_at,
        claim_transitions.c.reason,
        payout_references.c.reference,
    )
    .outerjoin(claim_transitions, IS_LAST_MOVE)
    .outerjoin(
        payout_references,
        and_(payout_references.c.claim_id == claims.c.id, payout_references.c.number == claims.c.version),
    )
    .where(claims.c.id == bindparam("claim_id"))
)


async def get_standing(reader: Reader, claim_id: str) -> Standing:
    found = await reader.all(_STANDING, {"claim_id": claim_id}) if is_id(claim_id) else []
    if not found:
        raise claim_not_found()
    *item, status, version, payout_round, amount_paise, by, at, reason, reference = found[0]
    move = None if by is None else LastMove(by, to_moment(at), reason, reference)
    return Standing(status, version, payout_round, amount_paise, move, read_claim(tuple(item)))
