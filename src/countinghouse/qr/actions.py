"""Changing QR codes."""

import secrets
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row, bindparam, insert, select, update

from countinghouse.audit.actions import Actor, Verb, record
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.ids import new_id
from countinghouse.core.inputs import PlainText
from countinghouse.core.times import now
from countinghouse.qr.addresses import LONGEST_ADDRESS, is_address, same_address
from countinghouse.qr.confirming import find_viewer, how_to_confirm, say_why_not
from countinghouse.qr.displays import begin_display, end_display
from countinghouse.qr.findings import Reading
from countinghouse.qr.images import Picture
from countinghouse.qr.queries import QrStatus, get_qr, reading_of
from countinghouse.qr.tables import qr_codes, qr_images

# Nothing is shown to paying customers until an admin displays it.
FIRST_STATUS: QrStatus = "hide"


def _upi_address(text: str) -> str:
    if not is_address(text):
        raise ValueError("is no UPI address; it looks like name@bank.")
    return text


_SHA256 = select(qr_images.c.sha256).where(qr_images.c.key == bindparam("key"))

QrName = Annotated[PlainText, Field(min_length=1, max_length=80)]
UpiId = Annotated[str, Field(min_length=1, max_length=LONGEST_ADDRESS), AfterValidator(_upi_address)]


class NewQr(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Desk 1", "upiId": "desk1@okbank"}]})

    name: QrName
    upiId: UpiId  # noqa: N815 - the call's own field name


def upload_qr(connection: Connection, actor: Actor, new: NewQr, picture: Picture, reading: Reading) -> Row[Any]:
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
            id=qr_id,
            created_at=now(),
            name=new.name,
            upi_id=new.upiId,
            image_key=key,
            status=FIRST_STATUS,
            uploaded_by=actor.name,
            is_cleared=not reading.findings,
            **read_columns(reading),
        )
    )
    after = {"name": new.name, "upiId": new.upiId, "status": FIRST_STATUS, "imageSha256": picture.sha256}
    record(connection, actor, Verb.QR_UPLOADED, qr_id, after=after | told_reading(reading))
    return get_qr(connection, qr_id)


def read_columns(reading: Reading) -> dict[str, str | None]:
    return {
        "findings": ",".join(reading.findings),
        "payee": reading.payee,
        "payee_name": reading.payee_name,
        "fixed_amount": reading.fixed_amount,
    }


def told_reading(reading: Reading) -> dict[str, Any]:
    """In the words of the log."""
    return {"payee": reading.payee, "fixedAmount": reading.fixed_amount, "findings": list(reading.findings)}


def set_qr_status(connection: Connection, actor: Actor, qr_id: str, status: QrStatus) -> Row[Any]:
    """Setting the status it has already changes nothing, and leaves no row in the log."""
    code = get_qr(connection, qr_id, for_change=True)
    if code.status == status:
        return code
    at = now()
    if status == "display":
        if not code.is_cleared:
            viewer = find_viewer(connection, actor.name)
            raise Conflict("qr_not_confirmed", say_why_not(viewer, code.uploaded_by, reading_of(code), code.upi_id))
        begin_display(connection, qr_id, code.name, at)
    else:
        end_display(connection, qr_id, at)
    # What was on display before pictures were read stays there; once taken down it has to be confirmed like any other.
    is_cleared = code.findings == "" or code.confirmed_at is not None or status == "display"
    connection.execute(update(qr_codes).where(qr_codes.c.id == qr_id).values(status=status, is_cleared=is_cleared))
    after = {"status": status, "name": code.name, "upiId": code.upi_id}
    record(connection, actor, Verb.QR_STATUS_CHANGED, qr_id, before={"status": code.status}, after=after)
    return get_qr(connection, qr_id)


class QrConfirmRequest(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"reason": "Our second account.", "payee": None}]})

    reason: Annotated[PlainText, Field(min_length=3, max_length=500)]
    payee: Annotated[str, Field(max_length=LONGEST_ADDRESS)] | None = None


def confirm_qr(connection: Connection, actor: Actor, qr_id: str, asked: QrConfirmRequest) -> Row[Any]:
    code = get_qr(connection, qr_id, for_change=True)
    reading = reading_of(code)
    if code.is_cleared:
        raise Conflict("qr_already_confirmed", "This code can be displayed already: there is nothing to confirm.")
    viewer = find_viewer(connection, actor.name)
    way = how_to_confirm(viewer, code.uploaded_by, reading)
    if way is None or reading is None:
        refused = "qr_not_read" if reading is None else "second_admin_needed"
        raise Conflict(refused, say_why_not(viewer, code.uploaded_by, reading, code.upi_id))
    if way == "retype":
        _check_retyped(asked.payee, reading.payee or code.upi_id)
    at = now()
    confirmed = {"is_cleared": True, "confirmed_by": actor.name, "confirmed_at": at, "confirm_reason": asked.reason}
    connection.execute(update(qr_codes).where(qr_codes.c.id == qr_id).values(confirmed))
    sha256 = connection.execute(_SHA256, {"key": code.image_key}).scalar_one()
    after = {"name": code.name, "upiId": code.upi_id, "imageSha256": sha256, "reason": asked.reason}
    record(connection, actor, Verb.QR_CONFIRMED, qr_id, after=after | told_reading(reading) | {"by": way})
    return get_qr(connection, qr_id)


def _check_retyped(typed: str | None, expected: str) -> None:
    if not typed:
        raise InvalidInput({"payee": "Type the address that this code pays."})
    if not same_address(typed.strip(), expected):
        raise InvalidInput({"payee": "That is not the address that this code pays. Read it once more, and type it."})


def delete_qr(connection: Connection, actor: Actor, qr_id: str) -> None:
    """Takes it off every list; its record, picture and history stay for the audit."""
    code = get_qr(connection, qr_id, for_change=True)
    at = now()
    end_display(connection, qr_id, at)
    connection.execute(update(qr_codes).where(qr_codes.c.id == qr_id).values(deleted_at=at, status="hide"))
    before = {"name": code.name, "upiId": code.upi_id, "status": code.status}
    record(connection, actor, Verb.QR_DELETED, qr_id, before=before)
