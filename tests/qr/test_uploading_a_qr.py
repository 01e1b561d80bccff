"""Uploads are re-encoded before they are stored, and stay hidden until displayed."""

import io
from hashlib import sha256

import pytest
import zxingcpp
from PIL import Image
from sqlalchemy import select

from countinghouse.qr.tables import qr_codes, qr_images
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.pictures import as_format, png_with_chunk, qr_png


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_an_upload_is_stored_hidden_and_can_be_read_back(desk: Desk, form: str) -> None:
    answer = desk.upload(as_format(qr_png(), form), name="Counter A", upi_id="counter.a@okbank")

    assert answer.status_code == 200, answer.text
    code = answer.json()
    assert code["status"] == "hide"
    assert (code["name"], code["upiId"]) == ("Counter A", "counter.a@okbank")
    assert code["qrImage"].startswith("http://desk.test/qr-images/")
    assert desk.get("/api/qr").json() == [code]

    picture = desk.get(code["qrImage"], by=None)
    assert picture.status_code == 200
    assert picture.headers["content-type"] == "image/png"
    assert "immutable" in picture.headers["cache-control"]
    read = zxingcpp.read_barcode(Image.open(io.BytesIO(picture.content)))
    assert read is not None
    assert read.text == "upi://pay?pa=desk1@okbank&pn=Desk%201&cu=INR"


def test_the_upload_is_logged_with_the_hashes_of_the_stored_images(desk: Desk) -> None:
    code = desk.upload(qr_png()).json()
    (row,) = desk.audit("qr.uploaded")
    (stored,) = desk.rows(select(qr_codes))
    hashes = {image.key: image.sha256 for image in desk.rows(select(qr_images))}
    assert (row.actor, row.subject_id, row.before) == ("asha", code["_id"], None)
    assert row.after == {
        "name": "Desk 1",
        "upiId": "desk1@okbank",
        "status": "hide",
        "imageSha256": hashes[stored.upload_key],
        "drawnSha256": hashes[stored.image_key],
        "textSha256": sha256(stored.payload.encode()).hexdigest(),
        "payee": "desk1@okbank",
        "fixedAmount": None,
        "findings": [],
    }


def test_metadata_is_removed(desk: Desk) -> None:
    png = png_with_chunk(qr_png(), b"tEXt", b"Comment\x00taken at 12.97 N, 77.59 E")
    desk.upload(png)
    for image in desk.rows(select(qr_images)):
        assert b"77.59" not in image.content
        assert Image.open(io.BytesIO(image.content)).info == {}


def test_a_transparent_code_is_placed_on_white(desk: Desk) -> None:
    out = io.BytesIO()
    dark = Image.open(io.BytesIO(qr_png())).convert("L").point(lambda value: 255 - value)
    see_through = Image.new("RGBA", dark.size, (0, 0, 0, 0))
    see_through.putalpha(dark)
    see_through.save(out, "PNG")
    code = desk.upload(out.getvalue()).json()
    picture = Image.open(io.BytesIO(desk.get(code["uploadedImage"], by=None).content))
    read = zxingcpp.read_barcode(picture)
    assert read is not None
    assert read.text.startswith("upi://pay")


def test_a_16_bit_greyscale_code_stays_readable(desk: Desk) -> None:
    out = io.BytesIO()
    grey = Image.open(io.BytesIO(qr_png())).convert("L")
    Image.frombytes("I;16", grey.size, b"".join(bytes((0, 32 + value // 2)) for value in grey.tobytes())).save(
        out, "PNG"
    )
    code = desk.upload(out.getvalue()).json()
    read = zxingcpp.read_barcode(Image.open(io.BytesIO(desk.get(code["uploadedImage"], by=None).content)))
    assert read is not None
    assert read.text.startswith("upi://pay")


@pytest.mark.filterwarnings("ignore:Truncated File Read")  # the decoder warns about the broken part
def test_the_exif_orientation_is_applied_even_if_the_rest_of_the_metadata_is_broken(desk: Desk) -> None:
    out = io.BytesIO()
    wide = Image.new("RGB", (300, 200), "white")
    wide.paste(Image.new("RGB", (50, 50), "black"), (0, 0))
    turned = b"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"
    broken = b"\x01\x1a\x00\x05\x00\x00\x00\x01\xff\xff\xff\xff"
    exif = b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x02" + turned + broken + bytes(4)
    wide.save(out, "JPEG", quality=95, exif=exif)
    code = desk.upload(out.getvalue()).json()
    picture = Image.open(io.BytesIO(desk.get(code["uploadedImage"], by=None).content))
    assert picture.size == (200, 300)
    corner = picture.getpixel((190, 10))
    assert isinstance(corner, tuple)
    assert max(corner) < 40


def test_two_uploads_of_one_picture_have_different_urls(desk: Desk) -> None:
    first, second = desk.upload(qr_png()).json(), desk.upload(qr_png()).json()
    assert first["qrImage"] != second["qrImage"]
    assert [code["_id"] for code in desk.get("/api/qr").json()] == [second["_id"], first["_id"]]


@on_one_engine
@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"name": " Desk"}, "name"),
        ({"name": "De\u200bsk"}, "name"),
        ({"name": "De\x00sk"}, "name"),
        ({"upi_id": ""}, "upiId"),
        ({"upi_id": "desk1"}, "upiId"),
        ({"upi_id": "desk1@"}, "upiId"),
        ({"upi_id": "desk one@okbank"}, "upiId"),
        ({"upi_id": "dеsk1@okbank"}, "upiId"),  # noqa: RUF001 - a Cyrillic letter that looks like a Latin one
        ({"upi_id": "desk1@okbank\n"}, "upiId"),
    ],
)
def test_an_invalid_field_is_named_and_nothing_is_stored(desk: Desk, values: dict[str, str], field: str) -> None:
    answer = desk.upload(qr_png(), **values)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [field]
    assert desk.rows(select(qr_codes)) == []
    assert desk.rows(select(qr_images)) == []
    assert desk.audit("qr.uploaded") == []


@pytest.mark.parametrize("missing", ["name", "upiId", "qrImage"])
def test_each_missing_field_is_named(desk: Desk, missing: str) -> None:
    data = {"name": "Desk 1", "upiId": "desk1@okbank"}
    files = {"qrImage": ("code.png", qr_png(), "image/png")}
    data.pop(missing, None)
    files.pop(missing, None)
    answer = desk.call("POST", "/api/qr/upload", data=data, files=files or None)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [missing]
