"""Reading QR codes and their pictures."""

import re
from typing import Annotated, Any, Literal

from sqlalchemy import Row, Select, bindparam, or_, select
from typing_extensions import TypedDict

from countinghouse.core.db import Reader, Statement
from countinghouse.core.errors import NotFound
from countinghouse.core.examples import Example, described
from countinghouse.core.ids import is_id
from countinghouse.core.masking import Plain, Reference
from countinghouse.core.numbers import with_letter
from countinghouse.core.times import iso
from countinghouse.qr.findings import QrFinding, Reading, read_findings, say_findings, say_reading
from countinghouse.qr.rules import (
    ConfirmBy,
    DisplayBy,
    DisplayRules,
    find_approvers,
    find_requester,
    how_to_confirm,
    say_display,
    say_what_is_needed,
    what_display_does,
)
from countinghouse.qr.tables import qr_codes, qr_images

QrStatus = Literal["display", "hide"]

IMAGE_PATH = "/qr-images"
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")


@described
class ShownQr(TypedDict):
    """What a paying customer may know of a code."""

    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000004")]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    name: Annotated[str, Example("Desk 1")]
    upiId: Annotated[Reference, Example("desk1@okbank")]
    qrImage: Annotated[Plain, Example("https://desk.example.in/qr-images/vX0c9lYt2mZr8KqB4nHs5w.png")]
    status: Annotated[QrStatus, Example("hide")]


@described
class QrReading(TypedDict):
    payee: Annotated[Reference | None, Example("other@okbank")]
    payeeName: Annotated[str | None, Example("Acme Traders")]
    sentence: Annotated[str, Example("This code pays other@okbank, Acme Traders.")]
    findings: list[QrFinding]


@described
class QrConfirmation(TypedDict):
    by: Annotated[str, Example("ravi")]
    at: Annotated[str, Example("2026-11-15T03:10:00.000Z")]
    reason: Annotated[str, Example("Our second account.")]


@described
class QrDisplayRequest(TypedDict):
    by: Annotated[str, Example("asha")]
    at: Annotated[str, Example("2026-11-15T03:10:00.000Z")]
    # The id of the code that goes off display when the request is approved.
    replaces: Annotated[str | None, Example(None)]


@described
class QrCode(ShownQr):
    number: Annotated[Plain, Example("Q-10003")]
    # The uploaded picture. `qrImage` is what customers get or would get, or this picture while that is undecided.
    uploadedImage: Annotated[Plain, Example("https://desk.example.in/qr-images/Kq0pXw3vZb7RtY1mN6cLhA.png")]
    # Whether `qrImage` was drawn by the server from the text that was checked.
    isDrawn: Annotated[bool, Example(True)]
    uploadedBy: Annotated[str | None, Example("asha")]
    reading: QrReading
    canDisplay: Annotated[bool, Example(False)]
    # What this admin has to do to confirm it; null if they cannot confirm it.
    confirmBy: Annotated[ConfirmBy | None, Example("second")]
    # What it needs before it can be displayed; empty if nothing. The findings say why.
    confirmNote: Annotated[str, Example("Needs a second admin's approval.")]
    confirmed: Annotated[QrConfirmation | None, Example(None)]
    # The request to display it, while a second admin has not decided.
    displayRequest: Annotated[QrDisplayRequest | None, Example(None)]
    # What Display does for this admin; null if it cannot be displayed or already is.
    displayBy: Annotated[DisplayBy | None, Example(None)]
    # The same as a sentence; empty if Display takes effect at once.
    displayNote: Annotated[str, Example("")]
    # The names of the admins who can approve a display that this admin asks for; empty if it needs no approval.
    approvers: Annotated[list[str], Example([])]


def select_qr_codes() -> Select[Any]:
    """Newest first, without deleted codes."""
    newest_first = qr_codes.c.created_at.desc(), qr_codes.c.id.desc()
    return select(qr_codes).where(qr_codes.c.deleted_at.is_(None)).order_by(*newest_first)


_ONE_QR = select_qr_codes().where(qr_codes.c.id == bindparam("qr_id"))
# SQLite has no row locks and needs none: it allows one writer at a time.
_LOCK_QR = _ONE_QR.with_for_update(of=qr_codes)
# Always in the same order, so that two transactions that lock the same two codes never wait for each other.
_LOCK_TWO = (
    select(qr_codes)
    .where(qr_codes.c.id.in_([bindparam("qr_id"), bindparam("other_id")]))
    .order_by(qr_codes.c.id)
    .with_for_update(of=qr_codes)
)
_DISPLAYED = Statement(select_qr_codes().where(qr_codes.c.status == "display", qr_codes.c.image_key.is_not(None)))
# The picture of a deleted code is no longer served either.
_PICTURE = Statement(
    select(qr_images.c.content, (qr_codes.c.upload_key == qr_images.c.key).label("is_upload"))
    .join_from(
        qr_codes,
        qr_images,
        or_(
            (qr_codes.c.upload_key == bindparam("key")) & (qr_images.c.key == qr_codes.c.upload_key),
            or_(qr_codes.c.image_key == bindparam("key"), qr_codes.c.former_key == bindparam("key"))
            & (qr_images.c.key == qr_codes.c.image_key),
        ),
    )
    .where(qr_codes.c.deleted_at.is_(None))
    # The former key of another code never hides the picture of this one.
    .order_by((qr_codes.c.former_key == bindparam("key")).is_(True))
)


def image_address(public_url: str, key: str) -> str:
    return f"{public_url}{IMAGE_PATH}/{key}.png"


async def list_displayed(reader: Reader, public_url: str) -> list[ShownQr]:
    """What customers see: only codes that were checked."""
    return [to_shown_qr(row, public_url) for row in await reader.rows(_DISPLAYED)]


def to_shown_qr(row: Row[Any], public_url: str) -> ShownQr:
    return {
        "_id": row.id,
        "createdAt": iso(row.created_at),
        "name": row.name,
        "upiId": row.upi_id,
        "qrImage": image_address(public_url, row.image_key or row.upload_key),
        "status": row.status,
    }


def to_qr_code(row: Row[Any], rules: DisplayRules, public_url: str) -> QrCode:
    viewer = rules.viewer
    reading = reading_of(row)
    confirmed: QrConfirmation | None = None
    if row.confirmed_at is not None:
        confirmed = {"by": row.confirmed_by, "at": iso(row.confirmed_at), "reason": row.confirm_reason}
    requester = find_requester(rules, row)
    request: QrDisplayRequest | None = None
    if requester is not None:
        request = {"by": requester, "at": iso(row.display_requested_at), "replaces": row.display_replaces}
    return {
        **to_shown_qr(row, public_url),
        "number": with_letter(qr_codes, row.number),
        "uploadedImage": image_address(public_url, row.upload_key),
        "isDrawn": row.image_key is not None,
        "uploadedBy": row.uploaded_by,
        "reading": {
            "payee": row.payee,
            "payeeName": row.payee_name,
            "sentence": say_reading(reading),
            "findings": say_findings(reading, row.upi_id),
        },
        "canDisplay": row.is_cleared,
        "confirmBy": None if row.is_cleared else how_to_confirm(viewer, row.uploaded_by, reading),
        "confirmNote": "" if row.is_cleared else say_what_is_needed(viewer, row.uploaded_by, reading),
        "confirmed": confirmed,
        "displayRequest": request,
        "displayBy": what_display_does(rules, row),
        "displayNote": say_display(rules, row),
        "approvers": find_approvers(rules, row),
    }


def reading_of(row: Row[Any]) -> Reading | None:
    """None while nobody has read its picture."""
    if row.findings is None:
        return None
    return Reading(read_findings(row.findings), row.payee, row.payee_name, row.fixed_amount, row.payload)


async def get_qr(reader: Reader, qr_id: str, *, for_change: bool = False) -> Row[Any]:
    """With `for_change` the row is locked, so that the log's "before" is what really was there before."""
    statement = _LOCK_QR if for_change else _ONE_QR
    return _found(await reader.first(statement, {"qr_id": qr_id}) if is_id(qr_id) else None)


async def lock_codes(reader: Reader, qr_id: str, other_id: str | None) -> tuple[Row[Any], Row[Any] | None]:
    """Locks a code, and another one, which may be a deleted one. The other is None if there is no such code."""
    other_id = other_id if other_id is not None and is_id(other_id) else qr_id
    rows = await reader.rows(_LOCK_TWO, {"qr_id": qr_id, "other_id": other_id}) if is_id(qr_id) else []
    by_id = {row.id: row for row in rows}
    code = by_id.pop(qr_id, None)
    return _found(None if code is None or code.deleted_at else code), by_id.get(other_id)


def _found(code: Row[Any] | None) -> Row[Any]:
    if code is None:
        raise NotFound("qr_not_found", "There is no such QR code. It may have been deleted.")
    return code


async def get_picture(reader: Reader, key: str) -> tuple[bytes, bool]:
    """The picture with this key, and whether it is an uploaded one, which only admins may see."""
    found = await reader.all(_PICTURE, {"key": key}) if _KEY.fullmatch(key) else []
    if not found:
        raise NotFound("qr_image_not_found", "There is no such picture.")
    content, is_upload = found[0]
    return bytes(content), bool(is_upload)
