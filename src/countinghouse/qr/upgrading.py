"""At server start, before it listens: reads and draws codes that were uploaded before the server could do so."""

import asyncio
from functools import partial
from typing import Any

import structlog
from sqlalchemy import Row, Select, bindparam, select

from countinghouse.audit.actions import COMMAND
from countinghouse.core.db import Cost, Database, Reader, Transaction
from countinghouse.core.errors import InvalidInput
from countinghouse.core.inputs import name_key
from countinghouse.qr.actions import read_columns, reading_details, store_picture
from countinghouse.qr.addresses import same_address
from countinghouse.qr.displaying import change_and_log, take_off_display
from countinghouse.qr.findings import Reading, judge
from countinghouse.qr.picture import Picture, Seen
from countinghouse.qr.picture_client import PictureWorker, draw_read
from countinghouse.qr.resource import QrVerb
from countinghouse.qr.rules import ConfirmBy, Viewer, find_viewer, is_second, text_when_confirmed
from countinghouse.qr.tables import qr_codes, qr_images

log = structlog.get_logger()

_UNREAD: Select[Any] = (
    select(qr_codes, qr_images.c.content, qr_images.c.sha256)
    .join_from(qr_codes, qr_images, qr_codes.c.upload_key == qr_images.c.key)
    .where(qr_codes.c.findings.is_(None))
    .order_by(qr_codes.c.id)
    .limit(1)
)
_STILL_UNREAD = (
    select(qr_codes)
    .where(qr_codes.c.id == bindparam("qr_id"), qr_codes.c.findings.is_(None))
    .with_for_update(of=qr_codes)
)


async def bring_up_to_date(database: Database) -> int:
    """Returns how many codes this call has read. If two servers start at once, only one of them stores each code."""
    stored = 0
    with PictureWorker() as worker:
        while True:
            code, viewer = await database.read(_find_unread, Cost.MEDIUM, snapshot=True)
            if code is None:
                break
            # Outside any transaction: reading a picture takes time.
            reading, drawn = await asyncio.to_thread(_examine, worker, code, viewer)
            stored += await database.write(partial(_store, code=code, viewer=viewer, reading=reading, drawn=drawn))
    if stored:
        log.info("qr_codes_drawn", count=stored)
    return stored


async def _find_unread(reader: Reader) -> tuple[Row[Any] | None, Viewer]:
    return await reader.first(_UNREAD), await find_viewer(reader, COMMAND.name)


def _examine(worker: PictureWorker, code: Row[Any], viewer: Viewer) -> tuple[Reading, Picture | None]:
    try:
        reading = judge(worker.read(code.content), code.upi_id)
    except InvalidInput:
        # Reading it takes longer than any genuine picture needs.
        reading = judge(Seen(), code.upi_id)
    confirm_by = _confirmed_by(code, viewer)
    try:
        drawn = draw_read(worker, reading)
        if drawn is None and confirm_by is not None and not reading.is_beyond_confirming:
            drawn = worker.draw(text_when_confirmed(code, reading, confirm_by))
    except InvalidInput:
        # A code that cannot be drawn and read back the same cannot be displayed.
        drawn = None
    return reading, drawn


def _confirmed_by(code: Row[Any], viewer: Viewer) -> ConfirmBy | None:
    if code.confirmed_at is None:
        return None
    return "second" if is_second(viewer, name_key(code.confirmed_by), code.uploaded_by) else "retype"


async def _store(
    transaction: Transaction, code: Row[Any], viewer: Viewer, reading: Reading, drawn: Picture | None
) -> bool:
    """False if another server stored it first."""
    current = await transaction.first(_STILL_UNREAD, {"qr_id": code.id})
    if current is None:
        return False
    image_key = current.image_key
    if image_key is None and drawn is not None:
        image_key = await store_picture(transaction, drawn)
    # A displayed code stays on display if the drawn code pays the typed address. Once it is hidden, its findings have
    # to be confirmed like any others.
    stays = current.status == "display" and reading.payee is not None and same_address(reading.payee, code.upi_id)
    is_confirmed = _confirmed_by(code, viewer) is not None
    is_cleared = image_key is not None and (not reading.findings or is_confirmed or stays)
    if current.status == "display" and not is_cleared:
        await take_off_display(transaction, COMMAND, current, reading_details(reading))
        log.warning("qr_code_taken_off_display", code=code.name, upi_id=code.upi_id, findings=list(reading.findings))
    values = {**read_columns(reading), "image_key": image_key, "is_cleared": is_cleared}
    after = {"name": code.name, "upiId": code.upi_id, "imageSha256": code.sha256} | reading_details(reading, drawn)
    await change_and_log(transaction, COMMAND, QrVerb.READ, code, values, after=after)
    return True
