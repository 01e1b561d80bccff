"""Small files that would need a lot of memory, disk or time, or that are more than a picture. None may be stored."""

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from random import Random

from PIL import Image

from tests.pictures import animated_png, animated_webp, as_format, png_chunk, png_promising, png_with_chunk, qr_png
from tests.qr.corpus import seeded

# Squares from here on have more pixels than a picture may have.
_CORNER = 3_600


def _large_sides(rng: Random) -> tuple[int, int]:
    """Beyond the longest side, or beyond the most pixels."""
    long, other = rng.randrange(4_097, 65_000), rng.randrange(64, 65_000)
    return rng.choice(((long, other), (other, long), (rng.randrange(_CORNER, 4_097), rng.randrange(_CORNER, 4_097))))


def _promise(rng: Random) -> bytes:
    return png_promising(*_large_sides(rng))


def _one_colour(rng: Random) -> bytes:
    """A valid picture of up to fifty million pixels in a few kilobytes."""
    out = io.BytesIO()
    side = rng.randrange(4_097, 7_000)
    picture = Image.new("1", (side, side), 1)
    picture.paste(0, (10, 10, 500, 500))
    picture.save(out, "PNG")
    return out.getvalue()


def _promising_jpeg(rng: Random) -> bytes:
    jpeg = bytearray(as_format(qr_png(), "JPEG"))
    at = jpeg.index(b"\xff\xc0") + 5
    jpeg[at : at + 4] = struct.pack(">HH", *_large_sides(rng))
    return bytes(jpeg)


def _promising_webp(rng: Random) -> bytes:
    width, height = _large_sides(rng)
    canvas = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    inner = as_format(qr_png(), "WEBP", lossless=True)[12:]
    body = b"WEBP" + b"VP8X" + struct.pack("<I", 10) + bytes(4) + canvas + inner
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _inflating_text(rng: Random) -> bytes:
    """A compressed comment that would fill the memory."""
    packed = zlib.compress(bytes(rng.randrange(20, 60) * 1024 * 1024), 9)
    return png_with_chunk(qr_png(), b"zTXt", b"Comment\x00\x00" + packed)


def _inflating_profile(rng: Random) -> bytes:
    packed = zlib.compress(bytes(rng.randrange(20, 60) * 1024 * 1024), 9)
    return png_with_chunk(qr_png(), b"iCCP", b"sRGB\x00\x00" + packed)


def _inflating_pixels(_rng: Random) -> bytes:
    """More data than the header announces."""
    header = struct.pack(">IIBBBBB", 200, 200, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(30 * 1024 * 1024), 9)
    parts = png_chunk(b"IHDR", header) + png_chunk(b"IDAT", pixels) + png_chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def _with_something_behind(rng: Random) -> bytes:
    form = rng.choice(("PNG", "JPEG", "WEBP"))
    return as_format(qr_png(), form) + rng.randbytes(rng.randrange(1, 5_000))


def _moving(rng: Random) -> bytes:
    return rng.choice((animated_png, animated_webp))()


def _cut(rng: Random) -> bytes:
    whole = as_format(qr_png(), rng.choice(("PNG", "JPEG", "WEBP")))
    return whole[: rng.randrange(len(whole) // 2)]


BOMBS: dict[str, Callable[[Random], bytes]] = {
    "a promise": _promise,
    "one colour": _one_colour,
    "a promising JPEG": _promising_jpeg,
    "a promising WebP": _promising_webp,
    "an inflating comment": _inflating_text,
    "an inflating profile": _inflating_profile,
    "inflating pixels": _inflating_pixels,
    "something behind it": _with_something_behind,
    "a moving picture": _moving,
    "a part": _cut,
}


def bombs(count: int, *, seed: int) -> Iterator[tuple[str, bytes]]:
    rng, kinds = seeded(seed), list(BOMBS)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        yield kind, BOMBS[kind](rng)
