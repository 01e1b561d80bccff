"""From an uploaded file to what is stored: the picture, what it contains, and the code that customers would get."""

import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, insert

from countinghouse.core.db import Transaction
from countinghouse.qr.confirming import ConfirmBy
from countinghouse.qr.findings import Reading, judge
from countinghouse.qr.payloads import payment_link
from countinghouse.qr.picture import Picture
from countinghouse.qr.picture_client import PictureWorker
from countinghouse.qr.tables import qr_images


@dataclass(frozen=True, slots=True)
class Examined:
    picture: Picture
    reading: Reading
    # None if it depends on how the code is confirmed, or if there will never be one.
    drawn: Picture | None


def examine(worker: PictureWorker, uploaded: bytes, upi_id: str) -> Examined:
    picture, seen = worker.take(uploaded)
    reading = judge(seen, upi_id)
    return Examined(picture, reading, draw_read(worker, reading))


def draw_read(worker: PictureWorker, reading: Reading) -> Picture | None:
    """A valid payment code is drawn from its own text, whoever confirms it."""
    if reading.payload is None or reading.payee is None:
        return None
    return worker.draw(reading.payload)


def text_when_confirmed(code: Row[Any], reading: Reading, confirm_by: ConfirmBy) -> str:
    """The text to draw if the picture contains no valid payment.

    One admin alone never decides what an odd text means, and a picture that our reader cannot read may contain anything
    for another reader. In these cases customers get a code made from the typed address.
    """
    if confirm_by == "retype" or reading.payload is None:
        return payment_link(code.upi_id, code.name)
    return reading.payload


async def store_picture(transaction: Transaction, picture: Picture) -> str:
    """Returns its key. The key is random and unguessable, because anybody who has the URL may see the picture."""
    key = secrets.token_urlsafe(32)
    row = {"content": picture.content, "sha256": picture.sha256, "width": picture.width, "height": picture.height}
    await transaction.execute(insert(qr_images).values(row | {"key": key}))
    return key
