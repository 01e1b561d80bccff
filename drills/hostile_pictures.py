"""Hostile pictures: what customers get pays only the checked address, by another reader; and no bomb is stored."""

import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from queue import SimpleQueue
from typing import Any

import cv2
import numpy as np
from sqlalchemy import Row, select, update

from countinghouse.admins.tables import admins
from countinghouse.audit.actions import Actor
from countinghouse.core.db import Transaction
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.times import now
from countinghouse.qr.actions import NewQr, QrConfirmRequest, confirm_qr, upload_qr, what_to_draw
from countinghouse.qr.addresses import same_address
from countinghouse.qr.displaying import display_qr
from countinghouse.qr.images import LONGEST_SIDE, MOST_PIXELS
from countinghouse.qr.payloads import find_payment
from countinghouse.qr.picture import LARGEST_FILE_BYTES
from countinghouse.qr.picture_client import Examined, PictureWorker, examine
from countinghouse.qr.rules import drawn_address
from countinghouse.qr.tables import qr_images
from tests.direct_database import DirectDatabase
from tests.event_loop import run
from tests.qr.doctored import Doctored

ASHA, RAVI = Actor("asha"), Actor("ravi")
AT_ONCE = 100
# For machines that are busy with other tests.
PATIENT_SECONDS = 60


@dataclass
class Shown:
    pictures: int = 0
    # The server took the file for no picture, or could not read it in time.
    refused: int = 0
    displayed: int = 0
    # Of those on display, how many the other reader could read. One that reads nothing would prove nothing.
    read: int = 0
    faults: list[str] = field(default_factory=list)


class _Undo(Exception):
    pass


def show_hostile_pictures(database_url: str, pictures: Iterator[Doctored], *, workers: int = 1) -> Shown:
    """Two admins do all they can to get each picture displayed; and then one admin, who is alone."""
    found, database = Shown(), DirectDatabase(database_url)
    try:
        for made, examined, worker in _examined(pictures, workers, found):
            for second in (RAVI, ASHA):
                with database.writing() as connection:
                    disabled_at = now() if second is ASHA else None
                    connection.execute(
                        update(admins).where(admins.c.username == RAVI.name).values(disabled_at=disabled_at)
                    )
                _try_to_display(database, worker, made, examined, second, found)
    finally:
        database.close()
    if not found.read > 0.9 * found.displayed > 0.3 * found.pictures:
        found.faults.append(f"Of {found.displayed} codes on display, {found.read} could be read: that shows nothing.")
    return found


def store_bombs(files: Iterable[tuple[str, bytes]]) -> Shown:
    found = Shown()
    with PictureWorker() as worker:
        for kind, content in files:
            found.pictures += 1
            try:
                picture, _ = worker.take(content)
            except InvalidInput:
                found.refused += 1
            else:
                found.faults += [f"Stored, {kind}: {problem}" for problem in problems_of(picture.content)]
    return found


def _examined(
    pictures: Iterator[Doctored], workers: int, found: Shown
) -> Iterator[tuple[Doctored, Examined, PictureWorker]]:
    with ExitStack() as stack:
        free: SimpleQueue[PictureWorker] = SimpleQueue()
        first, *others = (stack.enter_context(PictureWorker(PATIENT_SECONDS)) for _ in range(workers + 1))
        for worker in others:
            free.put(worker)

        def examine_one(made: Doctored) -> Examined | None:
            worker = free.get()
            try:
                return examine(worker, made.png, made.typed)
            except InvalidInput:
                return None
            finally:
                free.put(worker)

        pool = stack.enter_context(ThreadPoolExecutor(workers))
        while some := list(islice(pictures, AT_ONCE)):
            for made, examined in zip(some, pool.map(examine_one, some), strict=True):
                found.pictures += 1
                if examined is None:
                    found.refused += 1
                    continue
                found.faults += [f"Stored, {made.kind}: {one}" for one in problems_of(examined.picture.content)]
                yield made, examined, first


def _try_to_display(
    database: DirectDatabase, worker: PictureWorker, made: Doctored, examined: Examined, second: Actor, found: Shown
) -> None:
    """Everything is rolled back, so that thousands of pictures need no room."""
    shown: list[tuple[Row[Any], bytes]] = []

    async def display_and_read(transaction: Transaction) -> None:
        code = await upload_qr(transaction, ASHA, NewQr(name="Shop", upiId=made.typed), examined)
        if not code.is_cleared:
            text = await what_to_draw(transaction, second, code.id)
            drawn = None if text is None else worker.draw(text)
            asked = QrConfirmRequest(reason="As told.", payee=code.payee or code.upi_id)
            await confirm_qr(transaction, second, code.id, asked, text, drawn)
        for actor in (ASHA, second):
            code = await display_qr(transaction, actor, code.id, None, has_chosen=True)
        if code.status == "display":
            content = await transaction.scalar(select(qr_images.c.content).where(qr_images.c.key == code.image_key))
            shown.append((code, bytes(content)))
        raise _Undo

    with suppress(_Undo, Conflict, InvalidInput):
        run(database.write(display_and_read))
    for code, content in shown:
        _judge(made, code, content, found)


def _judge(made: Doctored, code: Row[Any], content: bytes, found: Shown) -> None:
    texts, checked = read_by_another(content), drawn_address(code)
    found.displayed += 1
    found.read += bool(texts)
    for text in texts:
        payment = find_payment(text)
        if payment is None or not same_address(payment.payee, checked):
            found.faults.append(f"{made.kind}: {checked} was checked, and customers get {text}.")
    # Another address than the typed one is on display only because an admin confirmed exactly that.
    if not same_address(checked, made.typed) and "other_payee" not in code.findings:
        found.faults.append(f"{made.kind}: {checked} is on display instead of {made.typed}, and nobody was warned.")
    found.faults += [f"Displayed, {made.kind}: {problem}" for problem in problems_of(content)]


@lru_cache(2 * AT_ONCE)
def read_by_another(png: bytes) -> tuple[str, ...]:
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    reader = cv2.QRCodeDetector()
    one, _, _ = reader.detectAndDecode(picture)
    _, several, _, _ = reader.detectAndDecodeMulti(picture)
    return tuple({text for text in (one, *several) if text})


def problems_of(png: bytes) -> list[str]:
    """What is in a stored file beside the pixels of a picture of bounded size. Reads the format by itself."""
    if not png.startswith(b"\x89PNG\r\n\x1a\n"):
        return ["It is no PNG."]
    problems, at, packed, kinds = [], 8, b"", Counter[bytes]()
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        kinds[kind] += 1
        packed += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, colours = struct.unpack(">IIBB", png[16:26])
    row_bytes = (width * depth * {0: 1, 2: 3}[colours] + 7) // 8 + 1
    unpacking = zlib.decompressobj()
    unpacked = unpacking.decompress(packed, row_bytes * height + 1)
    if set(kinds) != {b"IHDR", b"IDAT", b"IEND"} or kinds[b"IEND"] != 1 or at != len(png):
        problems.append(f"It has the parts {dict(kinds)}.")
    if max(width, height) > LONGEST_SIDE or width * height > MOST_PIXELS or len(png) > LARGEST_FILE_BYTES:
        problems.append(f"It has {width} by {height} pixels in {len(png):,} bytes.")
    if len(unpacked) != row_bytes * height or not unpacking.eof or unpacking.unused_data:
        problems.append("Its pixels are not those that its header announces.")
    return problems
