"""Reads single values of a source: ids, text, money, moments. Nothing is guessed; what is unclear is a problem."""

import base64
import binascii
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from countinghouse.core.money import LARGEST_PAISE

_OBJECT_ID = re.compile(r"[0-9a-fA-F]{24}")
# mongoexport writes ids into CSV in this way.
_WRAPPED_OBJECT_ID = re.compile(r"ObjectId\(\"?([0-9a-fA-F]{24})\"?\)")
_MONEY = re.compile(
    r"(?:₹|INR|Rs\.?)?\s*(?P<number>-?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3})(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)",
    re.ASCII,
)
# As MongoDB writes numbers: at most 34 digits, and an exponent of at most four. With an exponent of hundreds of
# millions, its digits alone would fill the memory.
_NUMBER = re.compile(r"[+-]?[0-9]{1,34}(\.[0-9]{0,34})?([eE][+-]?[0-9]{1,4})?", re.ASCII)
_INTEGER = re.compile(r"-?[0-9]{1,19}", re.ASCII)
_DIGITS = re.compile(r"[0-9]{1,40}(\.[0-9]{1,40})?", re.ASCII)
_LONGEST_NUMBER = 60
_PAISA = Decimal("0.01")
_NO_AMOUNT = "must be an amount in rupees, like 1250 or 1250.50."
# A float has 15 exact digits, and a spreadsheet keeps no more.
_LARGEST_EXACT = 10**15
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Day 0 of Excel's calendar, which has a 29 February 1900.
_EXCEL_EPOCH = datetime(1899, 12, 30)
_EXCEL_DAYS = (20_000, 80_000)
_FIRST_YEAR, _LAST_YEAR = 1990, 2100


# Most values are of these types; looking one up costs less than any other question about it.
_PLAIN = frozenset((str, int, float, bool, datetime, Decimal, type(None)))


class Unclear(Exception):
    """A value that cannot be imported. Its text is a sentence without the name of the field."""


def plain(value: Any) -> Any:
    """Resolves Extended JSON and the types of MongoDB. Other objects and lists stay as they are."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, dict):
        return _from_extended_json(value)
    # By name, because MongoDB's package is optional.
    match type(value).__name__:
        case "ObjectId":
            return str(value)
        case "Decimal128":
            return value.to_decimal()
        case "DBRef":
            return plain(value.id)
        case "UUID":
            return str(value)
        case "DatetimeMS":
            return _from_milliseconds(int(value))
        case "Timestamp":
            return value.as_datetime()
    return value


def _from_extended_json(value: Mapping[str, Any]) -> Any:
    """What is malformed stays as it is, and is refused where its field is read."""
    match value:
        case {"$oid": str(written)} | {"$uuid": str(written)}:
            return written
        case {"$numberInt": str(written)} | {"$numberLong": str(written)}:
            return int(written) if _INTEGER.fullmatch(written) else value
        case {"$numberDouble": str(written)}:
            return float(written) if _NUMBER.fullmatch(written) else value
        case {"$numberDecimal": str(written)}:
            return Decimal(written) if _NUMBER.fullmatch(written) else value
        case {"$date": {"$numberLong": str(written)}}:
            return _from_milliseconds(int(written)) if _INTEGER.fullmatch(written) else value
        case {"$date": int(written)}:
            return _from_milliseconds(written)
        case {"$date": str(written)}:
            return written
        case {"$ref": _, "$id": referred}:
            # One reference within another means nothing, and could be nested a thousand deep.
            return value if isinstance(referred, dict) and "$ref" in referred else plain(referred)
        case {"$binary": {"base64": str(written)}} | {"$binary": str(written)}:
            try:
                return base64.b64decode(written, validate=True)
            except binascii.Error:
                return value
        case {"$undefined": _}:
            return None
    return value


def to_id(value: Any) -> str:
    """The text of an id; MongoDB's in lower case."""
    written = to_text(value)
    if _OBJECT_ID.fullmatch(written):
        return written.lower()
    wrapped = _WRAPPED_OBJECT_ID.fullmatch(written)
    return wrapped[1].lower() if wrapped else written


def is_object_id(value: str) -> bool:
    return len(value) == 24 and _OBJECT_ID.fullmatch(value) is not None


def to_text(value: Any) -> str:
    """Numbers become text digit by digit, if no digit can have been lost."""
    if isinstance(value, str):
        return value
    match value:
        case bool():
            pass
        case int():
            return str(value)
        case float() if value.is_integer() and abs(value) < _LARGEST_EXACT:
            return str(int(value))
        case float() if value.is_integer():
            raise Unclear(
                "is stored as a number with more than 15 digits, of which the last are lost; write it as text."
            )
        case Decimal() if _is_whole(value):
            return f"{value.to_integral_value():f}"
    raise Unclear("must be text.")


def _is_whole(number: Decimal) -> bool:
    return number.is_finite() and number.adjusted() < _LONGEST_NUMBER and number == number.to_integral_value()


def to_paise(value: Any) -> tuple[int, bool]:
    """The amount in paise, and whether it had to be rounded. A float means its shortest decimal form."""
    written = repr(value) if isinstance(value, float) else ""
    whole, _, fraction = written.partition(".")
    if len(fraction) <= 2 and whole.isdigit() and fraction.isdigit():
        # The usual case: 199.99, 12.5, 1000.0.
        paise, is_rounded = int(whole) * 100 + int(fraction.ljust(2, "0")), False
    else:
        amount = _to_decimal(value)
        # Compared before any arithmetic, which an exponent of millions would overflow.
        if not amount.is_finite() or not -_LARGEST_EXACT < amount < _LARGEST_EXACT:
            raise Unclear(_NO_AMOUNT)
        rounded = amount.quantize(_PAISA, ROUND_HALF_UP)
        paise, is_rounded = int(rounded * 100), rounded != amount
    if not 0 <= paise <= LARGEST_PAISE:
        raise Unclear("must not be negative." if paise < 0 else "is too large.")
    return paise, is_rounded


def _to_decimal(value: Any) -> Decimal:
    if isinstance(value, float):
        return Decimal(repr(value))
    match value:
        case bool():
            pass
        case int() | Decimal():
            return Decimal(value)
        case str() if len(value) <= _LONGEST_NUMBER:
            written = _MONEY.fullmatch(value.strip())
            if written:
                try:
                    return Decimal(written["number"].replace(",", ""))
                except InvalidOperation:
                    pass
    raise Unclear(_NO_AMOUNT)


def to_moment(value: Any, zone: tzinfo, date_format: str | None) -> datetime:
    """`zone` is where times without a zone were written, `date_format` how dates are written if not in ISO 8601."""
    try:
        moment = value if isinstance(value, datetime) else _read_moment(value, date_format)
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except OverflowError:
        raise Unclear("is not a possible date.") from None
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise Unclear(f"is in the year {moment.year}. A number must be in milliseconds since 1970, with 13 digits.")
    return moment


def _read_moment(value: Any, date_format: str | None) -> datetime:
    match value:
        case date():
            return datetime(value.year, value.month, value.day)
        case bool():
            pass
        case int() | float() | Decimal():
            return _from_number(value)
        case str():
            return _from_text(value.strip(), date_format)
    raise Unclear("must be a date, like 2026-11-15T09:30:00Z.")


def _from_text(written: str, date_format: str | None) -> datetime:
    if date_format is not None:
        try:
            return datetime.strptime(written, date_format)
        except ValueError:
            pass
    if _DIGITS.fullmatch(written) and len(written) != len("20261115"):
        return _from_number(Decimal(written))
    try:
        return datetime.fromisoformat(written)
    except ValueError:
        raise Unclear("must be a date, like 2026-11-15 or 2026-11-15T09:30:00Z.") from None


def _from_number(number: int | float | Decimal) -> datetime:
    try:
        value = float(number)
    except (OverflowError, ValueError):
        raise Unclear("is not a possible date.") from None
    if _EXCEL_DAYS[0] <= value < _EXCEL_DAYS[1]:
        # A spreadsheet's time of day is a fraction of a day, exact to about a microsecond.
        return _EXCEL_EPOCH + timedelta(milliseconds=round(value * 86_400_000))
    # Also if it is no number at all.
    if not abs(value) < 10**14:
        raise Unclear("is not a possible date.")
    return _EPOCH + timedelta(milliseconds=int(value))


def _from_milliseconds(milliseconds: int) -> datetime | str:
    """What is out of range stays text, which is refused where a moment is needed."""
    try:
        return _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return str(milliseconds)


def shown(value: Any) -> str:
    """For the report. Pictures and long texts are cut."""
    written = f"{len(value)} bytes" if isinstance(value, bytes) else "" if value is None else str(value)
    return written.encode(errors="replace").decode()[:200]
