"""Images for the tests, valid and malicious, all generated here."""

import io
import struct
import zlib
from functools import cache
from urllib.parse import quote

import segno
import zxingcpp
from PIL import Image, ImageDraw


@cache
def qr_png(payload: str | bytes = "upi://pay?pa=desk1@okbank&pn=Desk%201&cu=INR", scale: int = 8) -> bytes:
    out = io.BytesIO()
    mode = "byte" if isinstance(payload, bytes) else None
    segno.make_qr(payload, error="m", mode=mode).save(out, kind="png", scale=scale)
    return out.getvalue()


def code_for(address: str, name: str = "Desk 1", **more: str) -> bytes:
    """A code that pays this address."""
    fields = {"pa": address, "pn": name, "cu": "INR"} | more
    return qr_png("upi://pay?" + "&".join(f"{key}={quote(value, safe='@')}" for key, value in fields.items()))


def side_by_side(*pngs: bytes) -> bytes:
    """One image with these images next to each other."""
    parts = [Image.open(io.BytesIO(png)).convert("RGB") for png in pngs]
    whole = Image.new("RGB", (sum(part.width for part in parts), max(part.height for part in parts)), "white")
    at = 0
    for part in parts:
        whole.paste(part, (at, 0))
        at += part.width
    return as_png(whole)


def dotted(payload: str, dots: float, scale: int = 16) -> bytes:
    """A code of round dots, each filling this fraction of its square."""
    rows = [list(row) for row in segno.make_qr(payload, error="m", mask=3).matrix]
    side = (len(rows) + 8) * scale
    picture = Image.new("RGB", (side, side), "white")
    draw, inset = ImageDraw.Draw(picture), round(scale * (1 - dots) / 2)
    for y, row in enumerate(rows, 4):
        for x, is_dark in enumerate(row, 4):
            if is_dark:
                left, top = x * scale + inset, y * scale + inset
                draw.ellipse((left, top, left + scale - 2 * inset, top + scale - 2 * inset), fill="black")
    return as_png(picture)


def light(payload: str, grey: int = 215, scale: int = 3) -> bytes:
    """A small code that is hardly darker than its background, without a quiet zone."""
    out = io.BytesIO()
    segno.make_qr(payload, error="m", mask=3).save(out, kind="png", scale=scale, border=0, dark=(grey, grey, grey))
    return out.getvalue()


def other_symbol(kind: str, text: str = "PAY12345", scale: int = 5) -> bytes:
    """A code of another format, with a white margin."""
    symbol = Image.fromarray(zxingcpp.create_barcode(text, getattr(zxingcpp.BarcodeFormat, kind)).to_image(scale=scale))
    picture = Image.new("RGB", (symbol.width + 80, symbol.height + 80), "white")
    picture.paste(symbol, (40, 40))
    return as_png(picture)


def as_png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    # Compressing better takes longer than drawing.
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()


def without_a_code() -> bytes:
    out = io.BytesIO()
    picture = Image.new("RGB", (200, 200), "white")
    picture.paste(Image.new("RGB", (60, 60), "black"), (70, 70))
    picture.save(out, "PNG")
    return out.getvalue()


def as_format(png: bytes, form: str, **options: object) -> bytes:
    out = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").save(out, form, **options)
    return out.getvalue()


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_with_chunk(png: bytes, kind: bytes, data: bytes) -> bytes:
    """Inserts a chunk right after the header."""
    return png[:33] + png_chunk(kind, data) + png[33:]


def png_promising(width: int, height: int) -> bytes:
    """A decompression bomb: a few hundred bytes that declare a huge image."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(100_000), 9)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", pixels) + png_chunk(b"IEND", b"")


def animated_png() -> bytes:
    out = io.BytesIO()
    frames = [Image.new("RGB", (100, 100), colour) for colour in ("white", "black")]
    frames[0].save(out, "PNG", save_all=True, append_images=frames[1:])
    return out.getvalue()


def animated_webp() -> bytes:
    out = io.BytesIO()
    frames = [Image.new("RGB", (100, 100), colour) for colour in ("white", "black")]
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:])
    return out.getvalue()


def jpeg_with_comment(png: bytes, comment: bytes) -> bytes:
    jpeg = as_format(png, "JPEG")
    return jpeg[:2] + b"\xff\xfe" + struct.pack(">H", len(comment) + 2) + comment + jpeg[2:]
