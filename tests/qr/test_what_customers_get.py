"""Customers get a QR code that the server renders from the exact text that it read and checked."""

import io
from collections.abc import Callable
from typing import Any

import pytest
import zxingcpp
from httpx2 import Response
from PIL import Image
from sqlalchemy import select, update

from countinghouse.admins.tables import admins
from countinghouse.qr.tables import qr_codes
from tests.desk import NEWEST, Desk
from tests.engines import on_one_engine
from tests.pictures import (
    as_format,
    code_for,
    dotted,
    light,
    other_symbol,
    qr_png,
    side_by_side,
    without_a_code,
)

pytestmark = pytest.mark.usefixtures("one_admin_displays")

TEXT = "upi://pay?pa=desk1@okbank&pn=Desk%201&mc=5411&tr=X-1&sign=MEUCIQ%3D%3D&cu=INR"
OTHER = "upi://pay?pa=other@okbank&pn=Other"


def texts(png: bytes) -> list[str]:
    return [str(code.text) for code in zxingcpp.read_barcodes(Image.open(io.BytesIO(png)))]


def served(desk: Desk, address: str) -> bytes:
    answer = desk.get(address, by=None)
    assert answer.status_code == 200
    return answer.content


def shown_to_customers(desk: Desk) -> list[str]:
    return [text for code in desk.get("/api/qr", by=None).json() for text in texts(served(desk, code["qrImage"]))]


def confirm(desk: Desk, qr_id: str, by: str = "ravi", **more: Any) -> Response:
    body = {"reason": "By the bank's letter."} | more
    return desk.call("POST", f"/api/qr/{qr_id}/confirm", by=by, json=body)


def leave_one_admin(desk: Desk) -> None:
    desk.change(update(admins).where(admins.c.username == "ravi").values(disabled_at=NEWEST))


def test_customers_get_a_code_rendered_from_the_exact_text_and_only_admins_see_the_upload(desk: Desk) -> None:
    uploaded = as_format(qr_png(TEXT), "JPEG", quality=40)
    code = desk.upload(uploaded).json()
    assert (code["isDrawn"], code["canDisplay"]) == (True, True)
    assert texts(served(desk, code["qrImage"])) == [TEXT]
    assert code["uploadedImage"] != code["qrImage"]
    kept = Image.open(io.BytesIO(served(desk, code["uploadedImage"]))).convert("RGB")
    assert kept.tobytes() == Image.open(io.BytesIO(uploaded)).convert("RGB").tobytes()
    assert "private" in desk.get(code["uploadedImage"], by=None).headers["cache-control"]

    desk.call("PATCH", f"/api/qr/status/{code['_id']}", json={"status": "display"})
    (shown,) = desk.get("/api/qr", by=None).json()
    assert shown["qrImage"] == code["qrImage"]
    assert code["uploadedImage"] not in str(shown)
    (stored,) = desk.rows(select(qr_codes))
    assert stored.payload == TEXT


def test_a_rendered_code_has_its_quiet_zone(desk: Desk) -> None:
    drawn = Image.open(io.BytesIO(served(desk, desk.upload(qr_png(TEXT)).json()["qrImage"]))).convert("L")
    box = drawn.point(lambda value: 255 - value).getbbox()
    assert box is not None
    assert min(box[0], box[1], drawn.width - box[2], drawn.height - box[3]) >= 4 * 8


@on_one_engine
@pytest.mark.parametrize("name", ["é", "\u0905", "日本", "\U0001f600", "A" * 700])
def test_a_rendered_code_preserves_text_in_any_script(desk: Desk, name: str) -> None:
    text = f"upi://pay?pa=desk1@okbank&pn={name}"
    code = desk.upload(qr_png(text.encode())).json()
    drawn = Image.open(io.BytesIO(served(desk, code["qrImage"])))
    (read,) = zxingcpp.read_barcodes(drawn, formats=zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode]))
    assert bytes(read.bytes) == text.encode()


@on_one_engine
def test_a_dotted_code_next_to_a_light_one_never_reaches_customers(desk: Desk) -> None:
    picture = side_by_side(light(TEXT), dotted(OTHER, dots=0.7))
    code = desk.upload(picture).json()
    assert "several" in [finding["code"] for finding in code["reading"]["findings"]]
    assert (code["reading"]["payee"], code["canDisplay"]) == ("desk1@okbank", False)
    assert confirm(desk, code["_id"]).status_code == 200
    desk.call("PATCH", f"/api/qr/status/{code['_id']}", json={"status": "display"})
    assert shown_to_customers(desk) == [TEXT]


ODD: dict[str, tuple[Callable[[], bytes], str]] = {
    "a second code": (lambda: side_by_side(qr_png(TEXT), qr_png(OTHER)), "several"),
    "a DataMatrix": (lambda: side_by_side(qr_png(TEXT), other_symbol("DataMatrix")), "other_kind"),
    "an Aztec code": (lambda: side_by_side(qr_png(TEXT), other_symbol("Aztec")), "other_kind"),
    "a PDF417": (lambda: side_by_side(qr_png(TEXT), other_symbol("PDF417")), "other_kind"),
    "a Micro QR": (lambda: side_by_side(qr_png(TEXT), other_symbol("MicroQRCode")), "other_kind"),
    "a barcode": (lambda: side_by_side(qr_png(TEXT), other_symbol("Code128")), "other_kind"),
    "a smallest amount": (lambda: code_for("desk1@okbank", mam="100"), "least_amount"),
    "a note": (lambda: code_for("desk1@okbank", tn="Pay at once"), "payment_note"),
    "a link": (lambda: code_for("desk1@okbank", url="https://evil.test"), "web_link"),
    "a link for later": (lambda: code_for("desk1@okbank", refUrl="https://evil.test"), "web_link"),
    "an address in a value": (lambda: code_for("desk1@okbank", mc="0000;pa=evil@okbank"), "unknown_parameters"),
    "an escaped address in a value": (lambda: code_for("desk1@okbank", tr="1%26pa=evil@okbank"), "unknown_parameters"),
    "an address in the name": (lambda: qr_png("upi://pay?pa=desk1@okbank&pn=Pay%20evil@okbank"), "unknown_parameters"),
    "something unknown": (lambda: code_for("desk1@okbank", xyz="1"), "unknown_parameters"),
}


@on_one_engine
@pytest.mark.parametrize("what", ODD)
def test_anything_that_changes_what_a_payer_sees_is_a_finding_with_advice(desk: Desk, what: str) -> None:
    draw, expected = ODD[what]
    code = desk.upload(draw()).json()
    findings = {finding["code"]: finding["sentence"] for finding in code["reading"]["findings"]}
    assert expected in findings
    assert findings[expected].count(".") >= 2, "what happened, then what to do"
    assert code["canDisplay"] is False
    assert code["reading"]["payee"] == "desk1@okbank"


@on_one_engine
def test_a_second_code_that_cannot_be_read_is_a_finding(desk: Desk) -> None:
    torn = Image.open(io.BytesIO(qr_png(OTHER, scale=10))).convert("L")
    torn.paste(255, (120, 90, 290, 300))
    out = io.BytesIO()
    torn.save(out, "PNG")
    code = desk.upload(side_by_side(qr_png(TEXT, scale=10), out.getvalue())).json()
    assert [finding["code"] for finding in code["reading"]["findings"]] == ["unread_code"]


@on_one_engine
def test_an_unreadable_code_is_never_shown_as_uploaded(desk: Desk) -> None:
    torn = Image.open(io.BytesIO(qr_png(OTHER, scale=10))).convert("L")
    torn.paste(255, (120, 90, 290, 300))
    out = io.BytesIO()
    torn.save(out, "PNG")
    code = desk.upload(out.getvalue()).json()
    assert [finding["code"] for finding in code["reading"]["findings"]] == ["unreadable", "unread_code"]
    assert confirm(desk, code["_id"]).json()["isDrawn"] is True
    desk.call("PATCH", f"/api/qr/status/{code['_id']}", json={"status": "display"})
    assert shown_to_customers(desk) == ["upi://pay?pa=desk1@okbank&pn=Desk%201&cu=INR"]


@on_one_engine
@pytest.mark.parametrize("others", [(OTHER, OTHER + "2"), (TEXT + "&tid=2", TEXT)])
def test_several_codes_without_exactly_one_for_the_address_cannot_be_displayed(
    desk: Desk, others: tuple[str, ...]
) -> None:
    code = desk.upload(side_by_side(*(qr_png(text) for text in others))).json()
    assert (code["confirmBy"], code["displayBy"], code["isDrawn"]) == (None, None, False)
    assert code["confirmNote"] == "This code cannot be displayed."
    assert code["qrImage"] == code["uploadedImage"]
    assert confirm(desk, code["_id"]).json()["code"] == "qr_beyond_confirming"
    assert desk.call("PATCH", f"/api/qr/status/{code['_id']}", json={"status": "display"}).status_code == 409
    leave_one_admin(desk)
    assert confirm(desk, code["_id"], by="asha", payee="desk1@okbank").status_code == 409


def test_after_confirmation_an_unreadable_picture_is_replaced_by_a_code_for_the_typed_address(
    desk: Desk,
) -> None:
    code = desk.upload(without_a_code()).json()
    assert (code["qrImage"], code["isDrawn"]) == (code["uploadedImage"], False)
    confirmed = confirm(desk, code["_id"]).json()
    assert (confirmed["canDisplay"], confirmed["isDrawn"]) == (True, True)
    assert confirmed["qrImage"] != confirmed["uploadedImage"] == code["uploadedImage"]
    desk.display(code["_id"])
    assert shown_to_customers(desk) == ["upi://pay?pa=desk1@okbank&pn=Desk%201&cu=INR"]


@pytest.mark.parametrize("picture", [without_a_code(), qr_png("https://desk.example.in")])
def test_after_the_only_admin_retypes_the_address_customers_get_a_code_rendered_from_it(
    desk: Desk, picture: bytes
) -> None:
    code = desk.upload(picture).json()
    leave_one_admin(desk)
    confirmed = confirm(desk, code["_id"], by="asha", payee="desk1@okbank").json()
    assert (confirmed["canDisplay"], confirmed["isDrawn"]) == (True, True)
    desk.call("PATCH", f"/api/qr/status/{code['_id']}", json={"status": "display"})
    assert shown_to_customers(desk) == ["upi://pay?pa=desk1@okbank&pn=Desk%201&cu=INR"]


@on_one_engine
def test_after_confirmation_by_a_second_admin_a_text_that_is_not_a_payment_is_rendered_unchanged(desk: Desk) -> None:
    code = desk.upload(qr_png("https://pay.bank.example/desk1")).json()
    assert confirm(desk, code["_id"]).json()["isDrawn"] is True
    desk.call("PATCH", f"/api/qr/status/{code['_id']}", json={"status": "display"})
    assert shown_to_customers(desk) == ["https://pay.bank.example/desk1"]


@on_one_engine
def test_a_text_in_an_ambiguous_encoding_is_never_displayed(desk: Desk) -> None:
    code = desk.upload(qr_png("upi://pay?pa=desk1@okbank&pn=é".encode("latin-1"))).json()
    assert [finding["code"] for finding in code["reading"]["findings"]] == ["other_letters"]
    assert confirm(desk, code["_id"]).json()["code"] == "qr_beyond_confirming"
