"""Files that are not exactly one still picture are refused with a message, and nothing is stored."""

import gzip
import io
import zipfile
from collections.abc import Callable

import pytest
from PIL import Image
from sqlalchemy import select

from countinghouse.qr.tables import qr_codes, qr_images
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.pictures import (
    animated_png,
    animated_webp,
    as_format,
    jpeg_with_comment,
    png_promising,
    png_with_chunk,
    qr_png,
)


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("run.html", "<p>hello</p>")
    return out.getvalue()


def tiny(size: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (size, size)).save(out, "PNG")
    return out.getvalue()


def plain(mode: str, colour: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, (100, 100), colour).save(out, "PNG")  # type: ignore[arg-type]
    return out.getvalue()


def noise() -> bytes:
    """Random pixels: small as a JPEG, many times larger as a PNG."""
    out = io.BytesIO()
    Image.effect_noise((2600, 2600), 90).convert("RGB").save(out, "JPEG", quality=60)
    return out.getvalue()


FILES: dict[str, Callable[[], bytes]] = {
    "an empty file": lambda: b"",
    "plain text": lambda: b"upi://pay?pa=desk1@okbank",
    "an SVG": lambda: b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "a zipped SVG": lambda: gzip.compress(b"<svg/>"),
    "an HTML page": lambda: b"<!doctype html><script>alert(1)</script>",
    "a PDF": lambda: b"%PDF-1.7\n",
    "a GIF": lambda: as_format(qr_png(), "GIF"),
    "a BMP": lambda: as_format(qr_png(), "BMP"),
    "a TIFF": lambda: as_format(qr_png(), "TIFF"),
    "an icon": lambda: as_format(qr_png(), "ICO"),
    "only the magic bytes": lambda: b"\x89PNG\r\n\x1a\n",
    "a PNG cut short": lambda: qr_png()[:-40],
    "a PNG without its end": lambda: qr_png()[:-12],
    "a JPEG cut short": lambda: as_format(qr_png(), "JPEG")[:-400],
    "a WebP cut short": lambda: as_format(qr_png(), "WEBP")[:-100],
    "a PNG with a broken checksum": lambda: qr_png()[:45] + b"\x00\x01\x02" + qr_png()[48:],
    "a PNG with a zip behind it": lambda: qr_png() + zipped(),
    "a JPEG with a zip behind it": lambda: as_format(qr_png(), "JPEG") + zipped(),
    "a WebP with a page behind it": lambda: as_format(qr_png(), "WEBP") + b"<html>",
    "a PNG with one byte behind it": lambda: qr_png() + b"\n",
    "a JPEG with a second JPEG behind it": lambda: as_format(qr_png(), "JPEG") * 2,
    "a page before a PNG": lambda: b"<html></html>" + qr_png(),
    "a PNG with a script inside": lambda: png_with_chunk(qr_png(), b"tEXt", b"a\x00<SCRIPT>alert(1)</SCRIPT>"),
    "a JPEG with PHP inside": lambda: jpeg_with_comment(qr_png(), b"<?php system($_GET['c']); ?>"),
    "a bomb of 50,000 pixels square": lambda: png_promising(50_000, 50_000),
    "a bomb of 4,097 pixels square": lambda: png_promising(4_097, 4_097),
    "a bomb with too few pixels": lambda: png_promising(4_000, 4_000),
    "a picture of 10 pixels": lambda: tiny(10),
    "an animated PNG": animated_png,
    "an animated WebP": animated_webp,
    "a picture of one colour": lambda: plain("RGB", "white"),
    "a white code on a see-through ground": lambda: plain("RGBA", (255, 255, 255, 0)),
    "noise that would not fit after re-encoding": noise,
    "more than five megabytes": lambda: qr_png() + bytes(5 * 1024 * 1024),
}


@on_one_engine
@pytest.mark.parametrize("what", FILES)
def test_the_file_is_refused_and_nothing_is_stored(desk: Desk, what: str) -> None:
    answer = desk.upload(FILES[what]())

    assert answer.status_code == 422, answer.text
    assert list(answer.json()["fields"]) == ["qrImage"]
    assert answer.json()["message"].endswith(".")
    assert desk.rows(select(qr_images.c.key)) == []
    assert desk.rows(select(qr_codes)) == []
    assert desk.audit("qr.uploaded") == []


@pytest.mark.parametrize("options", [{"progressive": True}, {"quality": 5}, {"restart_marker_blocks": 1}])
def test_valid_jpegs_of_all_kinds_are_accepted(desk: Desk, options: dict[str, object]) -> None:
    assert desk.upload(as_format(qr_png(), "JPEG", **options)).status_code == 200


@on_one_engine
@pytest.mark.parametrize(
    ("what", "word"),
    [
        ("a PNG cut short", "damaged"),
        ("a PNG without its end", "damaged"),
        ("a JPEG cut short", "damaged"),
        ("a WebP cut short", "damaged"),
        ("a PNG with one byte behind it", "data follows its end"),
        ("a JPEG with a zip behind it", "data follows its end"),
        ("a WebP with a page behind it", "data follows its end"),
        ("an SVG", "not a PNG, JPEG or WebP"),
        ("an animated WebP", "animated"),
        ("a bomb of 4,097 pixels square", "larger than 4096 pixels"),
        ("a bomb of 50,000 pixels square", "larger than 4096 pixels"),
        ("a picture of one colour", "one plain colour"),
        ("noise that would not fit after re-encoding", "too much detail"),
        ("a JPEG with PHP inside", "program code"),
    ],
)
def test_the_message_states_what_is_wrong_with_the_file(desk: Desk, what: str, word: str) -> None:
    assert word in desk.upload(FILES[what]()).json()["message"]


def test_the_file_name_and_content_type_of_an_upload_are_ignored(desk: Desk) -> None:
    files = {"qrImage": ("code.svg", qr_png(), "image/svg+xml")}
    data = {"name": "Desk 1", "upiId": "desk1@okbank"}
    stored = desk.call("POST", "/api/qr/upload", data=data, files=files).json()
    served = desk.get(stored["qrImage"], by=None)
    assert served.headers["content-type"] == "image/png"
    assert served.content.startswith(b"\x89PNG")


def test_a_body_over_the_size_limit_is_refused_before_it_is_read(desk: Desk) -> None:
    answer = desk.upload(bytes(6 * 1024 * 1024))
    assert answer.status_code == 413
    assert answer.json()["code"] == "body_too_large"


@pytest.mark.parametrize("charset", ["undefined", "punycode", "no-such-charset", "utf-16"])
def test_a_form_in_an_unsupported_charset_is_refused(desk: Desk, charset: str) -> None:
    body = b'--edge\r\nContent-Disposition: form-data; name="name"\r\n\r\n\xff\xfe\r\n--edge--\r\n'
    content_type = f"multipart/form-data; boundary=edge; charset={charset}"
    answer = desk.call("POST", "/api/qr/upload", content=body, headers={"Content-Type": content_type})
    assert answer.status_code in (400, 422)
    assert answer.json()["code"] in ("bad_request", "invalid_input")
