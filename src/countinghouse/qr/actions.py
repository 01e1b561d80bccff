"""Changing QR codes."""

import re
import secrets
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field
from sqlalchemy import Connection, Row, insert, update

from countinghouse.audit.actions import Actor, Verb, record
from countinghouse.core.ids import new_id
from countinghouse.core.inputs import PlainText
from countinghouse.core.times import now
from countinghouse.qr.images import Picture
from countinghouse.qr.queries import QrStatus, get_qr
from countinghouse.qr.tables import qr_codes, qr_images

# Nothing is shown to paying customers until an admin displays it.
FIRST_STATUS: QrStatus = "hide"

_UPI_ID = re.compile(r"[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9.-]{1,63}")


def _upi_address(text: str) -> str:
    if not _UPI_ID.fullmatch(text):
        raise ValueError("is no UPI address; it looks like name@bank.")
    return text


class NewQr(BaseModel):
    name: Annotated[PlainText, Field(min_length=1, max_length=80)]
    upiId: Annotated[str, Field(min_length=1, max_length=320), AfterValidator(_upi_address)]  # noqa: N815 - the call's own field name


def upload_qr(connection: Connection, actor: Actor, new: NewQr, picture: Picture) -> Row[Any]:
    qr_id, key = new_id(), secrets.token_urlsafe(32)
    connection.execute(
        insert(qr_images).values(
            key=key,
            content=picture.content,
            sha256=picture.sha256,
            width=picture.width,
            height=picture.height,
        )
    )
    connection.execute(
        insert(qr_codes).values(
            id=qr_id, created_at=now(), name=new.name, upi_id=new.upiId, image_key=key, status=FIRST_STATUS
        )
    )
    after = {"name": new.name, "upiId": new.upiId, "status": FIRST_STATUS, "imageSha256": picture.sha256}
    record(connection, actor, Verb.QR_UPLOADED, qr_id, after=after)
    return get_qr(connection, qr_id)


def set_qr_status(connection: Connection, actor: Actor, qr_id: str, status: QrStatus) -> Row[Any]:
    """Setting the status it has already changes nothing, and leaves no row in the log."""
    code = get_qr(connection, qr_id, for_change=True)
    if code.status == status:
        return code
    connection.execute(update(qr_codes).where(qr_codes.c.id == qr_id).values(status=status))
    after = {"status": status, "name": code.name, "upiId": code.upi_id}
    record(connection, actor, Verb.QR_STATUS_CHANGED, qr_id, before={"status": code.status}, after=after)
    return get_qr(connection, qr_id)


def delete_qr(connection: Connection, actor: Actor, qr_id: str) -> None:
    """Takes it off every list; its record, picture and history stay for the audit."""
    code = get_qr(connection, qr_id, for_change=True)
    connection.execute(update(qr_codes).where(qr_codes.c.id == qr_id).values(deleted_at=now(), status="hide"))
    before = {"name": code.name, "upiId": code.upi_id, "status": code.status}
    record(connection, actor, Verb.QR_DELETED, qr_id, before=before)
