"""Answering complaints."""

from countinghouse.complaints.resource import ComplaintVerb
from countinghouse.complaints.tables import complaints
from sqlalchemy import bindparam, update

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Statement, Transaction
from countinghouse.core.errors import Conflict
from countinghouse.core.times import now

_ANSWER = Statement(
    update(complaints)
    .where(complaints.c.id == bindparam("complaint_id"), complaints.c.answered_at.is_(None))
    .values(answered_at=bindparam("at"))
)


async def answer_complaint(transaction: Transaction, actor: Actor, complaint_id: str) -> None:
    if await transaction.execute(_ANSWER, {"complaint_id": complaint_id, "at": now()}) == 0:
        raise Conflict("complaint_answered", "There is no such complaint, or it has been answered.")
    await record(transaction, actor, ComplaintVerb.ANSWERED, complaint_id)
