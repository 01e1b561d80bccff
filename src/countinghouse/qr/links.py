"""The payment link of a typed address."""

from urllib.parse import quote


def payment_link(upi_id: str, name: str) -> str:
    return f"upi://pay?pa={upi_id}&pn={quote(name, safe='')}&cu=INR"
