"""Reading the codes in a picture, as a customer's phone would, and with more patience. Runs in the picture worker."""

import io
from collections.abc import Iterator
from dataclasses import dataclass

import zxingcpp
from PIL import Image, ImageChops, ImageFilter, ImageOps

from countinghouse.qr.picture import Seen

# A larger picture is read in this size. A picture tiled with corners of codes costs by more than the third power of
# its side: three seconds a look in this size.
_LONGEST_SIDE = 1600
# Ways that only find what the first one misses look at less.
_LONGEST_SIDE_IN_ONE_COLOUR = 1000
# A smaller picture is read in twice its size as well: of small codes half are read only then.
_SMALL_SIDE = 800
# The dots of a dotted code are made larger, until they touch.
_LONGEST_SIDE_OF_DOTS = 500
_DOT_STEPS = 2
# Above this lie the greys in which a code looks like plain paper.
_LIGHT = 192

_BINARIZERS = (zxingcpp.Binarizer.LocalAverage, zxingcpp.Binarizer.GlobalHistogram)
_Format = zxingcpp.BarcodeFormat
_QR_FORMATS = (_Format.QRCode, _Format.QRCodeModel2)
_QR = zxingcpp.BarcodeFormats([_Format.QRCode])
# What a phone reads as well. Kinds without a checksum of their own are left out: they appear in any busy picture.
_OTHERS = zxingcpp.BarcodeFormats(
    [
        *(_Format.MicroQRCode, _Format.RMQRCode, _Format.QRCodeModel1),
        *(_Format.DataMatrix, _Format.Aztec, _Format.PDF417),
        *(_Format.Code128, _Format.Code93, _Format.EAN13, _Format.EAN8, _Format.UPCA, _Format.UPCE),
    ]
)


@dataclass(frozen=True, slots=True)
class _Box:
    """Where a code lies, in parts of the picture's width and height."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "_Box") -> bool:
        is_beside = self.right < other.left or other.right < self.left
        return not is_beside and self.top <= other.bottom and other.top <= self.bottom


def read_codes(png: bytes) -> Seen:
    """Every way is tried, also when one has found something.

    A second code in the picture may be one that only another way finds, and a phone as well.
    """
    picture = _opened(png)
    if picture is None:
        return Seen()
    texts: set[str | None] = set()
    read: list[_Box] = []
    failed: list[_Box] = []
    for view, is_as_it_is in _views(picture):
        for binarizer in _BINARIZERS:
            for code in _look(view, _QR, binarizer):
                if code.valid and code.format in _QR_FORMATS:
                    texts.add(_exact_text(code))
                    read.append(_box(code, view))
                elif is_as_it_is:
                    failed.append(_box(code, view))
    return Seen(
        frozenset(text for text in texts if text is not None),
        has_other_letters=None in texts,
        has_other_kind=_is_one_apart(_other_kinds(picture), read),
        has_unread=_is_one_apart(failed, read),
    )


def _opened(png: bytes) -> Image.Image | None:
    """None for what is no picture any more, in whichever way the decoder finds out: nobody can read it either."""
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
    """One at a time, so that only one is in memory; and whether it shows what is there, or what may be meant."""
    grey = picture.convert("L")
    yield grey, True
    if max(grey.size) <= _SMALL_SIDE:
        yield grey.resize((grey.width * 2, grey.height * 2), Image.Resampling.BICUBIC), True
    yield ImageOps.autocontrast(_shrunk(grey, _LONGEST_SIDE_IN_ONE_COLOUR)), False
    yield _shrunk(grey, _LONGEST_SIDE_IN_ONE_COLOUR).point(lambda value: max(0, value - _LIGHT) * 4), False
    dots = _shrunk(grey, _LONGEST_SIDE_OF_DOTS)
    for _ in range(_DOT_STEPS):
        # Twice three is five, at less than the price of five.
        dots = dots.filter(ImageFilter.MinFilter(3)).filter(ImageFilter.MinFilter(3))
        yield dots, False
    if picture.mode == "RGB":
        for colour in _colours(_shrunk(picture, _LONGEST_SIDE_IN_ONE_COLOUR)):
            yield colour, True


def _colours(picture: Image.Image) -> tuple[Image.Image, ...]:
    """Each colour alone: magenta on green is one grey, and a code in red."""
    red, green, blue = picture.split()
    is_grey = ImageChops.difference(red, green).getbbox() is ImageChops.difference(green, blue).getbbox() is None
    return () if is_grey else (red, green, blue)


def _shrunk(picture: Image.Image, side: int) -> Image.Image:
    shrunk = picture.copy()
    shrunk.thumbnail((side, side), Image.Resampling.BOX)
    return shrunk


def _look(view: Image.Image, formats: zxingcpp.BarcodeFormats, binarizer: zxingcpp.Binarizer) -> list[zxingcpp.Barcode]:
    found: list[zxingcpp.Barcode] = zxingcpp.read_barcodes(
        view,
        formats=formats,
        binarizer=binarizer,
        text_mode=zxingcpp.TextMode.Plain,
        try_rotate=True,
        try_invert=True,
        try_downscale=True,
        return_errors=True,
    )
    return found


def _other_kinds(picture: Image.Image) -> list[_Box]:
    grey = _shrunk(picture, _LONGEST_SIDE_IN_ONE_COLOUR).convert("L")
    found = [code for binarizer in _BINARIZERS for code in _look(grey, _OTHERS, binarizer)]
    return [_box(code, grey) for code in found if code.valid]


def _exact_text(code: zxingcpp.Barcode) -> str | None:
    """None where the bytes are no text in UTF-8: what is drawn from the reader's guess would be another code."""
    try:
        return bytes(code.bytes).decode()
    except UnicodeDecodeError:
        return None


def _box(code: zxingcpp.Barcode, view: Image.Image) -> _Box:
    place = code.position
    corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
    xs, ys = [corner.x / view.width for corner in corners], [corner.y / view.height for corner in corners]
    return _Box(min(xs), min(ys), max(xs), max(ys))


def _is_one_apart(found: list[_Box], read: list[_Box]) -> bool:
    """Whether one of them lies elsewhere than the codes that were read: on these it is only a worse look at them."""
    return any(box.right > box.left and not any(box.overlaps(other) for other in read) for box in found)
