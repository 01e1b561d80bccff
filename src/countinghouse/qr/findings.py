"""What is wrong with a code before customers may see it. Pure functions: sentences made from stored data."""

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

import msgspec
from typing_extensions import TypedDict

from countinghouse.core.examples import Example, described
from countinghouse.qr.addresses import look_alike, same_address, shown
from countinghouse.qr.payloads import Extra, find_payment
from countinghouse.qr.picture import Seen

FindingCode = Literal[
    "unreadable",
    "several",
    "other_letters",
    "other_kind",
    "unread_code",
    "no_upi",
    "other_payee",
    "fixed_amount",
    "least_amount",
    "payment_note",
    "web_link",
    "unknown_parameters",
]

_NOT_READ_YET = "Its picture has not been read yet."


@described
class QrFinding(TypedDict):
    code: Annotated[FindingCode, Example("other_payee")]
    sentence: Annotated[str, Example("This code pays other@okbank, not desk1@okbank.")]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a picture contains, and what is wrong with it for the address it was uploaded for."""

    findings: tuple[FindingCode, ...]
    payee: str | None = None
    payee_name: str | None = None
    fixed_amount: str | None = None
    # The exact text from which the customers' code would be drawn; None if the picture has no single intended text.
    payload: str | None = None

    @property
    def stored_findings(self) -> str:
        """A JSON array; empty text if there is nothing wrong."""
        return msgspec.json.encode(self.findings).decode() if self.findings else ""

    @property
    def is_beyond_confirming(self) -> bool:
        """Nobody can tell which of several codes customers should get, or in which character set a code is encoded."""
        return self.payload is None and not {"several", "other_letters"}.isdisjoint(self.findings)


def read_findings(stored: str) -> tuple[FindingCode, ...]:
    return msgspec.json.decode(stored, type=tuple[FindingCode, ...]) if stored else ()


def judge(seen: Seen, upi_id: str | None) -> Reading:
    """Without `upi_id`, the payee is not compared."""
    found: dict[FindingCode, bool] = {
        "several": len(seen.texts) + seen.has_other_letters > 1,
        "other_letters": seen.has_other_letters,
        "other_kind": seen.has_other_kind,
        "unread_code": seen.has_unread,
    }
    problems = [code for code, is_found in found.items() if is_found]
    if not seen.texts and not seen.has_other_letters:
        return Reading(("unreadable", *problems))
    text = next(iter(seen.texts)) if "several" not in problems and seen.texts else _intended_text(seen.texts, upi_id)
    return Reading(tuple(problems)) if text is None else _judge_text(text, problems, upi_id)


def _intended_text(texts: frozenset[str], upi_id: str | None) -> str | None:
    """Of several texts the one that pays the typed address, if there is exactly one."""
    payments = [(text, find_payment(text)) for text in texts if upi_id is not None]
    paying = [text for text, payment in payments if payment and same_address(payment.payee, upi_id or "")]
    return paying[0] if len(paying) == 1 else None


def _judge_text(text: str, findings: list[FindingCode], upi_id: str | None) -> Reading:
    payment = find_payment(text)
    if payment is None:
        return Reading((*findings, "no_upi"), payload=text)
    if upi_id is not None and not same_address(payment.payee, upi_id):
        findings.append("other_payee")
    if payment.amount is not None:
        findings.append("fixed_amount")
    findings += [extra for extra in get_args(Extra) if extra in payment.extras]
    return Reading(tuple(findings), payment.payee, payment.payee_name, payment.amount, text)


def say_reading(reading: Reading | None) -> str:
    if reading is None:
        return _NOT_READ_YET
    if reading.payee is None:
        return _sentence(_clause(reading.findings[0], reading, None))
    name = f", {shown(reading.payee_name)}" if reading.payee_name else ""
    amount = f", and asks for ₹{shown(reading.fixed_amount)}" if reading.fixed_amount else ""
    code = "One of several codes in this picture" if "several" in reading.findings else "This code"
    return f"{code} pays {shown(reading.payee)}{name}{amount}."


def say_findings(reading: Reading | None, upi_id: str | None) -> list[QrFinding]:
    if reading is None:
        return []
    return [
        {"code": code, "sentence": _sentence(_clause(code, reading, upi_id)) + _ADVICE.get(code, "")}
        for code in reading.findings
    ]


def why(reading: Reading | None, upi_id: str) -> str:
    """For the end of a sentence: this code pays other@okbank, not desk1@okbank."""
    if reading is None or not reading.findings:
        return _NOT_READ_YET[0].lower() + _NOT_READ_YET[1:]
    return ", and ".join(_clause(code, reading, upi_id) for code in reading.findings) + "."


def _sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."


_CLAUSES: dict[FindingCode, str] = {
    "unreadable": "no QR code can be read in this picture",
    "several": "this picture holds several QR codes, and a customer may scan the wrong one",
    "other_letters": "a code in this picture is written in letters that payment apps read in different ways",
    "other_kind": "this picture holds a code of another kind beside the QR code",
    "unread_code": "this picture holds a QR code that the desk cannot read, and a phone may read it",
    "no_upi": "this is not a UPI payment QR",
    "least_amount": "this code sets a smallest amount for every payer",
    "payment_note": "this code writes a note into every payment",
    "web_link": "this code shows every payer a web link",
    "unknown_parameters": "this code carries parameters that the desk does not know",
}
_ONE_CODE = " Upload a picture with one code."
_ASK_THE_BANK = " Ask the bank for a code without it, or draw one from the UPI ID."
# What to do about a finding, unless its sentence says so already.
_ADVICE: dict[FindingCode, str] = {
    "several": _ONE_CODE,
    "other_letters": " Ask the bank for a plain code, or draw one from the UPI ID.",
    "other_kind": _ONE_CODE,
    "unread_code": _ONE_CODE,
    "least_amount": _ASK_THE_BANK,
    "payment_note": _ASK_THE_BANK,
    "web_link": _ASK_THE_BANK,
    "unknown_parameters": " Ask the bank what they do, or draw a code from the UPI ID.",
}


def _clause(code: FindingCode, reading: Reading, upi_id: str | None) -> str:
    if code == "fixed_amount":
        return f"this code asks every payer for ₹{shown(reading.fixed_amount or '')}"
    if code in _CLAUSES:
        return _CLAUSES[code]
    payee, typed = reading.payee or "", upi_id or ""
    if not look_alike(payee, typed):
        return f"this code pays {shown(payee)}, not {shown(typed)}"
    if payee.isascii():
        return f"this code pays {shown(payee)}, which looks like {shown(typed)} but is another address"
    return f"this code pays an address that looks like {shown(typed)} but is written with other letters"
