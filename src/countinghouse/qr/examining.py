"""From an uploaded file to what is stored of it: the picture, what it says, and the code that customers would get."""

import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert

from countinghouse.qr.confirming import ConfirmBy
from countinghouse.qr.findings import Reading, judge
from countinghouse.qr.links import payment_link
from countinghouse.qr.picture import Picture
from countinghouse.qr.picture_client import PictureWorker
from countinghouse.qr.tables import qr_images


@dataclass(frozen=True, slots=True)
class Examined:
    picture: Picture
    reading: Reading
    # None where it is decided later, by how the code is confirmed, or never.
    drawn: Picture | None


def examine(worker: PictureWorker, uploaded: bytes, upi_id: str) -> Examined:
    picture, seen = worker.take(uploaded)
    reading = judge(seen, upi_id)
    return Examined(picture, reading, draw_read(worker, reading))


def draw_read(worker: PictureWorker, reading: Reading) -> Picture | None:
    """A proper payment code is drawn from its own text, whoever confirms it."""
    if reading.payload is None or reading.payee is None:
        return None
    return worker.draw(reading.payload)


def text_when_confirmed(code: Row[Any], reading: Reading, way: ConfirmBy) -> str:
    """What is drawn where the picture gave no proper payment.

    One person alone never decides what an odd text means, and a picture that our reader cannot read may say anything to
    another one: then customers get a code of the address that was typed.
    """
    if way == "retype" or reading.payload is None:
        return payment_link(code.upi_id, code.name)
    return reading.payload


def store_picture(connection: Connection, picture: Picture) -> str:
    """Its key: random and unguessable, because whoever has the address may see the picture."""
    key = secrets.token_urlsafe(32)
    row = {"content": picture.content, "sha256": picture.sha256, "width": picture.width, "height": picture.height}
    connection.execute(insert(qr_images).values(row | {"key": key}))
    return key
