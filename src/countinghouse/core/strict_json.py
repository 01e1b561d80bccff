"""JSON that every reader reads alike: in UTF-8, each key once in an object, and neither NaN nor Infinity."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from countinghouse.core.errors import InvalidInput
from countinghouse.core.structure import Structure, is_within

_NOT_UTF8 = "The request's body is not in UTF-8. Send JSON in UTF-8 without a byte order mark."
_NOT_JSON = "The request's body is not JSON."
_TOO_MANY_PARTS = "The request's body has too many parts for this call, or they are nested too deeply."
_LONGEST_NAME = 100


class NamedTwice(ValueError):
    """The message is the end of a sentence, such as: The request's body names 'amount' twice in one object."""


def named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these keys and values. Of two values of the same name, another reader may take the other one."""
    found = dict(pairs)
    if len(found) < len(pairs):
        # Each name is looked up once: there may be a hundred thousand of them.
        count = Counter(name for name, _ in pairs)
        repeated = next(name for name in found if count[name] > 1)
        raise NamedTwice(f"names {repeated[:_LONGEST_NAME]!r} twice in one object.")
    return found


def _refuse_constant(name: str) -> None:
    raise json.JSONDecodeError(f"{name} is not a JSON value", "", 0)


def strict_decoder(parse_float: Callable[[str], Any] | None = None) -> json.JSONDecoder:
    """It raises ValueError, also for a number of too many digits, or RecursionError."""
    return json.JSONDecoder(object_pairs_hook=named_once, parse_constant=_refuse_constant, parse_float=parse_float)


_DECODER = strict_decoder()


def read_json(body: bytes, most: Structure, decoder: json.JSONDecoder = _DECODER) -> Any:
    """The body of a request."""
    if not is_within(body, most):
        raise InvalidInput({"body": _TOO_MANY_PARTS})
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput({"body": _NOT_UTF8}) from error
    # Text in UTF-16 can be taken for UTF-8 with null characters, which JSON never contains.
    if text.startswith("\ufeff") or "\0" in text:
        raise InvalidInput({"body": _NOT_UTF8})
    try:
        return decoder.decode(text)
    except NamedTwice as error:
        raise InvalidInput({"body": f"The request's body {error}"}) from error
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise InvalidInput({"body": _NOT_JSON}) from error
