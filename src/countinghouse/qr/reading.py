"""Reading the QR codes in a picture, as a customer's phone would, and with more patience."""

import io
from threading import BoundedSemaphore

import zxingcpp
from PIL import Image

# Reading keeps a core busy; the others are for those who wait for a page.
_eyes = BoundedSemaphore(2)

# A larger picture is read in this size. Noise costs little in any, but a picture tiled with corners of codes costs
# by more than the third power of its side: three seconds a look in this size, twice that at 2,000 pixels.
_LONGEST_SIDE = 1600
# A smaller picture is read in twice its size as well: of small codes half are read only then.
_SMALL_SIDE = 800
_QR = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode])
_BINARIZERS = (zxingcpp.Binarizer.LocalAverage, zxingcpp.Binarizer.GlobalHistogram)


def read_codes(png: bytes) -> frozenset[str]:
    """The different texts of all codes in it. Every way is tried, also when one has found something.

    A second code in the picture may be one that only another way finds, and a phone as well.
    """
    with _eyes:
        grey = _opened(png)
        if grey is None:
            return frozenset()
        sizes = [grey]
        if max(grey.size) <= _SMALL_SIDE:
            sizes.append(grey.resize((grey.width * 2, grey.height * 2), Image.Resampling.BICUBIC))
        return frozenset(text for size in sizes for binarizer in _BINARIZERS for text in _texts(size, binarizer))


def _opened(png: bytes) -> Image.Image | None:
    """None for what is no picture any more, in whichever way the decoder finds out: nobody can read it either."""
    try:
        with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
            grey = picture.convert("L")
    except Exception:
        return None
    grey.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE), Image.Resampling.BOX)
    return grey


def _texts(grey: Image.Image, binarizer: zxingcpp.Binarizer) -> list[str]:
    found = zxingcpp.read_barcodes(
        grey,
        formats=_QR,
        binarizer=binarizer,
        text_mode=zxingcpp.TextMode.Plain,
        try_rotate=True,
        try_invert=True,
        try_downscale=True,
    )
    return [_text(code) for code in found]


def _text(code: zxingcpp.Barcode) -> str:
    """Payment apps take the bytes for UTF-8; the reader guesses, and may guess an alphabet nobody meant."""
    try:
        return bytes(code.bytes).decode()
    except UnicodeDecodeError:
        return str(code.text)
