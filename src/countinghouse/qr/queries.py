"""Reading QR codes and their pictures."""

import re
from typing import Any, Literal

from pydantic import with_config
from sqlalchemy import Connection, Row, Select, bindparam, select, type_coerce
from typing_extensions import TypedDict

from countinghouse.core.errors import NotFound
from countinghouse.core.ids import is_id
from countinghouse.core.times import MomentText
from countinghouse.qr.tables import qr_codes, qr_images

QrStatus = Literal["display", "hide"]

IMAGE_PATH = "/qr-images"
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")


@with_config(
    json_schema_extra={
        "examples": [
            {
                "_id": "6917e2f4a1b2c3d4e5000004",
                "createdAt": "2026-11-15T02:52:36.120Z",
                "name": "Desk 1",
                "upiId": "desk1@okbank",
                "qrImage": "https://desk.example.in/qr-images/vX0c9lYt2mZr8KqB4nHs5w.png",
                "status": "display",
            }
        ]
    }
)
class QrCode(TypedDict):
    _id: str
    createdAt: str
    name: str
    upiId: str
    qrImage: str
    status: QrStatus


def select_qr_codes(*, only_displayed: bool = False) -> Select[Any]:
    """Newest first; a deleted code is in no list."""
    codes = select(
        qr_codes.c.id,
        type_coerce(qr_codes.c.created_at, MomentText).label("created_at"),
        qr_codes.c.name,
        qr_codes.c.upi_id,
        qr_codes.c.image_key,
        qr_codes.c.status,
    ).where(qr_codes.c.deleted_at.is_(None))
    if only_displayed:
        codes = codes.where(qr_codes.c.status == "display")
    return codes.order_by(qr_codes.c.created_at.desc(), qr_codes.c.id.desc())


_ONE_QR = select_qr_codes().where(qr_codes.c.id == bindparam("qr_id"))
# SQLite has no such thing and needs none: its writer is alone.
_ONE_QR_HELD = _ONE_QR.with_for_update(of=qr_codes)
# Of a deleted code not even the picture is given out any more.
_PICTURE = (
    select(qr_images.c.content)
    .join_from(qr_images, qr_codes)
    .where(qr_images.c.key == bindparam("key"), qr_codes.c.deleted_at.is_(None))
)


def to_qr_code(row: Row[Any], public_url: str) -> QrCode:
    return {
        "_id": row.id,
        "createdAt": row.created_at,
        "name": row.name,
        "upiId": row.upi_id,
        "qrImage": f"{public_url}{IMAGE_PATH}/{row.image_key}.png",
        "status": row.status,
    }


def get_qr(connection: Connection, qr_id: str, *, for_change: bool = False) -> Row[Any]:
    """For a change the row is held, so that what the log says was there before is what was there."""
    statement = _ONE_QR_HELD if for_change else _ONE_QR
    found = connection.execute(statement, {"qr_id": qr_id}).first() if is_id(qr_id) else None
    if found is None:
        raise NotFound("qr_not_found", "There is no such QR code. It may have been deleted.")
    return found


def get_picture(connection: Connection, key: str) -> bytes:
    content: bytes | None = None
    if _KEY.fullmatch(key):
        content = connection.execute(_PICTURE, {"key": key}).scalar_one_or_none()
    if content is None:
        raise NotFound("qr_image_not_found", "There is no such picture.")
    return content
