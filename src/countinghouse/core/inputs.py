"""Text that may come in: no control characters, no halves of characters, no edges of white space."""

import re
import unicodedata
from typing import Annotated, Any, LiteralString

from pydantic import AfterValidator, BeforeValidator, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from countinghouse.core.errors import InvalidInput

# Control, format, surrogate, private and unassigned characters, and the two that break a line.
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Letters and marks that are drawn as nothing: the grapheme joiner, the Hangul fillers, the empty Braille cell.
_BLANK = "\u034f\u115f\u1160\u2800\u3164\uffa0"


_JOINERS = "\u200c\u200d"
_VIRAMA = 9


def _is_seen(before: str, character: str) -> bool:
    # Several scripts of India spell some words with a joiner, always after a virama; there it shapes what is seen.
    if character in _JOINERS:
        return unicodedata.combining(before) == _VIRAMA
    return unicodedata.category(character) not in _UNSEEN and character not in _BLANK


def _plain(text: str) -> str:
    # NUL stops PostgreSQL, lone surrogates stop every encoder, and unseen characters make two names look alike.
    if not all(_is_seen(before, character) for before, character in zip(" " + text, text, strict=False)):
        raise ValueError("holds a character that cannot be seen; type it again by hand.")
    if text != text.strip():
        raise ValueError("begins or ends with a space; remove it.")
    return text


def _plain_lines(text: str) -> str:
    """The same over several lines."""
    _plain(text.replace("\n", " "))
    return text


def spelt(pattern: str, otherwise: LiteralString) -> BeforeValidator:
    """As people write it. Pydantic takes more for the same, such as 1_0 for ten; `otherwise` is its own refusal."""
    spelling = re.compile(pattern, re.ASCII)

    def check(value: Any) -> Any:
        if isinstance(value, str) and not spelling.fullmatch(value):
            raise PydanticCustomError(otherwise, "is spelt otherwise")
        return value

    return BeforeValidator(check)


PlainText = Annotated[str, AfterValidator(_plain)]
PlainLines = Annotated[str, AfterValidator(_plain_lines)]


def _called(place: tuple[int | str, ...]) -> str:
    """Of what stands in a list the number alone would tell nothing."""
    last = place[-1] if place else "The request"
    return f"{place[-2]}.{last}" if isinstance(last, int) and len(place) > 1 else str(last)


def _sentence(error: ErrorDetails) -> str:
    name = _called(error["loc"])
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


# FastAPI puts where a value came from before its name; the screen needs the name alone.
_SOURCES = ("body", "query", "path", "header", "cookie")


def invalid_input(errors: list[ErrorDetails]) -> InvalidInput:
    fields: dict[str, str] = {}
    for error in errors:
        place = [str(part) for part in error["loc"] if part not in _SOURCES] or ["body"]
        fields.setdefault("body" if error["type"] == "json_invalid" else ".".join(place), _sentence(error))
    return InvalidInput(fields)


def invalid_from(error: ValidationError) -> InvalidInput:
    return invalid_input(error.errors())
