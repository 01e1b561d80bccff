"""Whether what is stored about the codes is still true: for `countinghouse doctor`."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from countinghouse.qr.findings import judge
from countinghouse.qr.queries import reading_of
from countinghouse.qr.reading import read_codes
from countinghouse.qr.tables import qr_codes, qr_displays, qr_images


def find_altered_pictures(connection: Connection) -> Iterator[str]:
    for code, picture in _each(connection):
        if sha256(picture.content).hexdigest() != picture.sha256:
            yield f"The picture of {_called(code)} is not the one that was uploaded: its hash differs."


def find_changed_readings(connection: Connection) -> Iterator[str]:
    """Of codes that no server has read yet nothing is recorded."""
    for code, picture in _each(connection):
        recorded = reading_of(code)
        if recorded is not None and judge(read_codes(picture.content), code.upi_id) != recorded:
            yield f"The picture of {_called(code)} does not say what is recorded of it."


def find_wrong_displays(connection: Connection) -> Iterator[str]:
    """A code is on display exactly while one of its times has no end, and what is on display was cleared."""
    still_shown = set(connection.scalars(select(qr_displays.c.qr_id).where(qr_displays.c.hidden_at.is_(None))))
    for code in connection.execute(select(qr_codes).order_by(qr_codes.c.created_at, qr_codes.c.id)):
        is_displayed = code.status == "display"
        if is_displayed and code.id not in still_shown:
            yield f"{_called(code)} is on display, but nothing tells since when."
        if not is_displayed and code.id in still_shown:
            yield f"{_called(code)} is hidden, but nothing tells since when."
        if is_displayed and not code.is_cleared:
            yield f"{_called(code)} is on display, but was never cleared for it."


def _each(connection: Connection) -> Iterator[tuple[Row[Any], Row[Any]]]:
    """One picture in memory at a time, the deleted codes' too."""
    one: Select[Any] = select(qr_images.c.content, qr_images.c.sha256)
    for code in connection.execute(select(qr_codes).order_by(qr_codes.c.created_at, qr_codes.c.id)).all():
        yield code, connection.execute(one.where(qr_images.c.key == code.image_key)).one()


def _called(code: Row[Any]) -> str:
    return f"{code.name} ({code.upi_id}, {code.id})"


# What each is called on the terminal.
QR_CHECKS = {
    "QR pictures are as uploaded": find_altered_pictures,
    "QR pictures say what is recorded": find_changed_readings,
    "QR displays agree with statuses": find_wrong_displays,
}
