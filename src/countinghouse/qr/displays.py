"""Records when a code was on display. Call these in the transaction that changes its status."""

from datetime import datetime

from sqlalchemy import case, insert, literal, update

from countinghouse.core.db import Transaction
from countinghouse.core.ids import new_id
from countinghouse.qr.tables import qr_displays


async def begin_display(transaction: Transaction, qr_id: str, name: str, at: datetime) -> None:
    await transaction.execute(insert(qr_displays).values(id=new_id(), qr_id=qr_id, name=name, shown_at=at))


async def end_display(transaction: Transaction, qr_id: str, at: datetime) -> None:
    """The end is never before the beginning, so that a code can be hidden even if the clock was set back meanwhile."""
    shown_at = qr_displays.c.shown_at
    hidden_at = case((shown_at > at, shown_at), else_=literal(at, shown_at.type))
    open_one = (qr_displays.c.qr_id == qr_id) & qr_displays.c.hidden_at.is_(None)
    await transaction.execute(update(qr_displays).where(open_one).values(hidden_at=hidden_at))
