"""Turning an uploaded file into a picture that is nothing but a picture.

The file is decoded and written anew from its raw pixels, so that no metadata, no trailing data and no trick of one
format survives. What is not plainly one still image is refused, never mended.
"""

import io
import warnings
from dataclasses import dataclass
from hashlib import sha256

from PIL import Image, ImageOps, UnidentifiedImageError

from countinghouse.core.errors import InvalidInput
from countinghouse.qr.endings import bytes_behind

LARGEST_FILE_BYTES = 5 * 1024 * 1024
LONGEST_SIDE = 4096
SHORTEST_SIDE = 64
FORMATS = ("PNG", "JPEG", "WEBP")

# Text that makes a browser or a server run a file; no honest photo of a code carries it.
_ACTIVE_TEXT = (b"<script", b"<svg", b"<html", b"<!doctype", b"<iframe", b"<?php", b"%pdf-", b"javascript:")

_DAMAGED = "The image file is damaged and cannot be read. Save it again and retry."


@dataclass(frozen=True, slots=True)
class Picture:
    content: bytes
    sha256: str
    width: int
    height: int


def _refused(sentence: str) -> InvalidInput:
    return InvalidInput({"qrImage": sentence})


def read_picture(uploaded: bytes) -> Picture:
    if not uploaded:
        raise _refused("The image file is empty. Choose another one.")
    if len(uploaded) > LARGEST_FILE_BYTES:
        raise _refused(f"The image file is larger than {LARGEST_FILE_BYTES // 1024 // 1024} MB. Send a smaller one.")
    image = _decode(uploaded)
    content = _encode(image)
    return Picture(content, sha256(content).hexdigest(), *image.size)


def _decode(uploaded: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(uploaded), formats=FORMATS)
            # Only the header has been read so far: what it promises is checked before anything is unpacked.
            _check_promises(image, uploaded)
            image.load()
            return ImageOps.exif_transpose(image)
    except (UnidentifiedImageError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _refused("The file is not a PNG, JPEG or WebP image. Choose a picture of the QR code.") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise _refused(_DAMAGED) from error


def _check_promises(image: Image.Image, uploaded: bytes) -> None:
    if max(image.size) > LONGEST_SIDE:
        raise _refused(f"The image is larger than {LONGEST_SIDE} pixels on a side. Send a smaller one.")
    if min(image.size) < SHORTEST_SIDE:
        raise _refused(f"The image is smaller than {SHORTEST_SIDE} pixels on a side. Send a larger one.")
    if getattr(image, "n_frames", 1) != 1:
        raise _refused("The image is animated. Send a still picture of the QR code.")
    behind = bytes_behind(image.format or "", uploaded)
    if behind is None:
        raise _refused(_DAMAGED)
    if behind > 0:
        raise _refused("The file holds more than one image: data follows its end. Save it again as a plain picture.")
    lowered = uploaded.lower()
    if any(text in lowered for text in _ACTIVE_TEXT):
        raise _refused("The file carries program text inside. Save it again as a plain picture.")


def _encode(image: Image.Image) -> bytes:
    flat = Image.new("RGB", image.size, "white")
    see_through = image.convert("RGBA")
    flat.paste(see_through, mask=see_through.getchannel("A"))
    # Built from raw pixels: nothing that hung on the decoded image can come along.
    clean = Image.frombytes("RGB", flat.size, flat.tobytes())
    out = io.BytesIO()
    clean.save(out, "PNG", optimize=True)
    return out.getvalue()
