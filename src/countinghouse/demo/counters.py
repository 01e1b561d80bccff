"""Made-up payment QR codes: two displayed, one hidden, one deleted long ago."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from sqlalchemy import insert

from countinghouse.audit.actions import Actor
from countinghouse.core.db import Transaction
from countinghouse.demo.clock import DAY, HOUR, MINUTE, to_moment
from countinghouse.demo.history import History
from countinghouse.demo.numbers import Ids
from countinghouse.qr.actions import FIRST_STATUS, drawn_details, read_columns, reading_details
from countinghouse.qr.examining import Examined, examine, store_picture
from countinghouse.qr.links import payment_link
from countinghouse.qr.picture_client import PictureWorker
from countinghouse.qr.queries import QrStatus
from countinghouse.qr.resource import QrVerb
from countinghouse.qr.tables import qr_codes, qr_displays

_PAYEE = "Countinghouse Demo"


@dataclass(frozen=True, slots=True)
class Counter:
    """Times are relative to the opening of the business."""

    name: str
    upi_id: str
    uploaded: int
    displayed: int
    hidden: int | None = None
    deleted: int | None = None


# Counter A is always displayed, so that there is a code to pay to for every purchase.
_COUNTERS = (
    Counter("Counter A", "countinghouse.demo1@okdemo", 4 * MINUTE, 9 * MINUTE),
    Counter("Counter B", "countinghouse.demo2@okdemo", 6 * MINUTE, 10 * MINUTE, hidden=83 * DAY + 7 * HOUR),
    Counter("Counter C", "countinghouse.demo3@okdemo", 7 * MINUTE, 12 * MINUTE, deleted=46 * DAY + 3 * HOUR),
    Counter("Counter D", "countinghouse.demo4@okdemo", 46 * DAY + 2 * HOUR, 46 * DAY + 2 * HOUR + 5 * MINUTE),
)


def draw(worker: PictureWorker, upi_id: str) -> Examined:
    """Uses the same code path as an upload, so that the stored bytes are of the same kind."""
    return examine(worker, worker.draw(payment_link(upi_id, _PAYEE)).content, upi_id)


def draw_all() -> list[Examined]:
    with PictureWorker() as worker:
        return [draw(worker, counter.upi_id) for counter in _COUNTERS]


class Counters:
    def __init__(self, rng: Random, opened_ms: int) -> None:
        self._ids = Ids(rng)
        self._opened_ms = opened_ms

    @property
    def names(self) -> list[str]:
        return [counter.name for counter in _COUNTERS]

    def on_display(self, at_ms: int) -> list[str]:
        since = at_ms - self._opened_ms
        return [
            counter.name
            for counter in _COUNTERS
            if counter.displayed <= since
            and (counter.hidden is None or since < counter.hidden)
            and (counter.deleted is None or since < counter.deleted)
        ]

    async def write(self, transaction: Transaction, drawn: Sequence[Examined], history: History, actor: Actor) -> None:
        for index, (counter, examined) in enumerate(zip(_COUNTERS, drawn, strict=True)):
            reading = examined.reading
            qr_id = self._ids.make(self._opened_ms + counter.uploaded, index)
            is_gone = counter.hidden is not None or counter.deleted is not None
            await transaction.execute(
                insert(qr_codes).values(
                    id=qr_id,
                    created_at=self._moment(counter.uploaded),
                    name=counter.name,
                    upi_id=counter.upi_id,
                    upload_key=await store_picture(transaction, examined.picture),
                    image_key=await store_picture(transaction, examined.drawn) if examined.drawn else None,
                    status="hide" if is_gone else "display",
                    deleted_at=self._moment(counter.deleted),
                    uploaded_by=actor.name,
                    is_cleared=not reading.findings,
                    **read_columns(reading),
                )
            )
            await transaction.execute(
                insert(qr_displays).values(
                    id=self._ids.make(self._opened_ms + counter.displayed, index),
                    qr_id=qr_id,
                    name=counter.name,
                    shown_at=self._moment(counter.displayed),
                    hidden_at=self._moment(counter.hidden or counter.deleted),
                )
            )
            sha256 = examined.picture.sha256
            uploaded = {"imageSha256": sha256, **reading_details(reading), **drawn_details(examined.drawn)}
            self._log(history, actor, qr_id, counter, uploaded)

    def _moment(self, since_opening: int | None) -> datetime | None:
        return None if since_opening is None else to_moment(self._opened_ms + since_opening)

    def _log(self, history: History, actor: Actor, qr_id: str, counter: Counter, uploaded: Mapping[str, Any]) -> None:
        names = {"name": counter.name, "upiId": counter.upi_id}

        def log_status(at: int, before: QrStatus, after: QrStatus) -> None:
            history.tell(
                self._opened_ms + at,
                actor,
                QrVerb.STATUS_CHANGED,
                qr_id,
                {"status": before},
                {"status": after, **names},
            )

        after = {**names, "status": FIRST_STATUS, **uploaded}
        history.tell(self._opened_ms + counter.uploaded, actor, QrVerb.UPLOADED, qr_id, after=after)
        log_status(counter.displayed, FIRST_STATUS, "display")
        if counter.hidden is not None:
            log_status(counter.hidden, "display", "hide")
        if counter.deleted is not None:
            before = {**names, "status": "display"}
            history.tell(self._opened_ms + counter.deleted, actor, QrVerb.DELETED, qr_id, before)
