"""From an uploaded file to what is stored of it: the picture, what it says, and the code that customers would get."""

import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, literal, select

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


def text_when_confirmed(code: Row[Any], reading: Reading, way: ConfirmBy) -> str | None:
    """What is drawn where the picture gave no proper payment; None where customers get the uploaded picture itself.

    One person alone never decides what an odd picture means, and a code that is plainly there may say anything to
    another reader: then customers get a code of the address that was typed.
    """
    if way == "retype" or (reading.payload is None and "unread_code" in reading.findings):
        return payment_link(code.upi_id, code.name)
    return reading.payload


def store_picture(connection: Connection, picture: Picture) -> str:
    """Its key: random and unguessable, because whoever has the address may see the picture."""
    key = secrets.token_urlsafe(32)
    row = {"content": picture.content, "sha256": picture.sha256, "width": picture.width, "height": picture.height}
    connection.execute(insert(qr_images).values(row | {"key": key}))
    return key


def copy_picture(connection: Connection, key: str) -> str:
    """The same picture under another address: the first one stays with the admins."""
    new = secrets.token_urlsafe(32)
    names = ["content", "sha256", "width", "height"]
    copied = select(literal(new), *(qr_images.c[name] for name in names)).where(qr_images.c.key == key)
    connection.execute(insert(qr_images).from_select(["key", *names], copied))
    return new
