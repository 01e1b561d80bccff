"""What the text of a QR code asks a payment app to do: plain UPI links, and EMVCo codes such as Bharat QR.

Payment apps may interpret an odd text in other ways than this module. So a text that repeats a field, is escaped
wrongly or fails its own checksum is not a payment code here, and nothing in it is trusted.
"""

import re
import unicodedata
from binascii import crc_hqx
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, unquote_to_bytes

from countinghouse.qr.addresses import LONGEST_ADDRESS

# Everything besides payee and amount that a payer may see, or that some app may act on.
Extra = Literal["least_amount", "payment_note", "web_link", "unknown_parameters"]

LONGEST_NAME = 200
LONGEST_AMOUNT = 30


@dataclass(frozen=True, slots=True)
class Payment:
    payee: str
    payee_name: str | None = None
    # As written in the code; None if the payer types it.
    amount: str | None = None
    # What else the payer would be shown.
    extras: frozenset[Extra] = frozenset()


class _Malformed(Exception):
    pass


def payment_link(upi_id: str, name: str) -> str:
    return f"upi://pay?pa={upi_id}&pn={quote(name, safe='')}&cu=INR"


def find_payment(text: str) -> Payment | None:
    """None if the text is not a UPI payment, or is one that cannot be trusted."""
    text = text.strip()
    try:
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
            return None
        if text[:4].lower() == "upi:":
            return _payment_of_link(text)
        return _payment_of_emv(text) if text.startswith(_EMV_PREFIX) else None
    except _Malformed:
        return None


_LINK = re.compile(r"upi://pay/?\?([^#]*)", re.IGNORECASE)
# Fields that payment apps do not show: merchant and terminal, references, the issuer's signature.
_HARMLESS = frozenset(
    ("pa", "pn", "am", "cu", "mc", "tid", "tr", "mode", "purpose", "orgid", "sign", "ver", "aid", "mid", "msid", "mtid")
)
_EXTRAS: dict[str, Extra] = {"mam": "least_amount", "tn": "payment_note", "url": "web_link", "refurl": "web_link"}
_NOT_SHOWN = _HARMLESS - {"pa", "pn", "sign"}
# Within a value, a less strict app may take these for the start of another parameter or address.
_SEPARATORS = re.compile(r"[;&?=@#]")
_ESCAPES = re.compile(r"%(?![0-9A-Fa-f]{2})")


def _payment_of_link(text: str) -> Payment:
    link = _LINK.fullmatch(text)
    if link is None:
        raise _Malformed
    given: dict[str, str] = {}
    for part in link[1].split("&"):
        if not part:
            continue
        name, equals, value = part.partition("=")
        if not equals:
            raise _Malformed
        name = _unescaped(name).lower()
        if name in given:
            raise _Malformed
        given[name] = value
    if _unescaped(given.get("cu", "")).upper() not in ("", "INR"):
        raise _Malformed
    # Some apps read a plus as a space, others as a plus. In a name it does no harm; no valid address contains one.
    name = _unescaped(given.get("pn", "").replace("+", " "))
    extras = {_EXTRAS.get(key, "unknown_parameters") for key in given if key not in _HARMLESS and given[key]}
    if "@" in name or any(_SEPARATORS.search(_unescaped(given[key])) for key in given.keys() & _NOT_SHOWN):
        extras.add("unknown_parameters")
    if _ZERO.fullmatch(given.get("mam", "")):
        extras.discard("least_amount")
    return _payment(_unescaped(given.get("pa", "")), name, _unescaped(given.get("am", "")), frozenset(extras))


def _unescaped(text: str) -> str:
    if _ESCAPES.search(text):
        raise _Malformed
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError as error:
        raise _Malformed from error


_EMV_PREFIX = "000201"
# Lower tags hold bare card or account numbers; from the first template on, each account names its scheme.
_ACCOUNTS, _FIRST_TEMPLATE = range(2, 52), 26
# Tag next to the address: the payee's reference for the payment.
_REFERENCE = 27
_CURRENCY, _AMOUNT, _NAME, _CHECKSUM = 53, 54, 59, 63
_SCHEME, _ADDRESS = 0, 1
# Subfield: the minimum amount in the address template, a web address in the reference template.
_EXTRA_FIELD = 2
_RUPEES = "356"
# Kind of code and of merchant, country, city, postal code, data for the merchant's till, names in other scripts.
_HARMLESS_TAGS = frozenset({0, 1, 52, _CURRENCY, _AMOUNT, 58, _NAME, 60, 61, 62, _CHECKSUM, 64}) | frozenset(_ACCOUNTS)


def _payment_of_emv(text: str) -> Payment:
    checksum = f"{crc_hqx(text[:-4].encode(), 0xFFFF):04X}"
    # Some generators count lengths in bytes, others in characters. In pure ASCII both are the same.
    if not text.isascii() or text[-8:-4] != f"{_CHECKSUM}04" or text[-4:].upper() != checksum:
        raise _Malformed
    given = _fields(text)
    payees = set()
    extras: set[Extra] = set() if given.keys() <= _HARMLESS_TAGS else {"unknown_parameters"}
    for tag in given.keys() & set(_ACCOUNTS):
        account = _fields(given[tag]) if tag >= _FIRST_TEMPLATE else {}
        if _SCHEME in account and "@" in account.get(_ADDRESS, ""):
            payees.add(account[_ADDRESS])
            extras |= _find_extras(account, "least_amount")
        elif tag == _REFERENCE:
            extras |= _find_extras(account, "web_link")
        else:
            # Another app would take this account for the payee.
            raise _Malformed
    if len(payees) != 1 or given.get(_CURRENCY, _RUPEES) != _RUPEES:
        raise _Malformed
    return _payment(payees.pop(), given.get(_NAME, ""), given.get(_AMOUNT, ""), frozenset(extras))


def _find_extras(account: dict[int, str], extra: Extra) -> set[Extra]:
    found: set[Extra] = set() if account.keys() <= {_SCHEME, _ADDRESS, _EXTRA_FIELD} else {"unknown_parameters"}
    return found if _ZERO.fullmatch(account.get(_EXTRA_FIELD, "")) else found | {extra}


def _fields(text: str) -> dict[int, str]:
    """Each field is a two-digit tag, a two-digit length, and that many characters."""
    fields: dict[int, str] = {}
    while text:
        head = text[:4]
        if len(head) < 4 or not (head.isascii() and head.isdigit()):
            raise _Malformed
        tag, end = int(head[:2]), 4 + int(head[2:])
        if end > len(text) or tag in fields:
            raise _Malformed
        fields[tag], text = text[4:end], text[end:]
    return fields


_ZERO = re.compile(r"0*\.?0*")


def _payment(payee: str, name: str, amount: str, extras: frozenset[Extra]) -> Payment:
    given = payee + name + amount
    if not payee or len(payee) > LONGEST_ADDRESS or any(unicodedata.category(c) in ("Cc", "Cs") for c in given):
        raise _Malformed
    name = " ".join(name.split())[:LONGEST_NAME]
    # Some generators write a zero amount when the payer is to type it.
    fixed = None if _ZERO.fullmatch(amount) else amount[:LONGEST_AMOUNT]
    return Payment(payee, name or None, fixed, extras)
