"""Reading pictures that came before the desk could read: in the background of a server that starts."""

from threading import Event, Thread
from typing import Any

import structlog
from sqlalchemy import Connection, Row, Select, bindparam, case, select, update
from sqlalchemy.exc import DBAPIError

from countinghouse.audit.actions import COMMAND, Verb, record
from countinghouse.core.database import Database
from countinghouse.qr.actions import read_columns, told_reading
from countinghouse.qr.findings import Reading, judge
from countinghouse.qr.reading import read_codes
from countinghouse.qr.tables import qr_codes, qr_images

log = structlog.get_logger()

RETRY_SECONDS = 10.0

_UNREAD: Select[Any] = (
    select(qr_codes.c.id, qr_codes.c.name, qr_codes.c.upi_id, qr_images.c.content, qr_images.c.sha256)
    .join_from(qr_codes, qr_images)
    .where(qr_codes.c.findings.is_(None))
    .order_by(qr_codes.c.id)
    .limit(1)
)
# What is on display stays there, whatever was found: its admins are shown what it is.
_NOTE = (
    update(qr_codes)
    .where(qr_codes.c.id == bindparam("qr_id"), qr_codes.c.findings.is_(None))
    .values(
        findings=bindparam("found"),
        payee=bindparam("pays"),
        payee_name=bindparam("pays_name"),
        fixed_amount=bindparam("asks"),
        is_cleared=case((qr_codes.c.status == "display", True), else_=bindparam("is_well")),
    )
)


def read_unread(database: Database, stop: Event | None = None) -> int:
    """How many this call has read. Each is read outside the transaction that notes it, and noted once."""
    noted = 0
    while stop is None or not stop.is_set():
        with database.reading() as connection:
            code = connection.execute(_UNREAD).first()
        if code is None:
            break
        reading = judge(read_codes(code.content), code.upi_id)
        with database.writing() as connection:
            noted += _note(connection, code, reading)
    return noted


def _note(connection: Connection, code: Row[Any], reading: Reading) -> bool:
    """False if another server was quicker."""
    columns = read_columns(reading)
    values = {
        "qr_id": code.id,
        "found": columns["findings"],
        "pays": columns["payee"],
        "pays_name": columns["payee_name"],
        "asks": columns["fixed_amount"],
        "is_well": not reading.findings,
    }
    if connection.execute(_NOTE, values).rowcount != 1:
        return False
    after = {"name": code.name, "upiId": code.upi_id, "imageSha256": code.sha256}
    record(connection, COMMAND, Verb.QR_READ, code.id, after=after | told_reading(reading))
    return True


class UnreadReader:
    """Runs beside the server until all is read, and ends with it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stop = Event()
        self._thread = Thread(target=self._work, name="unread-qr-codes", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Waits for the picture at hand, which takes some seconds at most."""
        self._stop.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._stop.is_set():
            try:
                noted = read_unread(self._database, self._stop)
            except DBAPIError as error:
                log.warning("qr_pictures_not_read", error=str(error.orig))
                self._stop.wait(RETRY_SECONDS)
            else:
                if noted:
                    log.info("qr_pictures_read", count=noted)
                return
