"""Reading a picture's payee before the upload, and generating a QR code from an address."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from httpx2 import Response
from PIL import Image
from sqlalchemy import select, update

from countinghouse.admins.tables import admins
from countinghouse.qr.findings import judge
from countinghouse.qr.reading import read_codes
from countinghouse.qr.tables import qr_codes, qr_images
from tests.desk import NEWEST, Desk
from tests.engines import on_one_engine
from tests.pictures import as_format, code_for, qr_png, side_by_side, without_a_code

pytestmark = on_one_engine


def read(desk: Desk, image: bytes, upi_id: str | None = None, **more: Any) -> Response:
    data = {} if upi_id is None else {"upiId": upi_id}
    return desk.call("POST", "/api/qr/read", data=data, files={"qrImage": ("code.png", image, "image/png")}, **more)


def test_reading_a_picture_returns_its_payee_and_stores_nothing(desk: Desk) -> None:
    before = len(desk.audit())
    answer = read(desk, code_for("desk1@okbank", "Acme Traders"))
    assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "payee": "desk1@okbank",
        "payeeName": "Acme Traders",
        "amount": None,
        "sentence": "This code pays desk1@okbank, Acme Traders.",
        "findings": [],
        "follows": "",
        "upiId": "desk1@okbank",
    }
    assert desk.rows(select(qr_codes)) == desk.rows(select(qr_images.c.key)) == []
    assert len(desk.audit()) == before


@pytest.mark.parametrize("typed", ["desk1@okbank", "DESK1@OKBANK", "", None])
def test_a_matching_or_missing_typed_address_gives_no_finding(desk: Desk, typed: str | None) -> None:
    assert read(desk, code_for("desk1@okbank"), typed).json()["findings"] == []


def test_a_different_payee_and_a_fixed_amount_are_findings(desk: Desk) -> None:
    answer = read(desk, code_for("other@okbank", am="250.00"), "desk1@okbank").json()
    assert answer["findings"] == [
        {"code": "other_payee", "sentence": "This code pays other@okbank, not desk1@okbank."},
        {"code": "fixed_amount", "sentence": "This code asks every payer for ₹250.00."},
    ]
    assert (answer["amount"], answer["upiId"]) == ("250.00", "other@okbank")


def test_the_required_confirmation_is_stated_before_the_upload(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(peer="10.0.0.7", tokenless_networks="10.0.0.0/24", public_url="https://desk.test")
    follows = "It will be stored, but can only be displayed after"

    def said(**more: Any) -> str:
        return str(read(desk, code_for("other@okbank"), "desk1@okbank", **more).json()["follows"])

    assert said() == f"{follows} a second admin has confirmed it."
    assert said(by=None) == f"{follows} an admin has confirmed it."
    desk.change(update(admins).where(admins.c.username == "ravi").values(disabled_at=NEWEST))
    assert said() == f"{follows} you have confirmed it and retyped its address."


def test_an_invalid_address_is_not_offered_for_the_form(desk: Desk) -> None:
    answer = read(desk, code_for("d\u0435sk1@okbank"), "desk1@okbank").json()
    assert answer["upiId"] is None
    assert "looks like desk1@okbank but is written with other letters" in answer["findings"][0]["sentence"]


@pytest.mark.parametrize("image", [without_a_code(), side_by_side(code_for("a1@okbank"), code_for("b1@okbank"))])
def test_without_exactly_one_readable_code_no_payee_is_returned(desk: Desk, image: bytes) -> None:
    answer = read(desk, image, "desk1@okbank").json()
    assert (answer["payee"], answer["upiId"], len(answer["findings"])) == (None, None, 1)
    assert answer["findings"][0]["code"] in ("unreadable", "several")


def test_reading_refuses_the_same_pictures_as_an_upload(desk: Desk) -> None:
    for image in (b"", qr_png()[:-40], as_format(qr_png(), "GIF"), b"<svg/>"):
        answer = read(desk, image)
        assert (answer.status_code, list(answer.json()["fields"])) == (422, ["qrImage"])
    assert desk.call("POST", "/api/qr/read", data={"upiId": "x"}).json()["fields"] == {
        "qrImage": "qrImage is required."
    }
    assert read(desk, qr_png(), "x" * 321).status_code == 422
    assert read(desk, bytes(6 * 1024 * 1024)).status_code == 413


@pytest.mark.parametrize("name", ["Desk 1", "अनन्या की दुकान", "A&B=C?#%+ 100", "x" * 80])
def test_a_generated_code_reads_back_correctly_and_can_be_uploaded(desk: Desk, name: str) -> None:
    answer = desk.call("POST", "/api/qr/draw", json={"upiId": "Desk-1.a_b@okbank", "name": name})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    result = read(desk, answer.content, "desk-1.a_b@okbank").json()
    assert (result["payee"], result["payeeName"], result["findings"]) == ("Desk-1.a_b@okbank", name, [])
    code = desk.upload(answer.content, name=name, upi_id="desk-1.a_b@okbank").json()
    assert code["canDisplay"] is True


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"upiId": "desk1", "name": "Desk 1"}, "upiId"),
        ({"upiId": "d\u0435sk1@okbank", "name": "Desk 1"}, "upiId"),
        ({"upiId": "desk1@okbank", "name": ""}, "name"),
        ({"name": "Desk 1"}, "upiId"),
    ],
)
def test_no_code_is_generated_for_invalid_input(desk: Desk, body: dict[str, str], field: str) -> None:
    answer = desk.call("POST", "/api/qr/draw", json=body)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, [field])


def test_a_code_is_read_from_the_flattened_picture_that_is_served(desk: Desk) -> None:
    """A decoder that ignores transparency would find the hidden code in the colour channels, which no customer sees."""
    out = io.BytesIO()
    hidden = Image.open(io.BytesIO(code_for("desk1@okbank"))).convert("L")
    picture = Image.merge("RGBA", (hidden, hidden, hidden, Image.new("L", hidden.size, 0)))
    picture.paste(Image.open(io.BytesIO(code_for("other@okbank"))).convert("RGBA"))
    picture.save(out, "PNG")
    code = desk.upload(out.getvalue()).json()
    served = desk.get(code["qrImage"], by=None).content
    assert judge(read_codes(served), "desk1@okbank").payee == code["reading"]["payee"] == "other@okbank"
