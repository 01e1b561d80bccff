"""QR codes: their pictures go through the same examination as an upload, and nothing imported is displayed."""

import base64
import binascii
import re
from pathlib import Path
from typing import Any

from sqlalchemy import bindparam, select

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.errors import InvalidInput
from countinghouse.importing.converting import Problem
from countinghouse.importing.report import Outcome
from countinghouse.importing.rows import ImportedQr
from countinghouse.importing.storing import IMPORTED
from countinghouse.importing.values import shown
from countinghouse.qr.actions import insert_qr
from countinghouse.qr.picture import LARGEST_FILE_BYTES
from countinghouse.qr.picture_client import Examined, PictureWorker, examine
from countinghouse.qr.resource import QrVerb
from countinghouse.qr.tables import qr_codes, qr_images

_DATA_URL = re.compile(r"data:image/[a-z+.-]+;base64,(?P<content>[A-Za-z0-9+/=\s]+)")

_STORED = Statement(
    select(qr_codes.c.name, qr_codes.c.upi_id, qr_images.c.sha256)
    .join_from(qr_codes, qr_images, qr_codes.c.upload_key == qr_images.c.key)
    .where(qr_codes.c.id == bindparam("qr_id"))
)


def read_picture(picture: Any, folder: Path) -> bytes:
    """`folder` is where the source is. A path that leads out of it is refused."""
    if isinstance(picture, bytes):
        content = bytes(picture)
    elif not isinstance(picture, str):
        raise InvalidInput({"picture": "picture must be a file, a data URL or a path."})
    elif picture.startswith("data:"):
        content = _from_data_url(picture)
    elif "://" in picture:
        raise InvalidInput({"picture": "picture is an address. Download the picture and name its path."})
    else:
        content = _from_file(picture, folder)
    if len(content) > LARGEST_FILE_BYTES:
        raise InvalidInput({"picture": f"picture is larger than {LARGEST_FILE_BYTES // 1024 // 1024} MB."})
    return content


def _from_data_url(written: str) -> bytes:
    found = _DATA_URL.fullmatch(written) if len(written) < 2 * LARGEST_FILE_BYTES else None
    try:
        if found:
            return base64.b64decode(found["content"])
    except binascii.Error:
        pass
    raise InvalidInput({"picture": "picture is not a data URL of an image in base64."})


def _from_file(written: str, folder: Path) -> bytes:
    root = folder.resolve()
    try:
        path = (root / written.lstrip("/\\").replace("\\", "/")).resolve()
        if path.is_relative_to(root) and path.is_file() and path.stat().st_size <= LARGEST_FILE_BYTES:
            return path.read_bytes()
    except (OSError, ValueError):
        pass
    raise InvalidInput({"picture": "picture names no file of at most 5 MB in the folder of the source."})


def examine_qr(worker: PictureWorker, row: ImportedQr, folder: Path) -> Examined | list[Problem]:
    try:
        return examine(worker, read_picture(row.picture, folder), row.upiId)
    except InvalidInput as error:
        return [Problem("picture", shown(row.picture), sentence) for sentence in error.fields.values()]


async def find_stored_qr(reader: Reader, row: ImportedQr, examined: Examined) -> tuple[Outcome, list[Problem]] | None:
    """None if the desk has no such code; a deleted one counts."""
    found = await reader.all(_STORED, {"qr_id": row.id})
    if not found:
        return None
    name, upi_id, sha256 = found[0]
    differing = [
        Problem(field, ours, f"{field} is {theirs} in the desk. Nothing was changed.")
        for field, ours, theirs in (("name", row.name, name), ("upiId", row.upiId, upi_id))
        if ours != theirs
    ]
    if sha256 != examined.picture.sha256:
        differing.append(Problem("picture", "", "picture is another one in the desk. Nothing was changed."))
    return ("conflict", differing) if differing else ("unchanged", [])


async def store_qr(transaction: Transaction, actor: Actor, row: ImportedQr, examined: Examined) -> None:
    after = await insert_qr(transaction, row.id, row.created_at, actor, row, examined)
    await record(transaction, actor, QrVerb.UPLOADED, row.id, after=after | {"by": IMPORTED})
