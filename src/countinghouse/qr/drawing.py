"""Drawing the QR code that customers get, from the exact text that was checked. Runs in the picture worker."""

import io
from hashlib import sha256

import segno

from countinghouse.core.errors import InvalidInput
from countinghouse.qr.picture import Picture, Seen
from countinghouse.qr.reading import read_codes

_PIXELS_PER_MODULE = 8
_QUIET_MODULES = 4
# The strongest error correction that keeps the code coarse enough for an old phone. For longer texts, whatever fits.
_CORRECTIONS = ("h", "q", "m", "l")
_LARGEST_COMFORTABLE_VERSION = 15

_CANNOT_BE_DRAWN = (
    "The desk cannot redraw this code so that it scans the same, so it could not be shown to customers. "
    "Ask the bank for a simpler code, or draw one from the UPI ID."
)


def draw_text(text: str) -> Picture:
    """Reads the code back before returning it: it must contain this text and nothing else."""
    code, out = _make_code(text.encode()), io.BytesIO()
    if code is not None:
        code.save(out, kind="png", scale=_PIXELS_PER_MODULE, border=_QUIET_MODULES)
    content = out.getvalue()
    if code is None or read_codes(content) != Seen(frozenset({text})):
        raise InvalidInput({"qrImage": _CANNOT_BE_DRAWN})
    side = (len(code.matrix) + 2 * _QUIET_MODULES) * _PIXELS_PER_MODULE
    return Picture(content, sha256(content).hexdigest(), side, side)


def _make_code(exact: bytes) -> segno.QRCode | None:
    """Encodes the bytes as they are. With another mode or a charset marker, some readers decode another text."""
    for correction in _CORRECTIONS:
        is_last = correction == _CORRECTIONS[-1]
        try:
            code = segno.make_qr(exact, error=correction, mode="byte", boost_error=is_last)
        except segno.DataOverflowError:
            continue
        if is_last or int(code.version) <= _LARGEST_COMFORTABLE_VERSION:
            return code
    return None
