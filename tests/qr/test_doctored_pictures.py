"""Doctored pictures through the API. The drill of hostile pictures has many more."""

from sqlalchemy import select

from countinghouse.qr.addresses import same_address
from countinghouse.qr.payloads import find_payment
from countinghouse.qr.rules import drawn_address
from countinghouse.qr.tables import qr_codes
from drills.hostile_pictures import read_by_another
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.qr.doctored import doctored_pictures


@on_one_engine
def test_no_doctored_picture_makes_customers_pay_another_address_through_the_api(desk: Desk) -> None:
    for made in doctored_pictures(12, seed=9):
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
