"""Checks that what is stored about the codes is still true: for `countinghouse doctor`."""

from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any

from sqlalchemy import Row, Select, select

from countinghouse.core.db import Reader
from countinghouse.core.errors import InvalidInput
from countinghouse.qr.addresses import same_address
from countinghouse.qr.findings import judge
from countinghouse.qr.payloads import find_payment
from countinghouse.qr.picture import Seen
from countinghouse.qr.picture_client import NotRead, PictureWorker
from countinghouse.qr.queries import reading_of
from countinghouse.qr.rules import drawn_address
from countinghouse.qr.tables import qr_codes, qr_displays, qr_images

# Nobody waits for it, and a busy machine may take long.
PATIENT_SECONDS = 60.0


async def find_altered_pictures(reader: Reader) -> AsyncIterator[str]:
    for code in await _all_codes(reader):
        for key in (code.upload_key, code.image_key):
            picture = None if key is None else await _picture(reader, key)
            if picture is not None and sha256(picture.content).hexdigest() != picture.sha256:
                yield f"A picture of {_label(code)} is not the one that was stored: its hash differs."


async def find_changed_readings(reader: Reader) -> AsyncIterator[str]:
    """Skips codes that no server has read yet, because nothing is recorded about them."""
    with PictureWorker(PATIENT_SECONDS) as worker:
        for code in await _all_codes(reader):
            recorded = reading_of(code)
            try:
                is_changed = recorded and judge(await _read(worker, reader, code.upload_key), code.upi_id) != recorded
            except NotRead:
                yield _not_read(code)
            else:
                if is_changed:
                    yield f"The picture of {_label(code)} does not contain what was recorded from it."


async def find_wrong_drawings(reader: Reader) -> AsyncIterator[str]:
    """The customers' code must contain the text that was checked, and pay the address it was checked for."""
    with PictureWorker(PATIENT_SECONDS) as worker:
        for code in await _all_codes(reader):
            try:
                is_wrong = code.image_key is not None and not await _is_as_checked(reader, worker, code)
            except NotRead:
                yield _not_read(code)
            else:
                if is_wrong:
                    yield f"The code that customers get for {_label(code)} is not the code that was checked."


async def _is_as_checked(reader: Reader, worker: PictureWorker, code: Row[Any]) -> bool:
    seen = await _read(worker, reader, code.image_key)
    if len(seen.texts) != 1 or seen != Seen(seen.texts):
        return False
    (text,) = seen.texts
    payment = find_payment(text)
    pays_rightly = payment is not None and (
        payment.payee == code.payee or same_address(payment.payee, drawn_address(code))
    )
    is_checked_text = bool(text == code.payload)
    # If no payment was read, it must be the exact text that a second admin confirmed, or drawn from the UPI ID.
    return is_checked_text or pays_rightly if code.payee is None else is_checked_text and pays_rightly


async def _read(worker: PictureWorker, reader: Reader, key: str) -> Seen:
    picture = await _picture(reader, key)
    try:
        return worker.read(picture.content)
    except NotRead:
        raise
    except InvalidInput:
        return Seen()


async def find_wrong_displays(reader: Reader) -> AsyncIterator[str]:
    """A code is displayed exactly while one of its display periods is open, and every displayed code was cleared."""
    still_shown = set(await reader.scalars(select(qr_displays.c.qr_id).where(qr_displays.c.hidden_at.is_(None))))
    for code in await _all_codes(reader):
        is_displayed = code.status == "display"
        if is_displayed and code.id not in still_shown:
            yield f"{_label(code)} is on display, but no record says since when."
        if not is_displayed and code.id in still_shown:
            yield f"{_label(code)} is hidden, but no record says since when."
        if is_displayed and not code.is_cleared:
            yield f"{_label(code)} is on display, but was never cleared for display."


async def _all_codes(reader: Reader) -> list[Row[Any]]:
    """Including deleted ones."""
    return await reader.rows(select(qr_codes).order_by(qr_codes.c.created_at, qr_codes.c.id))


async def _picture(reader: Reader, key: str) -> Row[Any]:
    """Reads one picture at a time, to limit memory."""
    one: Select[Any] = select(qr_images.c.content, qr_images.c.sha256).where(qr_images.c.key == key)
    return await reader.one(one)


def _not_read(code: Row[Any]) -> str:
    """Never the sentence of a swapped code: on a busy machine, that would be a false alarm."""
    return f"A picture of {_label(code)} could not be read in time, so nothing is known about it: check again."


def _label(code: Row[Any]) -> str:
    return f"{code.name} ({code.upi_id}, {code.id})"


# The labels on the terminal.
QR_CHECKS = {
    "QR pictures match their stored hashes": find_altered_pictures,
    "QR pictures contain what was recorded": find_changed_readings,
    "QR codes for customers are the codes that were checked": find_wrong_drawings,
    "QR display periods agree with statuses": find_wrong_displays,
}
