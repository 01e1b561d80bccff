"""When a code was on display. Call these in the transaction that changes its status."""

from datetime import datetime

from sqlalchemy import Connection, insert, update

from countinghouse.core.ids import new_id
from countinghouse.qr.tables import qr_displays


def begin_display(connection: Connection, qr_id: str, name: str, at: datetime) -> None:
    connection.execute(insert(qr_displays).values(id=new_id(), qr_id=qr_id, name=name, shown_at=at))


def end_display(connection: Connection, qr_id: str, at: datetime) -> None:
    open_one = (qr_displays.c.qr_id == qr_id) & qr_displays.c.hidden_at.is_(None)
    connection.execute(update(qr_displays).where(open_one).values(hidden_at=at))
