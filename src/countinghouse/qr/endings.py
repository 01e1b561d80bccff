"""Where an image file ends by its own account, so that whatever hangs on behind it can be seen."""

import re
from collections.abc import Callable


def bytes_behind(form: str, uploaded: bytes) -> int | None:
    """How much follows the image in its file; None where the image itself does not come to an end."""
    end = _ENDS[form](uploaded)
    return None if end is None or end > len(uploaded) else len(uploaded) - end


def _png_end(uploaded: bytes) -> int | None:
    """Walks the chunks by their own lengths to the end of IEND."""
    at = 8
    while at + 12 <= len(uploaded):
        length = int.from_bytes(uploaded[at : at + 4], "big")
        kind = uploaded[at + 4 : at + 8]
        at += 12 + length
        if kind == b"IEND":
            return at
    return None


_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
# Inside a scan, FF 00 is a plain FF, FF D0 to FF D7 restart it, and FF FF is filling; any other marker ends it.
_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def _jpeg_end(uploaded: bytes) -> int | None:
    """Walks the segments by their own lengths, and through each scan, to the end of EOI."""
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
    # The size in a RIFF header does not count the first eight bytes.
    return int.from_bytes(uploaded[4:8], "little") + 8


_ENDS: dict[str, Callable[[bytes], int | None]] = {"PNG": _png_end, "JPEG": _jpeg_end, "WEBP": _webp_end}
