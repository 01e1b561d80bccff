"""Reads the codes in a picture as a customer's phone would, but tries harder. Runs in the picture worker."""

import io
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import zxingcpp
from PIL import Image, ImageChops, ImageOps

from countinghouse.qr.picture import Seen

# Larger pictures are reduced to this size. For a picture tiled with finder patterns the cost grows faster than the
# third power of the side: three seconds per pass at this size.
_LONGEST_SIDE = 1600
# Passes that only find what the first one misses use a smaller size.
_LONGEST_SIDE_IN_ONE_COLOUR = 1000
# Smaller pictures are also read at twice their size: half of all small codes are readable only then.
_SMALL_SIDE = 800
# The dots of a dotted code are enlarged until they touch.
_LONGEST_SIDE_OF_DOTS = 500
_DOT_STEPS = 2
# Light greys above this value make a code look like plain paper.
_LIGHT = 192

_Format = zxingcpp.BarcodeFormat
_QR_FORMATS = (_Format.QRCode, _Format.QRCodeModel2)
_QR = zxingcpp.BarcodeFormats([_Format.QRCode])
# Other codes that a phone reads. Kinds without a checksum are left out, because they turn up in any busy picture.
_OTHERS = zxingcpp.BarcodeFormats(
    [
        *(_Format.MicroQRCode, _Format.RMQRCode, _Format.QRCodeModel1),
        *(_Format.DataMatrix, _Format.Aztec, _Format.PDF417),
        *(_Format.Code128, _Format.Code93, _Format.EAN13, _Format.EAN8, _Format.UPCA, _Format.UPCE),
    ]
)


class _Box(NamedTuple):
    """The position of a code, as fractions of the picture's width and height."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "_Box") -> bool:
        is_beside = self.right < other.left or other.right < self.left
        return not is_beside and self.top <= other.bottom and other.top <= self.bottom


def read_codes(png: bytes) -> Seen:
    """Tries every method, even after one has found a code.

    The picture may contain a second code that only another method finds, and that a phone finds as well.
    """
    picture = _opened(png)
    if picture is None:
        return Seen()
    texts: set[str | None] = set()
    read: list[_Box] = []
    failed: list[_Box] = []
    for view, is_unaltered in _views(picture):
        for code in _scan(view, _QR):
            if code.valid and code.format in _QR_FORMATS:
                texts.add(_exact_text(code))
                read.append(_box(code, view))
            elif is_unaltered:
                failed.append(_box(code, view))
    return Seen(
        frozenset(text for text in texts if text is not None),
        has_other_letters=None in texts,
        has_other_kind=_is_any_apart(_other_kinds(picture), read),
        has_unread=_is_any_apart(failed, read),
    )


def _opened(png: bytes) -> Image.Image | None:
    """None if the decoder cannot open the picture, for whatever reason: then nobody else can read it either."""
    try:
        picture: Image.Image = Image.open(io.BytesIO(png), formats=("PNG",))
        picture.load()
        if picture.mode not in ("RGB", "L"):
            picture = picture.convert("RGB")
    except MemoryError:
        raise
    except Exception:
        return None
    picture.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE), Image.Resampling.BOX)
    return picture


def _views(picture: Image.Image) -> Iterator[tuple[Image.Image, bool]]:
    """Yields one view at a time, to limit memory, and whether it shows the picture as it is or enhanced."""
    grey = picture.convert("L")
    yield grey, True
    if max(grey.size) <= _SMALL_SIDE:
        yield grey.resize((grey.width * 2, grey.height * 2), Image.Resampling.BICUBIC), True
    yield ImageOps.autocontrast(_shrunk(grey, _LONGEST_SIDE_IN_ONE_COLOUR)), False
    yield _shrunk(grey, _LONGEST_SIDE_IN_ONE_COLOUR).point(lambda value: max(0, value - _LIGHT) * 4), False
    yield from _with_larger_dots(grey)
    if picture.mode == "RGB":
        for colour in _colours(_shrunk(picture, _LONGEST_SIDE_IN_ONE_COLOUR)):
            yield colour, True
            yield from _with_larger_dots(colour)


def _with_larger_dots(grey: Image.Image) -> Iterator[tuple[Image.Image, bool]]:
    dots = _shrunk(grey, _LONGEST_SIDE_OF_DOTS)
    for _ in range(_DOT_STEPS):
        dots = enlarge_dots(dots)
        yield dots, False


def enlarge_dots(grey: Image.Image) -> Image.Image:
    """Each pixel becomes the darkest within two pixels of it: what `ImageFilter.MinFilter(5)` does, in a fortieth of
    its time."""
    darkest = ImageOps.expand(grey, 2, fill=255)
    # Steps of 1, 2 and 1 make windows of 2, 4 and 5 pixels.
    for step in (1, 2, 1):
        darkest = ImageChops.darker(*_shifted(darkest, step, 0))
    for step in (1, 2, 1):
        darkest = ImageChops.darker(*_shifted(darkest, 0, step))
    return darkest


def _shifted(picture: Image.Image, right: int, down: int) -> tuple[Image.Image, Image.Image]:
    width, height = picture.width - right, picture.height - down
    return picture.crop((0, 0, width, height)), picture.crop((right, down, right + width, down + height))


def _colours(picture: Image.Image) -> tuple[Image.Image, ...]:
    """Each colour channel alone: magenta on green is a uniform grey, but a readable code in the red channel."""
    red, green, blue = picture.split()
    is_grey = ImageChops.difference(red, green).getbbox() is ImageChops.difference(green, blue).getbbox() is None
    return () if is_grey else (red, green, blue)


def _shrunk(picture: Image.Image, side: int) -> Image.Image:
    shrunk = picture.copy()
    shrunk.thumbnail((side, side), Image.Resampling.BOX)
    return shrunk


_read_barcodes = partial(
    zxingcpp.read_barcodes,
    text_mode=zxingcpp.TextMode.Plain,
    try_rotate=True,
    try_invert=True,
    try_downscale=True,
    return_errors=True,
)


def _scan(view: Image.Image, formats: zxingcpp.BarcodeFormats) -> Iterator[zxingcpp.Barcode]:
    """May return duplicates: each binarizer finds codes that the other misses."""
    for binarizer in (zxingcpp.Binarizer.LocalAverage, zxingcpp.Binarizer.GlobalHistogram):
        yield from _read_barcodes(view, formats=formats, binarizer=binarizer)


def _other_kinds(picture: Image.Image) -> list[_Box]:
    grey = _shrunk(picture, _LONGEST_SIDE_IN_ONE_COLOUR).convert("L")
    return [_box(code, grey) for code in _scan(grey, _OTHERS) if code.valid]


def _exact_text(code: zxingcpp.Barcode) -> str | None:
    """None if the bytes are not UTF-8: a code drawn from the reader's guess would be a different code."""
    try:
        return bytes(code.bytes).decode()
    except UnicodeDecodeError:
        return None


def _box(code: zxingcpp.Barcode, view: Image.Image) -> _Box:
    place = code.position
    corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
    xs, ys = [corner.x / view.width for corner in corners], [corner.y / view.height for corner in corners]
    return _Box(min(xs), min(ys), max(xs), max(ys))


def _is_any_apart(found: list[_Box], read: list[_Box]) -> bool:
    """Whether any of them lies apart from the codes that were read. One on top of those is only a worse reading."""
    return any(box.right > box.left and not any(box.overlaps(other) for other in read) for box in found)
