"""One document in the text of a JSON file: its value; or why it cannot be read, and where it ends nevertheless."""

import json
import re
from typing import Any, NamedTuple

from countinghouse.core.strict_json import NamedTwice, strict_decoder

_DECODER = strict_decoder()
_ADVICE = "Correct it and import it again."
_TOO_LONG = f"This document has a number of too many digits. {_ADVICE}"
_TOO_DEEP = f"This document is nested too deeply. {_ADVICE}"
_HALF = f"This document has half of a character, like \\ud800 alone. {_ADVICE}"
_NOT_UTF8 = f"This document is not written in UTF-8. {_ADVICE}"

_NUMBER = re.compile(r"-?[\d.eE+-]+")
_BETWEEN_SIGNS = re.compile(r'[^"{}\[\]]*+')
# The rest of a text, up to its closing quote. A backslash belongs to the character after it.
_REST_OF_TEXT = re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
# Far more than can be decoded. What is deeper was not made by a program that exports documents.
_DEEPEST = 100_000
# The escape of half a character: two of them make one beyond the first 65,536.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# What a file can end with if it ends within a number, a word or an escape.
_BEGUN = re.compile(r"\\?[\w.+-]*\s*\Z")


class Read(NamedTuple):
    """`end` is where the text goes on after it; `problem` is why it could not be read."""

    value: Any
    end: int
    problem: str | None = None


class DocumentReader:
    """Reads documents from a text that grows at its end. A document may be spread over any number of chunks."""

    def __init__(self) -> None:
        self._end_of_pending: _EndFinder | None = None

    @property
    def is_damaged(self) -> bool:
        """Whether nobody can say where the document ends that begins here."""
        return self._end_of_pending is not None and self._end_of_pending.is_damaged

    def read(self, text: str, begin: int, *, is_last: bool) -> Read | None:
        """None if it goes on after the text. The next call is for the same document, in a longer text."""
        if self._end_of_pending is None:
            try:
                value, end = _decode(text, begin)
            except (ValueError, RecursionError):
                self._end_of_pending = _EndFinder()
            else:
                # A number may go on after the text.
                return Read(value, end) if is_last or end < len(text) or text[begin] in "{[" else None
        found = self._end_of_pending.find(text, begin, is_last=is_last)
        if found is None:
            return None
        self._end_of_pending = None
        try:
            value, end = _decode(text[begin:found], 0)
        except (ValueError, RecursionError) as error:
            return Read(None, found, _reason(error))
        return Read(value, found)


def read_line(line: bytes) -> Read:
    """A document that has a line to itself."""
    try:
        text = line.decode().strip(" \t\r\n")
        value, end = _decode(text, 0)
        if end < len(text):
            raise json.JSONDecodeError("Extra data", text, end)
    except (ValueError, RecursionError) as error:
        return Read(None, len(line), _reason(error))
    return Read(value, end)


def is_cut_off(text: str) -> bool:
    """Whether this beginning of a document could go on. Otherwise it is wrong before its end."""
    try:
        _decode(text, 0)
    except json.JSONDecodeError as error:
        return error.msg.startswith("Unterminated string") or _BEGUN.match(text, error.pos) is not None
    except (ValueError, RecursionError):
        pass
    return True


def _decode(text: str, begin: int) -> tuple[Any, int]:
    value, end = _DECODER.raw_decode(text, begin)
    if _SURROGATE.search(text, begin, end):
        # No report could contain one without the other.
        json.dumps(value, ensure_ascii=False).encode()
    return value, end


def _reason(error: Exception) -> str:
    match error:
        case NamedTwice():
            return f"This document {error} {_ADVICE}"
        case UnicodeEncodeError():
            return _HALF
        case UnicodeDecodeError():
            return _NOT_UTF8
        case RecursionError():
            return _TOO_DEEP
        case json.JSONDecodeError():
            found = error.msg.removesuffix(" at").removesuffix(" starting")
            return f"This document is not JSON: {found}. {_ADVICE}"
    return _TOO_LONG


class _EndFinder:
    """Finds the end of a value by its brackets and quotes alone, whatever stands between them."""

    def __init__(self) -> None:
        self.is_damaged = False
        self._passed = 0
        self._is_in_text = False
        # The brackets that are still to come, the last one first.
        self._awaited: list[str] = []

    def find(self, text: str, begin: int, *, is_last: bool) -> int | None:
        if text[begin] not in _CLOSING:
            number = _NUMBER.match(text, begin)
            return number.end() if number and (is_last or number.end() < len(text)) else None
        at = begin + self._passed
        while not self.is_damaged:
            found = (_REST_OF_TEXT if self._is_in_text else _BETWEEN_SIGNS).match(text, at)
            at = found.end() if found else at
            # A backslash at the end is passed over together with the character that is still to come.
            if at == len(text) or text[at] == "\\":
                break
            at += 1
            if self._take(text[at - 1]):
                return at
        self._passed = at - begin
        return None

    def _take(self, sign: str) -> bool:
        """Whether the value ends with it."""
        if sign == '"':
            self._is_in_text = not self._is_in_text
        elif sign in _CLOSING:
            self._awaited.append(_CLOSING[sign])
            self.is_damaged = len(self._awaited) > _DEEPEST
        else:
            self.is_damaged = self._awaited.pop() != sign
        return not self._awaited and not self.is_damaged
