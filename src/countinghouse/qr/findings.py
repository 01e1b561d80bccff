"""What is to be said about a code before customers may see it. Pure knowledge: sentences made from what is stored."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import with_config
from typing_extensions import TypedDict

from countinghouse.qr.addresses import look_alike, same_address, shown
from countinghouse.qr.payloads import Payment, find_payment

FindingCode = Literal["unreadable", "several", "no_upi", "other_payee", "fixed_amount"]
FINDING_CODES: tuple[FindingCode, ...] = get_args(FindingCode)

NOT_READ_YET = "Its picture has not been read yet."


@with_config(
    json_schema_extra={
        "examples": [{"code": "other_payee", "sentence": "This code pays other@okbank, not desk1@okbank."}]
    }
)
class QrFinding(TypedDict):
    code: FindingCode
    sentence: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a picture says, and what is wrong with that for the address it was uploaded for."""

    findings: tuple[FindingCode, ...]
    payee: str | None = None
    payee_name: str | None = None
    fixed_amount: str | None = None


def judge(texts: Iterable[str], upi_id: str | None) -> Reading:
    """`texts` are those of all codes in the picture. Without an address to compare with, none is compared."""
    different = set(texts)
    if not different:
        return Reading(("unreadable",))
    if len(different) > 1:
        return Reading(("several",))
    payment = find_payment(different.pop())
    return Reading(("no_upi",)) if payment is None else _judged(payment, upi_id)


def _judged(payment: Payment, upi_id: str | None) -> Reading:
    findings: list[FindingCode] = []
    if upi_id is not None and not same_address(payment.payee, upi_id):
        findings.append("other_payee")
    if payment.amount is not None:
        findings.append("fixed_amount")
    return Reading(tuple(findings), payment.payee, payment.payee_name, payment.amount)


def say_reading(reading: Reading | None) -> str:
    if reading is None:
        return NOT_READ_YET
    if reading.payee is None:
        return _sentence(_clause(reading.findings[0], reading, None))
    name = f", {shown(reading.payee_name)}" if reading.payee_name else ""
    amount = f", and asks for {_amount(reading)}" if reading.fixed_amount else ""
    return f"This code pays {shown(reading.payee)}{name}{amount}."


def say_findings(reading: Reading | None, upi_id: str | None) -> list[QrFinding]:
    found: Sequence[FindingCode] = reading.findings if reading else ()
    return [{"code": code, "sentence": _sentence(_clause(code, reading, upi_id))} for code in found]


def why(reading: Reading | None, upi_id: str) -> str:
    """For the end of a sentence: this code pays other@okbank, not desk1@okbank."""
    if reading is None or not reading.findings:
        return NOT_READ_YET[0].lower() + NOT_READ_YET[1:]
    return _joined([_clause(code, reading, upi_id) for code in reading.findings]) + "."


def _joined(clauses: Sequence[str]) -> str:
    return ", and ".join(clauses)


def _sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."


def _clause(code: FindingCode, reading: Reading | None, upi_id: str | None) -> str:
    if code == "unreadable":
        return "no QR code can be read in this picture"
    if code == "several":
        return "this picture holds several QR codes, and a customer may scan the wrong one"
    if code == "no_upi" or reading is None:
        return "the code in this picture is no proper UPI payment code"
    if code == "fixed_amount":
        return f"this code asks every payer for {_amount(reading)}"
    return _other_payee(reading.payee or "", upi_id or "")


def _other_payee(payee: str, upi_id: str) -> str:
    if not look_alike(payee, upi_id):
        return f"this code pays {shown(payee)}, not {shown(upi_id)}"
    if payee.isascii():
        return f"this code pays {shown(payee)}, which looks like {shown(upi_id)} but is another address"
    return f"this code pays an address that looks like {shown(upi_id)} but is written with other letters"


def _amount(reading: Reading) -> str:
    return f"₹{shown(reading.fixed_amount or '')}"
