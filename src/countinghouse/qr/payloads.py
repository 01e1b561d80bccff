"""What the text inside a QR code asks a payment app to do: plain UPI links, and EMVCo codes such as Bharat QR.

An app may read an odd text in another way than this does. So whatever is said twice, escaped wrongly or fails its own
checksum is no payment code here, and nothing in it is believed.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote_to_bytes

from countinghouse.qr.addresses import LONGEST_ADDRESS

# Anything but whom to pay and how much that a payer may see, or that some app may act on.
Extra = Literal["least_amount", "payment_note", "web_link", "unknown_parameters"]

LONGEST_NAME = 200
LONGEST_AMOUNT = 30


@dataclass(frozen=True, slots=True)
class Payment:
    payee: str
    payee_name: str | None = None
    # As it is written; None where the payer types it.
    amount: str | None = None
    # What else it puts before the payer.
    extras: frozenset[Extra] = frozenset()


class _Malformed(Exception):
    pass


def find_payment(text: str) -> Payment | None:
    """None for a text that is no UPI payment, or none that can be relied on."""
    text = text.strip()
    try:
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
            return None
        if text[:4].lower() == "upi:":
            return _payment_of_link(text)
        return _payment_of_emv(text) if text.startswith(_EMV_BEGINS) else None
    except _Malformed:
        return None


_LINK = re.compile(r"upi://pay/?\?([^#]*)", re.IGNORECASE)
# What payment apps keep to themselves: merchant and terminal, references, the signature of the maker.
_HARMLESS = frozenset(
    ("pa", "pn", "am", "cu", "mc", "tid", "tr", "mode", "purpose", "orgid", "sign", "ver", "aid", "mid", "msid", "mtid")
)
_EXTRAS: dict[str, Extra] = {
    "mam": "least_amount",
    "tn": "payment_note",
    "url": "web_link",
    "refurl": "web_link",
}
_KEPT_TO_THEMSELVES = _HARMLESS - {"pa", "pn", "sign"}
# Inside of a value they may begin another parameter, or another address, for an app that reads less strictly.
_SEPARATORS = re.compile(r"[;&?=@#]")
_ESCAPES = re.compile(r"%(?![0-9A-Fa-f]{2})")


def _payment_of_link(text: str) -> Payment:
    link = _LINK.fullmatch(text)
    if link is None:
        raise _Malformed
    said: dict[str, str] = {}
    for part in link[1].split("&"):
        if not part:
            continue
        name, equals, value = part.partition("=")
        if not equals:
            raise _Malformed
        name = _unescaped(name).lower()
        if name in said:
            raise _Malformed
        said[name] = value
    if _unescaped(said.get("cu", "")).upper() not in ("", "INR"):
        raise _Malformed
    # A plus is a space to some apps and a plus to others. In a name it does no harm; in an address nothing equals it.
    name = _unescaped(said.get("pn", "").replace("+", " "))
    extras = {_EXTRAS.get(key, "unknown_parameters") for key in said if key not in _HARMLESS and said[key]}
    if "@" in name or any(_SEPARATORS.search(_unescaped(said[key])) for key in said.keys() & _KEPT_TO_THEMSELVES):
        extras.add("unknown_parameters")
    if _ZERO.fullmatch(said.get("mam", "")):
        extras.discard("least_amount")
    return _payment(_unescaped(said.get("pa", "")), name, _unescaped(said.get("am", "")), frozenset(extras))


def _unescaped(text: str) -> str:
    if _ESCAPES.search(text):
        raise _Malformed
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError as error:
        raise _Malformed from error


_EMV_BEGINS = "000201"
# Cards and accounts by their number stand bare; from the first template on each account says whose it is.
_ACCOUNTS, _FIRST_TEMPLATE = range(2, 52), 26
# Beside an address: what the payee calls the payment.
_REFERENCE = 27
_CURRENCY, _AMOUNT, _NAME, _CHECKSUM = 53, 54, 59, 63
_SCHEME, _ADDRESS = 0, 1
# In the template of an address the smallest amount, in that of the reference a web address.
_MORE = 2
_RUPEES = "356"
# The kind of code and of merchant, country, city, postal code, data for the merchant's till, names in other scripts.
_HARMLESS_TAGS = frozenset({0, 1, 52, _CURRENCY, _AMOUNT, 58, _NAME, 60, 61, 62, _CHECKSUM, 64}) | frozenset(_ACCOUNTS)


def _payment_of_emv(text: str) -> Payment:
    # Its lengths count bytes in some makers' codes and characters in others'. Where both are the same all agree.
    if not text.isascii() or text[-8:-4] != f"{_CHECKSUM}04" or text[-4:].upper() != _checksum(text[:-4]):
        raise _Malformed
    said = _fields(text)
    payees = set()
    extras: set[Extra] = set() if said.keys() <= _HARMLESS_TAGS else {"unknown_parameters"}
    for tag in said.keys() & set(_ACCOUNTS):
        account = _fields(said[tag]) if tag >= _FIRST_TEMPLATE else {}
        if _SCHEME in account and "@" in account.get(_ADDRESS, ""):
            payees.add(account[_ADDRESS])
            extras |= _more(account, "least_amount")
        elif tag == _REFERENCE:
            extras |= _more(account, "web_link")
        else:
            # Another app takes this one for the payee.
            raise _Malformed
    if len(payees) != 1 or said.get(_CURRENCY, _RUPEES) != _RUPEES:
        raise _Malformed
    return _payment(payees.pop(), said.get(_NAME, ""), said.get(_AMOUNT, ""), frozenset(extras))


def _more(account: dict[int, str], extra: Extra) -> set[Extra]:
    found: set[Extra] = set() if account.keys() <= {_SCHEME, _ADDRESS, _MORE} else {"unknown_parameters"}
    return found if _ZERO.fullmatch(account.get(_MORE, "")) else found | {extra}


def _fields(text: str) -> dict[int, str]:
    fields: dict[int, str] = {}
    for tag, value in _split(text):
        if tag in fields:
            raise _Malformed
        fields[tag] = value
    return fields


def _split(text: str) -> Iterator[tuple[int, str]]:
    """Each is two digits of name, two of length, and so many characters."""
    at = 0
    while at < len(text):
        head = text[at : at + 4]
        if len(head) < 4 or not (head.isascii() and head.isdigit()):
            raise _Malformed
        end = at + 4 + int(head[2:])
        if end > len(text):
            raise _Malformed
        yield int(head[:2]), text[at + 4 : end]
        at = end


def _checksum(text: str) -> str:
    """CRC-16 with the polynomial 1021, begun with all ones, as EMVCo has it."""
    register = 0xFFFF
    for byte in text.encode():
        register ^= byte << 8
        for _ in range(8):
            register = (register << 1 ^ 0x1021 if register & 0x8000 else register << 1) & 0xFFFF
    return f"{register:04X}"


_ZERO = re.compile(r"0*\.?0*")


def _payment(payee: str, name: str, amount: str, extras: frozenset[Extra]) -> Payment:
    said = payee + name + amount
    if not payee or len(payee) > LONGEST_ADDRESS or any(unicodedata.category(c) in ("Cc", "Cs") for c in said):
        raise _Malformed
    name = " ".join(name.split())[:LONGEST_NAME]
    # Nought is how some makers of codes say that the payer types the amount.
    fixed = None if _ZERO.fullmatch(amount) else amount[:LONGEST_AMOUNT]
    return Payment(payee, name or None, fixed, extras)
