"""Validation of input text: no control characters, no lone surrogates, no leading or trailing spaces."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Annotated, Any, LiteralString

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from countinghouse.core.errors import InvalidInput

# The largest value that a column of integers can store.
LARGEST_INTEGER = 2**31 - 1
# Of an object in a request body.
MOST_FIELDS = 50


class Body(BaseModel):
    """A request body, or an object in one. It refuses unknown fields: if a misspelt field were ignored, what it says
    would be lost. Nor does it take a value for what it resembles, such as "0" for a number; moments and roles, which
    JSON has no kind for, say `strict=False`. Routes accept no other models (`core/http/json_route.py`)."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _has_few_fields(cls, sent: Any) -> Any:
        # Each unknown field would get an error of its own.
        if isinstance(sent, dict) and len(sent) > MOST_FIELDS:
            raise ValueError(f"has {len(sent):,} fields; send at most {MOST_FIELDS}.")
        return sent


# Control, format, surrogate, private-use and unassigned characters, and the line and paragraph separators.
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Letters and marks that render as nothing: the grapheme joiner, the Hangul fillers, the blank Braille pattern.
BLANK = "\u034f\u115f\u1160\u2800\u3164\uffa0"


_JOINERS = "\u200c\u200d"
_VIRAMA = 9


def _is_visible(before: str, character: str) -> bool:
    # Several Indian scripts need a joiner in some words, always after a virama, where it changes the visible shape.
    if character in _JOINERS:
        return unicodedata.combining(before) == _VIRAMA
    return unicodedata.category(character) not in _INVISIBLE and character not in BLANK


def _plain(text: str) -> str:
    # PostgreSQL rejects NUL, encoders reject lone surrogates, and invisible characters make different names look alike.
    # Most text is ASCII, for which one call answers the same question.
    is_plain_ascii = text.isascii() and text.isprintable()
    if not is_plain_ascii and not all(
        _is_visible(before, character) for before, character in zip(" " + text, text, strict=False)
    ):
        raise ValueError("contains an invisible character; type it again by hand.")
    if text != text.strip():
        raise ValueError("begins or ends with a space; remove it.")
    return text


def _plain_lines(text: str) -> str:
    """Like `_plain`, but line breaks are allowed."""
    _plain(text.replace("\n", " "))
    return text


def spelt(pattern: str, otherwise: LiteralString) -> BeforeValidator:
    """Accepts only the usual notation: Pydantic would also read 1_0 as ten. `otherwise` is Pydantic's error type."""
    spelling = re.compile(pattern, re.ASCII)

    def check(value: Any) -> Any:
        if isinstance(value, str) and not spelling.fullmatch(value):
            raise PydanticCustomError(otherwise, "is spelt otherwise")
        return value

    return BeforeValidator(check)


@dataclass(frozen=True, slots=True)
class AtMost(BeforeValidator):
    count: int = 0


def at_most(count: int) -> AtMost:
    """Refuses a longer list or object before its parts are validated, each with an error of its own."""

    def check(value: Any) -> Any:
        if isinstance(value, list | dict) and len(value) > count:
            raise ValueError(f"has {len(value):,} parts; send at most {count:,}.")
        return value

    return AtMost(check, count=count)


LONGEST_KEY = 200


def name_key(name: str) -> str:
    """The form in which names are compared: nobody would distinguish "Asha" from "asha"."""
    return unicodedata.normalize("NFKC", name).casefold()


def _key_fits_its_column(name: str) -> str:
    # Normalisation can turn one character into several.
    if len(name_key(name)) > LONGEST_KEY:
        raise ValueError("is too long; choose a shorter one.")
    return name


PlainText = Annotated[str, AfterValidator(_plain)]
PlainName = Annotated[PlainText, AfterValidator(_key_fits_its_column)]
PlainLines = Annotated[str, AfterValidator(_plain_lines)]


def _field_name(place: tuple[int | str, ...]) -> str:
    """For a list item, the name includes the list's name: an index alone would mean nothing to the reader."""
    last = place[-1] if place else "The request"
    return f"{place[-2]}.{last}" if isinstance(last, int) and len(place) > 1 else str(last)


def _sentence(error: ErrorDetails) -> str:
    name = _field_name(error["loc"])
    context: dict[str, Any] = error.get("ctx", {})
    match error["type"]:
        case "missing":
            return f"{name} is required."
        case "string_too_short" | "too_short":
            return f"{name} is required." if context["min_length"] == 1 else f"{name} is too short."
        case "string_too_long" | "too_long":
            return f"{name} is too long: at most {context['max_length']} characters."
        case "literal_error" | "enum":
            return f"{name} must be {context['expected']}."
        case "extra_forbidden":
            return f"{name} is not known here."
        case "value_error":
            return f"{name} {context['error']}"
        case "json_invalid":
            return "The request's body is not JSON."
        case "int_parsing" | "int_type" | "int_from_float" | "int_parsing_size":
            return f"{name} must be a whole number."
        case "decimal_parsing" | "decimal_type" | "finite_number" | "decimal_max_digits" | "decimal_whole_digits":
            return f"{name} must be a number, like 1250 or 1250.50."
        case "decimal_max_places":
            return f"{name} must have at most {context['decimal_places']} decimal places."
        case "bool_parsing" | "bool_type":
            return f"{name} must be true or false."
        case "list_type":
            return f"{name} must be a list."
        case "greater_than_equal":
            return f"{name} must be at least {context['ge']}."
        case "less_than_equal":
            return f"{name} must be at most {context['le']}."
        case "less_than":
            return f"{name} must be less than {context['lt']}."
        case kind if kind.startswith(("datetime", "timezone")):
            return f"{name} must be a moment with its time zone, like 2026-11-15T00:00:00Z."
        case "model_attributes_type" | "model_type" | "dict_type":
            return "The request's body must be a JSON object." if name == "body" else f"{name} must be an object."
        case "string_type" | "string_unicode":
            return f"{name} must be text."
        case _:
            return f"{name}: {error['msg'].lower().rstrip('.')}."


# FastAPI puts the source of a value before its name; the screen needs only the name.
_SOURCES = ("body", "query", "path", "header", "cookie")


def invalid_input(errors: list[ErrorDetails]) -> InvalidInput:
    fields: dict[str, str] = {}
    for error in errors:
        place = [str(part) for part in error["loc"] if part not in _SOURCES] or ["body"]
        fields.setdefault("body" if error["type"] == "json_invalid" else ".".join(place), _sentence(error))
    return InvalidInput(fields)


def invalid_from(error: ValidationError) -> InvalidInput:
    return invalid_input(error.errors())
