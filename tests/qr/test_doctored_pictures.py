"""Three hundred doctored pictures: read by another decoder, what customers get pays only the checked address."""

from collections import Counter
from functools import cache, partial
from typing import Any

import cv2
import numpy as np
import pytest
from sqlalchemy import Connection, Row, insert, select

from countinghouse.admins.tables import admins
from countinghouse.audit.actions import Actor
from countinghouse.core.errors import Conflict
from countinghouse.qr.actions import NewQr, QrConfirmRequest, confirm_qr, set_qr_status, upload_qr, what_to_draw
from countinghouse.qr.addresses import same_address
from countinghouse.qr.payloads import find_payment
from countinghouse.qr.picture_client import Examined, PictureWorker, examine
from countinghouse.qr.rules import drawn_address
from countinghouse.qr.tables import qr_codes, qr_images
from tests.desk import NEWEST, Desk
from tests.direct_database import DirectDatabase
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.qr.doctored import Doctored, doctored_pictures

ASHA, RAVI = Actor("asha"), Actor("ravi")
PICTURES = 300
# Split into several tests, so that the test workers share the load.
PARTS = 3

pytestmark = on_one_engine


@cache
def read_by_another(png: bytes) -> tuple[str, ...]:
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    reader = cv2.QRCodeDetector()
    one, _, _ = reader.detectAndDecode(picture)
    _, several, _, _ = reader.detectAndDecodeMulti(picture)
    return tuple({text for text in (one, *several) if text})


def add_admin(connection: Connection, name: str) -> None:
    row = {"id": name.encode().hex().ljust(24, "0"), "created_at": NEWEST, "username": name, "username_key": name}
    connection.execute(insert(admins).values(row | {"password_hash": "none"}))


def try_to_display(
    database: DirectDatabase, worker: PictureWorker, made: Doctored, examined: Examined, second: Actor
) -> Row[Any] | None:
    """The displayed code, if these two admins (or the only one) can get it displayed; otherwise None."""
    new = NewQr(name="Shop", upiId=made.typed)
    code = run(database.write(lambda transaction: upload_qr(transaction, ASHA, new, examined)))
    try:
        if not code.is_cleared:
            text = run(database.read(lambda reader: what_to_draw(reader, second, code.id)))
            drawn = None if text is None else worker.draw(text)
            asked = QrConfirmRequest(reason="As told.", payee=code.payee or code.upi_id)
            run(database.write(lambda transaction: confirm_qr(transaction, second, code.id, asked, text, drawn)))
        for actor in (ASHA, second):
            code = run(database.write(partial(set_qr_status, actor=actor, qr_id=code.id, status="display")))
    except Conflict:
        return None
    return code


def given_to_customers(database: DirectDatabase, code: Row[Any]) -> bytes:
    with database.reading() as connection:
        content: bytes = connection.execute(
            select(qr_images.c.content).where(qr_images.c.key == code.image_key)
        ).scalar_one()
    return content


@pytest.mark.parametrize("part", range(PARTS))
def test_no_doctored_picture_makes_customers_pay_another_address(database: DirectDatabase, part: int) -> None:
    pictures = doctored_pictures()[part::PARTS]
    assert len(pictures) == PICTURES / PARTS
    with PictureWorker(seconds=60) as worker:
        examined = [(made, examine(worker, made.png, made.typed)) for made in pictures]
        # First with a single admin, who retypes the address; then with a second admin, who confirms.
        for second in (ASHA, RAVI):
            with database.writing() as connection:
                add_admin(connection, second.name)
            shown: Counter[bool] = Counter()
            for made, seen in examined:
                code = try_to_display(database, worker, made, seen, second)
                if code is not None:
                    shown[_pays_the_checked_address(database, made, code)] += 1
            # The other decoder must read nearly all of them: one that reads nothing would prove nothing.
            assert shown[True] > 0.9 * sum(shown.values()) > 100 / PARTS


def _pays_the_checked_address(database: DirectDatabase, made: Doctored, code: Row[Any]) -> bool:
    """Assert that every code found pays the checked address. False if the other decoder finds none."""
    assert code.status == "display"
    texts = read_by_another(given_to_customers(database, code))
    checked = drawn_address(code)
    for text in texts:
        payment = find_payment(text)
        assert payment is not None, made.kind
        assert same_address(payment.payee, checked), made.kind
    # Another address than the typed one is on display only because an admin confirmed exactly that.
    assert same_address(checked, made.typed) or "other_payee" in code.findings, made.kind
    return bool(texts)


def test_no_doctored_picture_gets_through_the_api_either(desk: Desk) -> None:
    for made in doctored_pictures()[::25]:
        code = desk.upload(made.png, upi_id=made.typed).json()
        desk.call("POST", f"/api/qr/{code['_id']}/confirm", by="ravi", json={"reason": "As told."})
        desk.display(code["_id"])
        for shown in desk.get("/api/qr", by=None).json():
            (row,) = desk.rows(select(qr_codes).where(qr_codes.c.id == shown["_id"]))
            for text in read_by_another(desk.get(shown["qrImage"], by=None).content):
                payment = find_payment(text)
                assert payment is not None
                assert same_address(payment.payee, drawn_address(row))
        desk.call("DELETE", f"/api/qr/{code['_id']}")
