"""Checks that claims agree with their recorded moves: for `countinghouse doctor`."""

from collections.abc import AsyncIterator

from sqlalchemy import and_, exists, func, or_, select

from countinghouse.audit.tables import audit_log
from countinghouse.claims.lifecycle import FIRST
from countinghouse.claims.resource import ClaimVerb
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.db import Reader


async def find_moved_directly(reader: Reader) -> AsyncIterator[str]:
    """Skips claims that have never moved here: nothing but their status is known."""
    last = claim_transitions.alias("last")
    joined = claims.outerjoin(last, and_(last.c.claim_id == claims.c.id, last.c.number == claims.c.version))
    differs = or_(last.c.to_status.is_(None), last.c.to_status != claims.c.status)
    # A correction, too, gives a claim a new version.
    log = audit_log.c
    correction = exists().where(log.subject_id == claims.c.id, log.verb == str(ClaimVerb.CORRECTED))
    is_corrected = and_(claims.c.status == FIRST, correction)
    moved = select(claims.c.id, claims.c.status, last.c.to_status).select_from(joined)
    for claim in await reader.rows(moved.where(claims.c.version > 0, differs, ~is_corrected).order_by(claims.c.id)):
        last_move = f"its last recorded move was to {claim.to_status}" if claim.to_status else None
        yield f"Claim {claim.id} is {claim.status}, but {last_move or 'no recorded move explains that'}."
    later = claim_transitions.join(claims, claim_transitions.c.claim_id == claims.c.id)
    unknown = select(claims.c.id).distinct().select_from(later).where(claim_transitions.c.number > claims.c.version)
    for claim_id in await reader.scalars(unknown.order_by(claims.c.id)):
        yield f"Claim {claim_id} has recorded moves that are newer than its version."


async def find_repeated_payouts(reader: Reader) -> AsyncIterator[str]:
    """The unique index of the database forbids this, as long as it exists and is intact."""
    payouts = claim_transitions.c.claim_id, claim_transitions.c.payout_round
    paid = select(*payouts, func.count().label("times")).where(claim_transitions.c.to_status == "Paid")
    for payout in await reader.rows(paid.group_by(*payouts).having(func.count() > 1).order_by(*payouts)):
        yield f"Claim {payout.claim_id} was moved to Paid {payout.times} times without being sent back in between."


# The labels on the terminal.
CLAIM_CHECKS = {
    "Claims have the status of their last move": find_moved_directly,
    "No claim was paid twice": find_repeated_payouts,
}
