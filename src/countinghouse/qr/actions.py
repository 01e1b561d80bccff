"""Changing QR codes."""

import secrets
from dataclasses import asdict
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from sqlalchemy import Row, bindparam, insert, select

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Reader, Transaction
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.examples import body_examples
from countinghouse.core.ids import new_id
from countinghouse.core.inputs import Body, PlainText
from countinghouse.core.times import now
from countinghouse.qr.addresses import LONGEST_ADDRESS, is_address, same_address
from countinghouse.qr.as_logged import check_as_logged
from countinghouse.qr.displaying import NO_REQUEST, Details, change_and_log, end_display, names_of
from countinghouse.qr.findings import Reading
from countinghouse.qr.picture import Picture
from countinghouse.qr.picture_client import Examined
from countinghouse.qr.queries import QrStatus, get_qr, reading_of
from countinghouse.qr.resource import QrVerb
from countinghouse.qr.rules import find_viewer, how_to_confirm, say_why_not, text_when_confirmed
from countinghouse.qr.tables import qr_codes, qr_images

# Customers see no code until an admin displays it.
FIRST_STATUS: QrStatus = "hide"


def _upi_address(text: str) -> str:
    if not is_address(text):
        raise ValueError("is not a UPI address; it must look like name@bank.")
    return text


_SHA256 = select(qr_images.c.sha256).where(qr_images.c.key == bindparam("key"))

QrName = Annotated[PlainText, Field(min_length=1, max_length=80)]
UpiId = Annotated[str, Field(min_length=1, max_length=LONGEST_ADDRESS), AfterValidator(_upi_address)]


class NewQr(Body):
    model_config = body_examples({"name": "Desk 1", "upiId": "desk1@okbank"})

    name: QrName
    upiId: UpiId  # noqa: N815 - the field name of the API


async def upload_qr(transaction: Transaction, actor: Actor, new: NewQr, examined: Examined) -> Row[Any]:
    qr_id = new_id()
    after = await insert_qr(transaction, qr_id, now(), actor, new, examined)
    await record(transaction, actor, QrVerb.UPLOADED, qr_id, after=after)
    return await get_qr(transaction, qr_id)


async def insert_qr(
    transaction: Transaction, qr_id: str, at: datetime, actor: Actor, new: NewQr, examined: Examined
) -> Details:
    """Returns what the audit log says about it."""
    reading, drawn = examined.reading, examined.drawn
    await transaction.execute(
        insert(qr_codes).values(
            id=qr_id,
            created_at=at,
            name=new.name,
            upi_id=new.upiId,
            upload_key=await store_picture(transaction, examined.picture),
            image_key=None if drawn is None else await store_picture(transaction, drawn),
            status=FIRST_STATUS,
            uploaded_by=actor.name,
            is_cleared=not reading.findings,
            **read_columns(reading),
        )
    )
    after = {"name": new.name, "upiId": new.upiId, "status": FIRST_STATUS, "imageSha256": examined.picture.sha256}
    return after | reading_details(reading, drawn)


async def store_picture(transaction: Transaction, picture: Picture) -> str:
    """Returns its key. The key is random and unguessable, because anybody who has the URL may see the picture."""
    key = secrets.token_urlsafe(32)
    row = {"content": picture.content, "sha256": picture.sha256, "width": picture.width, "height": picture.height}
    await transaction.execute(insert(qr_images).values(row | {"key": key}))
    return key


def read_columns(reading: Reading) -> dict[str, str | None]:
    return asdict(reading) | {"findings": reading.stored_findings}


def reading_details(reading: Reading, drawn: Picture | None = None) -> Details:
    """The fields of a reading in the audit log."""
    details = {"payee": reading.payee, "fixedAmount": reading.fixed_amount, "findings": list(reading.findings)}
    if reading.payload is not None:
        details["textSha256"] = sha256(reading.payload.encode()).hexdigest()
    return details if drawn is None else details | {"drawnSha256": drawn.sha256}


class QrConfirmRequest(Body):
    model_config = body_examples({"reason": "Our second account.", "payee": None})

    reason: Annotated[PlainText, Field(min_length=3, max_length=500)]
    payee: Annotated[str, Field(max_length=LONGEST_ADDRESS)] | None = None


async def what_to_draw(reader: Reader, actor: Actor, qr_id: str) -> str | None:
    """The text that must be drawn before this admin confirms the code, if any. Refuses nothing yet."""
    code = await get_qr(reader, qr_id)
    reading = reading_of(code)
    confirm_by = how_to_confirm(await find_viewer(reader, actor.name), code.uploaded_by, reading)
    if confirm_by is None or reading is None or code.image_key is not None:
        return None
    return text_when_confirmed(code, reading, confirm_by)


async def confirm_qr(
    transaction: Transaction, actor: Actor, qr_id: str, asked: QrConfirmRequest, text: str | None, drawn: Picture | None
) -> Row[Any]:
    """`drawn` is the QR code made from `text`, which customers will get."""
    code = await get_qr(transaction, qr_id, for_change=True)
    reading = reading_of(code)
    if code.is_cleared:
        raise Conflict("qr_already_confirmed", "This code needs no confirmation, or is already confirmed.")
    viewer = await find_viewer(transaction, actor.name, for_change=True)
    confirm_by = how_to_confirm(viewer, code.uploaded_by, reading)
    if confirm_by is None or reading is None:
        refused = "second_admin_needed"
        if reading is None or reading.is_beyond_confirming:
            refused = "qr_not_read" if reading is None else "qr_beyond_confirming"
        raise Conflict(refused, say_why_not(viewer, code.uploaded_by, reading, code.upi_id))
    if confirm_by == "retype" and not asked.payee:
        raise InvalidInput({"payee": "Type the address that this code pays."})
    if confirm_by == "retype" and not same_address((asked.payee or "").strip(), reading.payee or code.upi_id):
        raise InvalidInput({"payee": "That is not the address that this code pays. Check it and type it again."})
    await check_as_logged(transaction, code)
    values = {"is_cleared": True, "confirmed_by": actor.name, "confirmed_at": now(), "confirm_reason": asked.reason}
    if code.image_key is None:
        if drawn is None or text != text_when_confirmed(code, reading, confirm_by):
            # An admin was enabled or disabled while it was drawn.
            raise Conflict(
                "qr_changed", "The admins of this desk have changed in the meantime. Confirm the code again."
            )
        values["image_key"] = await store_picture(transaction, drawn)
    sha256 = await transaction.scalar(_SHA256, {"key": code.upload_key})
    confirmed = {"imageSha256": sha256, "reason": asked.reason, "by": confirm_by}
    after = names_of(code) | confirmed | reading_details(reading, drawn)
    await change_and_log(transaction, actor, QrVerb.CONFIRMED, code, values, after=after)
    return await get_qr(transaction, qr_id)


async def delete_qr(transaction: Transaction, actor: Actor, qr_id: str) -> None:
    """Removes it from every list. Its record, pictures and history stay for the audit."""
    code = await get_qr(transaction, qr_id, for_change=True)
    at = now()
    await end_display(transaction, qr_id, at)
    gone = {"deleted_at": at, "status": "hide", **NO_REQUEST}
    before = names_of(code) | {"status": code.status}
    if code.display_requested_by is not None:
        before["requestedBy"] = code.display_requested_by
    await change_and_log(transaction, actor, QrVerb.DELETED, code, gone, before=before)
