"""What `mongoexport` writes: one document per line, or an array; also documents that are spread over several lines."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import msgspec

from countinghouse.importing.sources.documents import (
    LONGEST_DOCUMENT,
    UNPACKING_ERRORS,
    Document,
    Source,
    unreadable,
)
from countinghouse.importing.sources.json_documents import DocumentReader, Read, is_cut_off, read_line

_CHUNK = 1 << 20
_NOTED_EVERY = 500
# Extended JSON writes an id or a number as several words.
_LONGEST_TEXT = 3 * LONGEST_DOCUMENT

_CUT_OFF = "The file ends in the middle of a document. Export it again; what comes after is missing."
_NOT_JSON = "This is not JSON, and nothing after this place could be read."
_NOT_UTF8 = "The file is not written in UTF-8. Export it again, or save it as UTF-8."
_NOT_AN_OBJECT = "This is not a JSON object."
_UNCLOSED = "The file ends before its array does. Export it again; what comes after is missing."
_MISPLACED = (
    "The file is damaged here: a comma or a bracket is missing or misplaced. Export it again; documents may be missing."
)
_AFTER_THE_END = "The array ends before this place, and what follows was not read. Export it again, or split the file."


@dataclass
class JsonFile(Source):
    unit = "line"

    def read(self) -> Iterator[Document]:
        line = 1
        try:
            with self.opened() as file:
                start = file.read(_CHUNK)
                if start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
                    yield unreadable(1, _NOT_UTF8)
                    return
                start = start.removeprefix(BOM_UTF8)
                documents = self._lines(file, start) if _has_document_per_line(start) else self._stream(file, start)
                for document in documents:
                    line = document.place
                    yield document
        except UNPACKING_ERRORS:
            yield unreadable(line + 1, _CUT_OFF)

    def _lines(self, file: IO[bytes], start: bytes) -> Iterator[Document]:
        line, rest = 0, start
        while rest:
            *lines, rest = rest.split(b"\n")
            for written in lines:
                line += 1
                if written and not written.isspace():
                    yield _to_document(line, read_line(written))
                if line % _NOTED_EVERY == 0:
                    self.note_progress()
            if len(rest) > _LONGEST_TEXT:
                yield unreadable(line + 1, _NOT_JSON)
                return
            more = file.read(_CHUNK)
            if not more:
                break
            rest += more
        if rest and not rest.isspace():
            yield _to_document(line + 1, read_line(rest))

    def _stream(self, file: IO[bytes], start: bytes) -> Iterator[Document]:
        """An array, or documents one after the other, whatever their lines are."""
        # Newlines are counted in the text before each document.
        reader, line, pending, is_last = DocumentReader(), 1, start, False
        separators, is_damage_reported = _Separators(), False
        text = ""
        while True:
            try:
                # A chunk may end within a character.
                cut = len(pending) if is_last else _last_whole_character(pending)
                text += pending[:cut].decode()
            except UnicodeDecodeError:
                yield unreadable(line, _NOT_UTF8)
                return
            pending = pending[cut:]
            position = 0
            while True:
                begin = separators.pass_over(text, position)
                line += text.count("\n", position, begin)
                position = begin
                if begin == len(text):
                    break
                if separators.has_array_ended:
                    yield unreadable(line, _AFTER_THE_END)
                    return
                read = reader.read(text, begin, is_last=is_last)
                if read is None:
                    # Incomplete, or no JSON at all: the next chunks will show.
                    break
                separators.take(_DOCUMENT)
                if separators.is_damaged and not is_damage_reported:
                    is_damage_reported = True
                    yield unreadable(line, _MISPLACED)
                yield _to_document(line, read)
                line += text.count("\n", begin, read.end)
                position = read.end
            text = text[position:]
            self.note_progress()
            if is_last or reader.is_damaged or len(text) > _LONGEST_TEXT:
                if text.strip():
                    yield unreadable(line, _CUT_OFF if is_last and is_cut_off(text) else _NOT_JSON)
                elif separators.is_array_open:
                    yield unreadable(line, _UNCLOSED)
                elif separators.is_damaged and not is_damage_reported:
                    yield unreadable(line, _MISPLACED)
                return
            more = file.read(_CHUNK)
            is_last = not more
            pending += more


# What may follow what: in an array, and in documents one after the other.
_DOCUMENT = "{"
_PAIRS_IN_ARRAY = frozenset(("[{", "[]", "{,", ",{", "{]"))
_PAIRS_OUTSIDE = frozenset(("{{",))


class _Separators:
    """Checks what stands between documents. An export that was cut off or joined may have whole documents only."""

    def __init__(self) -> None:
        self._before = ""
        self._is_array = False
        self.is_damaged = False

    @property
    def has_array_ended(self) -> bool:
        return self._is_array and self._before == "]"

    @property
    def is_array_open(self) -> bool:
        return self._is_array and self._before != "]"

    def take(self, sign: str) -> None:
        if not self._before:
            self._is_array = sign == "["
            self.is_damaged = sign in ",]"
        elif self._before + sign not in (_PAIRS_IN_ARRAY if self._is_array else _PAIRS_OUTSIDE):
            self.is_damaged = True
        self._before = sign

    def pass_over(self, text: str, position: int) -> int:
        """Past white space and separators, to the next document or to what follows the end of the array."""
        while position < len(text):
            character = text[position]
            if character not in " \t\r\n":
                # A bracket within an array begins a value, which is not an object.
                is_separator = character in ",]" or (character == "[" and not self._before)
                if not is_separator or self.has_array_ended:
                    break
                self.take(character)
            position += 1
        return position


def _has_document_per_line(start: bytes) -> bool:
    first = start.lstrip().split(b"\n", 1)[0].strip()
    if not first.startswith(b"{"):
        return False
    try:
        msgspec.json.decode(first)
    except (msgspec.DecodeError, ValueError, RecursionError):
        # A first line that is damaged or longer than a chunk, unless it is the first of several.
        return first != b"{" and (b"\n" not in start or first.endswith(b"}"))
    return True


def _to_document(line: int, read: Read) -> Document:
    if read.problem is not None:
        return unreadable(line, read.problem)
    return Document(line, read.value) if isinstance(read.value, dict) else unreadable(line, _NOT_AN_OBJECT)


def _last_whole_character(chunk: bytes) -> int:
    """Where to cut the chunk so that no character of several bytes is split."""
    for back in range(1, min(4, len(chunk)) + 1):
        byte = chunk[-back]
        if byte < 0x80:
            return len(chunk)
        if byte >= 0xC0:
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(chunk) if back >= length else len(chunk) - back
    return len(chunk)
