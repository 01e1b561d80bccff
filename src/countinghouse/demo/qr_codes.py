"""Made-up payment QR codes: two displayed, one hidden, one deleted long ago."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from sqlalchemy import insert, update

from countinghouse.audit.actions import Actor
from countinghouse.core.db import Transaction
from countinghouse.demo.clock import make_id
from countinghouse.demo.history import History
from countinghouse.qr.actions import FIRST_STATUS, NewQr, insert_qr
from countinghouse.qr.payloads import payment_link
from countinghouse.qr.picture_client import Examined, PictureWorker, examine
from countinghouse.qr.resource import QrVerb
from countinghouse.qr.tables import qr_codes, qr_displays


@dataclass(frozen=True, slots=True)
class Counter:
    """Times are relative to the opening of the business."""

    name: str
    upi_id: str
    displayed: timedelta
    hidden: timedelta | None = None
    deleted: timedelta | None = None

    def is_on_display(self, since_opening: timedelta) -> bool:
        end = self.hidden or self.deleted
        return self.displayed <= since_opening and (end is None or since_opening < end)


# Counter A is always displayed, so that there is a code to pay to for every purchase. At any time, another one is not.
COUNTERS = (
    Counter("Counter A", "countinghouse.demo1@okdemo", timedelta(minutes=9)),
    Counter("Counter B", "countinghouse.demo2@okdemo", timedelta(minutes=10), hidden=timedelta(days=83, hours=7)),
    Counter("Counter C", "countinghouse.demo3@okdemo", timedelta(minutes=12), deleted=timedelta(days=46, hours=2)),
    Counter("Counter D", "countinghouse.demo4@okdemo", timedelta(days=46, hours=3)),
)
_UPLOADED_BEFORE = timedelta(minutes=5)


def draw(worker: PictureWorker, upi_id: str) -> Examined:
    """Uses the same code path as an upload, so that the stored bytes are of the same kind."""
    return examine(worker, worker.draw(payment_link(upi_id, "Countinghouse Demo")).content, upi_id)


def draw_all() -> list[Examined]:
    with PictureWorker() as worker:
        return [draw(worker, counter.upi_id) for counter in COUNTERS]


async def write_counters(
    transaction: Transaction, rng: Random, opened: datetime, drawn: Sequence[Examined], history: History, actor: Actor
) -> None:
    mark = rng.getrandbits(40)
    for index, (counter, examined) in enumerate(zip(COUNTERS, drawn, strict=True)):
        displayed_at = opened + counter.displayed
        uploaded_at = displayed_at - _UPLOADED_BEFORE
        deleted_at = counter.deleted and opened + counter.deleted
        hidden_at = deleted_at or (counter.hidden and opened + counter.hidden)
        qr_id = make_id(mark, uploaded_at, index)
        new = NewQr(name=counter.name, upiId=counter.upi_id)
        uploaded = await insert_qr(transaction, qr_id, uploaded_at, actor, new, examined)
        current = {"status": "hide" if hidden_at else "display", "deleted_at": deleted_at}
        await transaction.execute(update(qr_codes).where(qr_codes.c.id == qr_id).values(current))
        display = {"name": counter.name, "shown_at": displayed_at, "hidden_at": hidden_at}
        display_id = make_id(mark, displayed_at, index)
        await transaction.execute(insert(qr_displays).values(id=display_id, qr_id=qr_id, **display))
        names = new.model_dump()
        displayed = {"status": "display", **names}
        history.add(uploaded_at, actor, QrVerb.UPLOADED, qr_id, None, uploaded)
        history.add(displayed_at, actor, QrVerb.STATUS_CHANGED, qr_id, {"status": FIRST_STATUS}, displayed)
        if deleted_at:
            history.add(deleted_at, actor, QrVerb.DELETED, qr_id, displayed, None)
        elif hidden_at:
            hidden = {"status": "hide", **names}
            history.add(hidden_at, actor, QrVerb.STATUS_CHANGED, qr_id, {"status": "display"}, hidden)
