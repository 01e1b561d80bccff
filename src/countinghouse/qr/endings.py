"""Finds where an image file ends according to its format, to detect data appended to it."""

import re
from collections.abc import Callable


def bytes_behind(form: str, uploaded: bytes) -> int | None:
    """The number of bytes after the end of the image; None if the image is incomplete."""
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
