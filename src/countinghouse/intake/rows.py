"""The rows that a service sends: what each field may contain. Pure functions, which the import uses as well."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from itertools import islice
from typing import Annotated, Any, NamedTuple
from unicodedata import category, is_normalized

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import PydanticCustomError

from countinghouse.banks.ifsc import note_if_malformed
from countinghouse.core.errors import TooLarge
from countinghouse.core.ids import is_id, moment_of_id
from countinghouse.core.inputs import BLANK, Body, PlainText, invalid_from
from countinghouse.core.listing.query import PossibleMoment
from countinghouse.core.money import LARGEST_PAISE
from countinghouse.core.strict_json import read_json, strict_decoder
from countinghouse.core.structure import Structure, is_within, structure_of
from countinghouse.core.times import now
from countinghouse.india.accounts import FEWEST_DIGITS, MOST_DIGITS
from countinghouse.india.mobiles import mobile_note

MOST_ROWS = 1000
LONGEST_EXTERNAL_ID = 200
# Of a row that is refused: how many of its fields the answer names, and how much of each.
MOST_FIELDS = 20
LONGEST_MESSAGE = 300
# A service's clock may be ahead, but a row far in the future would stay on top of its list.
MOST_AHEAD = timedelta(days=1)
_LARGEST_RUPEES = Decimal(LARGEST_PAISE) / 100
_EXACT = strict_decoder(parse_float=Decimal)


class Reference(NamedTuple):
    """How a row names another: `by` is `_id`, `externalId` or `mobile`."""

    by: str
    value: str


def _to_paise(value: Any) -> int:
    """Exact: a number is never read as a float, which could not represent every paisa."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise PydanticCustomError("decimal_type", "not a number")
    amount = Decimal(value)
    if not amount.is_finite():
        raise PydanticCustomError("finite_number", "not finite")
    # Compared before any arithmetic, which would take for ever with an exponent of millions.
    if amount > _LARGEST_RUPEES:
        raise PydanticCustomError("less_than_equal", "too large", {"le": f"{_LARGEST_RUPEES:,}"})
    if amount < 0:
        raise PydanticCustomError("greater_than_equal", "negative", {"ge": 0})
    _, digits, exponent = amount.as_tuple()
    if amount and (len(digits) > 20 or not isinstance(exponent, int) or exponent < -20 or amount * 100 % 1):
        raise PydanticCustomError("decimal_max_places", "too many places", {"decimal_places": 2})
    return int(amount * 100) if amount else 0


def more_than_nothing(paise: int) -> int:
    if paise == 0:
        raise ValueError("must be more than 0.")
    return paise


def _not_ahead(moment: datetime) -> datetime:
    if moment > now() + MOST_AHEAD:
        raise ValueError("is in the future.")
    return moment


def _checked_id(text: str) -> str:
    if not is_id(text):
        raise ValueError("must be 24 hexadecimal digits in lower case.")
    # Partitions are made by the time in the id, and no later one could be made above such a row.
    if moment_of_id(text) > now() + MOST_AHEAD:
        raise ValueError("begins with a time in the future. An id begins with the time of its creation.")
    return text


def _composed(text: str) -> str:
    """The same text can be written with or without combining characters. Otherwise it would be two ids."""
    if not is_normalized("NFC", text):
        raise ValueError("is not in Unicode normalization form C (NFC); normalize your ids before you send them.")
    return text


def _checked_path_parts(text: str) -> str:
    """HTTP clients resolve these parts of a path, and would then correct or withdraw another row."""
    if not {".", ".."}.isdisjoint(text.split("/")):
        raise ValueError("must not have . or .. as a part between slashes.")
    return text


def _checked_mobile(written: str) -> str:
    note = mobile_note(written)
    if note:
        raise ValueError(f"is {note[0].lower()}{note[1:]}")
    return written


def _checked_account(written: str) -> str:
    if not (written.isascii() and written.isdigit() and FEWEST_DIGITS <= len(written) <= MOST_DIGITS):
        raise ValueError(f"must have {FEWEST_DIGITS} to {MOST_DIGITS} digits and nothing else.")
    return written


def _checked_ifsc(written: str) -> str:
    note = note_if_malformed(written)
    if note:
        raise ValueError(f"is not a bank code. {note}")
    return written


def _without_control_characters(text: str) -> str:
    """Payers paste transaction IDs with spaces and invisible characters; those are kept and looked through later."""
    if not text.isprintable() and any(category(character) in ("Cc", "Cs") for character in text):
        raise ValueError("contains a control character; remove it.")
    # Letters, which would make another reference of the same one.
    if not text.isascii() and any(character in BLANK for character in text):
        raise ValueError("contains a letter that nobody sees; remove it.")
    if not text.strip():
        raise ValueError("is required.")
    return text


def _reference_by(*names: str) -> BeforeValidator:
    def read(value: Any) -> Reference:
        if isinstance(value, str):
            if not is_id(value):
                raise ValueError("must be an _id of 24 hexadecimal digits, or an object like " + example)
            return Reference("_id", value)
        if isinstance(value, dict) and len(value) == 1:
            ((by, named),) = value.items()
            if by in names and isinstance(named, str) and 0 < len(named) <= LONGEST_EXTERNAL_ID:
                return Reference(by, _without_control_characters(named))
        raise ValueError("must be an _id, or an object like " + example)

    example = " or ".join(f'{{"{name}": "…"}}' for name in names) + "."
    return BeforeValidator(read)


Id = Annotated[str, AfterValidator(_checked_id)]
ExternalId = Annotated[PlainText, Field(min_length=1, max_length=LONGEST_EXTERNAL_ID)]
NewExternalId = Annotated[ExternalId, AfterValidator(_composed), AfterValidator(_checked_path_parts)]
CreatedAt = Annotated[PossibleMoment, AfterValidator(_not_ahead)]
Paise = Annotated[int, BeforeValidator(_to_paise), WithJsonSchema({"type": "number", "examples": [1937.5]})]
Username = Annotated[PlainText, Field(min_length=1, max_length=100)]
Mobile = Annotated[PlainText, Field(min_length=1, max_length=20), AfterValidator(_checked_mobile)]
AccountNo = Annotated[PlainText, Field(min_length=1, max_length=40), AfterValidator(_checked_account)]
Ifsc = Annotated[PlainText, Field(min_length=1, max_length=20), AfterValidator(_checked_ifsc)]
Address = Annotated[PlainText, Field(min_length=1, max_length=300)]
_REFERENCE_SCHEMA = WithJsonSchema(
    {
        "anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "string"}}],
        "examples": [{"externalId": "u-1001"}],
    }
)
UserReference = Annotated[Reference, _reference_by("externalId", "mobile"), _REFERENCE_SCHEMA]
PurchaseReference = Annotated[Reference, _reference_by("externalId"), _REFERENCE_SCHEMA]


class IntakeRow(Body):
    model_config = ConfigDict(frozen=True)

    id: Annotated[Id | None, Field(alias="_id")] = None
    external_id: Annotated[NewExternalId, Field(alias="externalId")]
    created_at: Annotated[CreatedAt | None, Field(alias="createdAt")] = None


class UserRow(IntakeRow):
    username: Username
    mobile: Mobile


class PurchaseRow(IntakeRow):
    user: UserReference
    invest_paise: Annotated[Paise, Field(alias="invest")]
    daily_income_paise: Annotated[Paise, Field(alias="dailyIncome")]
    upi_id: Annotated[
        str,
        Field(alias="upiId", min_length=1, max_length=100, description="The payer's transaction ID."),
        AfterValidator(_without_control_characters),
    ]
    claim_type: Annotated[PlainText, Field(alias="claimType", min_length=1, max_length=40)]
    qr_name: Annotated[PlainText, Field(alias="qrName", min_length=1, max_length=80)]


class ClaimRow(IntakeRow):
    user: UserReference
    purchase: PurchaseReference
    amount_paise: Annotated[Paise, AfterValidator(more_than_nothing), Field(alias="amount")]
    account_no: Annotated[AccountNo, Field(alias="accountNo")]
    ifsc: Ifsc
    address: Address


class Invalid(NamedTuple):
    """A row that is refused, with a sentence for each field. `external_id` is None if it was not text."""

    external_id: str | None
    fields: Mapping[str, str]


def validated(kind: type[IntakeRow], row: Any) -> IntakeRow | Invalid:
    if not isinstance(row, dict):
        return Invalid(None, {"row": "The row must be a JSON object."})
    try:
        return kind.model_validate(row)
    except ValidationError as error:
        named = row.get("externalId")
        fields = invalid_from(error).fields.items()
        return Invalid(
            _printable(named) if isinstance(named, str) else None,
            {_printable(name): _printable(sentence) for name, sentence in islice(fields, MOST_FIELDS)},
        )


def _printable(text: str) -> str:
    """Names of unknown fields may be of any length, and contain surrogates that no answer can contain."""
    return text.encode(errors="replace").decode()[:LONGEST_MESSAGE]


@cache
def _structure_of_call(kind: type[IntakeRow]) -> Structure:
    row = structure_of(kind)
    # So that a row with a few unknown fields, or with references that are objects, is still answered row by row.
    return row._replace(parts=row.parts + MOST_FIELDS).repeated(MOST_ROWS).with_spare()


def read_rows(body: bytes, kind: type[IntakeRow]) -> list[Any]:
    """The rows in the body of a call. Money is read as `Decimal`."""
    most = _structure_of_call(kind)
    if not is_within(body, most):
        raise TooLarge("too_many_rows", f"The call has too many parts; send at most {MOST_ROWS:,} rows at once.")
    parsed = read_json(body, most, _EXACT)
    rows = parsed if isinstance(parsed, list) else [parsed]
    if len(rows) > MOST_ROWS:
        raise TooLarge("too_many_rows", f"The call has {len(rows):,} rows; send at most {MOST_ROWS:,} at once.")
    return rows
