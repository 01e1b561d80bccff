"""Making a code from an address: for a desk that has no picture at hand."""

import io
from urllib.parse import quote

import segno

_PIXELS_PER_MODULE = 8


def payment_link(upi_id: str, name: str) -> str:
    return f"upi://pay?pa={upi_id}&pn={quote(name, safe='')}&cu=INR"


def draw_code(upi_id: str, name: str) -> bytes:
    drawn = io.BytesIO()
    segno.make_qr(payment_link(upi_id, name), error="m").save(drawn, kind="png", scale=_PIXELS_PER_MODULE)
    return drawn.getvalue()
