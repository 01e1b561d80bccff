"""Re-encodes an uploaded file, so that the result is a picture and nothing else.

The file is decoded and re-encoded from its raw pixels, so that no metadata, no trailing data and no trick of a format
survives. Anything but one still image is refused, never repaired. Runs in the picture worker.
"""

import io
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from PIL import Image, UnidentifiedImageError
from PIL.ExifTags import Base as Tag

from countinghouse.core.errors import InvalidInput
from countinghouse.qr.picture import LARGEST_FILE_BYTES, Picture

LONGEST_SIDE = 4096
# The size of a phone camera's photo, 4,096 by 3,072.
MOST_PIXELS = 12_600_000
SHORTEST_SIDE = 64
FORMATS = ("PNG", "JPEG", "WEBP")

# A payment proof is only looked at, so it is kept smaller: this side is enough to read a phone's screen.
LONGEST_SIDE_OF_PROOF = 2000
_PROOF_QUALITY = 85

TOO_MUCH_WORK = "The image takes too much memory to read. Crop it to what matters, and send it again."
_DAMAGED = "The image file is damaged and cannot be read. Save it again and retry."
_TOO_LARGE = f"The image is larger than {LONGEST_SIDE} pixels on a side. Send a smaller one."
_TOO_MANY_PIXELS = f"The image has more than {MOST_PIXELS / 1e6:.1f} million pixels. Send a smaller one."
_TOO_MUCH_DETAIL = "The picture has too much detail for a QR code. Crop it to the code alone."
# Text that could make a browser or a server execute the file. No genuine photo of a code contains it.
_ACTIVE_TEXT = (b"<script", b"<!doctype html", b"<html>", b"<iframe", b"<?php")


def _refused(sentence: str) -> InvalidInput:
    return InvalidInput({"qrImage": sentence})


def read_picture(uploaded: bytes) -> Picture:
    """As a PNG, which keeps every pixel of a QR code."""
    return _encoded(_decoded(uploaded), "PNG")


def read_proof(uploaded: bytes) -> Picture:
    """As a JPEG of moderate size: a photo as a PNG would take several megabytes for each purchase."""
    flat = _decoded(uploaded)
    flat.thumbnail((LONGEST_SIDE_OF_PROOF, LONGEST_SIDE_OF_PROOF))
    return _encoded(flat, "JPEG", quality=_PROOF_QUALITY)


def _decoded(uploaded: bytes) -> Image.Image:
    """Its pixels, in a new image."""
    if not uploaded:
        raise _refused("The image file is empty. Choose another one.")
    if len(uploaded) > LARGEST_FILE_BYTES:
        raise _refused(f"The image file is larger than {LARGEST_FILE_BYTES // 1024 // 1024} MB. Send a smaller one.")
    try:
        image = Image.open(io.BytesIO(uploaded), formats=FORMATS)
        # Only the header has been read so far: its claims are checked before anything is decompressed.
        _check_header(image, uploaded)
        image.load()
        flat = _flattened(_upright(image))
        image.close()
        return flat
    except (InvalidInput, MemoryError):
        raise
    except Image.DecompressionBombError as error:
        raise _refused(_TOO_LARGE) from error
    except UnidentifiedImageError as error:
        raise _refused("The file is not a PNG, JPEG or WebP image. Choose another one.") from error
    except Exception as error:
        # A broken file can make a decoder fail with any exception; the admin needs only one message.
        raise _refused(_DAMAGED) from error


def _encoded(flat: Image.Image, form: str, **options: int) -> Picture:
    out = _Capped()
    flat.save(out, form, **options)
    content = out.getvalue()
    return Picture(content, sha256(content).hexdigest(), *flat.size)


def _check_header(image: Image.Image, uploaded: bytes) -> None:
    if max(image.size) > LONGEST_SIDE:
        raise _refused(_TOO_LARGE)
    if image.width * image.height > MOST_PIXELS:
        raise _refused(_TOO_MANY_PIXELS)
    if min(image.size) < SHORTEST_SIDE:
        raise _refused(f"The image is smaller than {SHORTEST_SIDE} pixels on a side. Send a larger one.")
    if getattr(image, "n_frames", 1) != 1:
        raise _refused("The image is animated. Send a still picture.")
    behind = _bytes_behind(image.format or "", uploaded)
    if behind is None:
        raise _refused(_DAMAGED)
    if behind > 0:
        raise _refused("The file holds more than one image: data follows its end. Save it again as a plain picture.")
    lowered = uploaded.lower()
    if any(text in lowered for text in _ACTIVE_TEXT):
        raise _refused("The file contains program code. Save it again as a plain picture.")


def _bytes_behind(form: str, uploaded: bytes) -> int | None:
    """The number of bytes after the end of the image according to its format; None if it is incomplete."""
    end = _ENDS[form](uploaded)
    return None if end is None or end > len(uploaded) else len(uploaded) - end


def _png_end(uploaded: bytes) -> int | None:
    """Walks the chunks by their lengths to the end of IEND."""
    at = 8
    while at + 12 <= len(uploaded):
        length = int.from_bytes(uploaded[at : at + 4], "big")
        kind = uploaded[at + 4 : at + 8]
        at += 12 + length
        if kind == b"IEND":
            return at
    return None


_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
# Inside a scan, FF 00 is a literal FF, FF D0 to FF D7 restart it, and FF FF is padding. Any other marker ends it.
_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def _jpeg_end(uploaded: bytes) -> int | None:
    """Walks the segments by their lengths, and through each scan, to the end of EOI."""
    at = 2
    while at + 2 <= len(uploaded) and uploaded[at] == 0xFF:
        marker = uploaded[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == _END_OF_IMAGE:
            return at + 2
        at += 2 + int.from_bytes(uploaded[at + 2 : at + 4], "big")
        if marker == _START_OF_SCAN:
            found = _NEXT_MARKER.search(uploaded, at)
            if found is None:
                return None
            at = found.start()
    return None


def _webp_end(uploaded: bytes) -> int:
    # The size in a RIFF header excludes the first eight bytes.
    return int.from_bytes(uploaded[4:8], "little") + 8


_ENDS: dict[str, Callable[[bytes], int | None]] = {"PNG": _png_end, "JPEG": _jpeg_end, "WEBP": _webp_end}


_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _upright(image: Image.Image) -> Image.Image:
    """Applies the camera's orientation. Reads only this one EXIF tag: the rest is often broken, and dropped anyway."""
    turn = _TURNS.get(image.getexif().get(Tag.Orientation, 1))
    return image if turn is None else image.transpose(turn)


def _flattened(image: Image.Image) -> Image.Image:
    """Eight bits per channel, on white, in a new image: nothing attached to the decoded image is carried over."""
    if image.mode.startswith("I"):
        # Sixteen-bit grey: a plain conversion would clip nearly all of it to white.
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    flat = Image.new("L" if image.mode in ("1", "L") else "RGB", image.size, "white")
    # Every conversion makes a copy, and these modes need none.
    if image.mode in ("1", "L", "RGB") and "transparency" not in image.info:
        flat.paste(image)
    else:
        see_through = image.convert("RGBA")
        flat.paste(see_through, mask=see_through.getchannel("A"))
    if flat.getcolors(maxcolors=1) is not None:
        raise _refused("The picture is one plain colour: there is nothing to see in it. Choose another one.")
    return flat


class _Capped(io.BytesIO):
    """Stops the encoder as soon as the picture becomes too large, instead of checking afterwards."""

    def write(self, data: Any, /) -> int:
        if self.tell() + len(data) > LARGEST_FILE_BYTES:
            raise _refused(_TOO_MUCH_DETAIL)
        return super().write(data)
