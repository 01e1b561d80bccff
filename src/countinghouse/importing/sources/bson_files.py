"""What `mongodump` writes: a folder of .bson files, or one archive in which the blocks of collections interleave."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from countinghouse.core.errors import InvalidInput
from countinghouse.importing.sources.documents import (
    LONGEST_DOCUMENT,
    UNPACKING_ERRORS,
    Document,
    Source,
    unreadable,
)

ARCHIVE_MAGIC = struct.pack("<I", 0x8199E26D)
_TERMINATOR = b"\xff\xff\xff\xff"
_LENGTH = struct.Struct("<i")
_SHORTEST_DOCUMENT = 5
# How many documents pass between two notes of the progress.
_NOTED_EVERY = 500
_LONGEST_NAME = 100

_NEEDS_PYMONGO = "BSON needs the package pymongo. Install it with: pip install 'countinghouse[mongo]'"
_CUT_OFF = "The file ends in the middle of a document. Make the dump again; what comes after is missing."
_DAMAGED = "The file is damaged here, and nothing after this place could be read. Make the dump again."


class _NamedOnce(dict[str, Any]):
    """A document as pymongo builds it, field by field. Of two fields of the same name, the last one would stay."""

    def __setitem__(self, name: str, value: Any) -> None:
        if name in self:
            raise ValueError(f"it names {name[:_LONGEST_NAME]!r} twice in one object")
        super().__setitem__(name, value)


class _Damaged(Exception):
    """The rest of the file cannot be read."""


def bson_decoder() -> Callable[[bytes], dict[str, Any]]:
    try:
        import bson
        from bson.codec_options import CodecOptions, DatetimeConversion
    except ImportError as error:
        # Another package on PyPI is called `bson` too, and has no codec options.
        raise InvalidInput({"import": _NEEDS_PYMONGO}) from error
    options: Any = CodecOptions(
        document_class=_NamedOnce, tz_aware=True, datetime_conversion=DatetimeConversion.DATETIME_AUTO
    )
    return lambda raw: bson.decode(raw, options)


@dataclass
class BsonFile(Source):
    def read(self) -> Iterator[Document]:
        decode = bson_decoder()
        place = 0
        try:
            with self.opened() as file:
                while (raw := _read_document(file)) is not None:
                    place += 1
                    yield _decoded(decode, place, raw)
                    if place % _NOTED_EVERY == 0:
                        self.note_progress()
        except _Damaged as error:
            yield unreadable(place + 1, str(error))
        except UNPACKING_ERRORS:
            yield unreadable(place + 1, _CUT_OFF)


@dataclass
class ArchivedCollection(Source):
    """One collection of an archive. The blocks of the others are skipped without decoding their documents."""

    database: str = ""

    def read(self) -> Iterator[Document]:
        decode = bson_decoder()
        place = 0
        has_ended = False
        try:
            with self.opened() as file:
                _read_prelude(file, decode)
                while (header := _read_document(file)) is not None:
                    block = decode(header)
                    is_ours = (block.get("db"), block.get("collection")) == (self.database, self.name)
                    has_ended = has_ended or (is_ours and bool(block.get("EOF")))
                    for raw in _read_block(file):
                        if is_ours:
                            place += 1
                            yield _decoded(decode, place, raw)
                    self.note_progress()
        except _Damaged as error:
            yield unreadable(place + 1, str(error))
            return
        except UNPACKING_ERRORS:
            yield unreadable(place + 1, _CUT_OFF)
            return
        if not has_ended:
            yield unreadable(place + 1, _CUT_OFF)


def list_archive(path: Path) -> list[ArchivedCollection]:
    decode = bson_decoder()
    some = ArchivedCollection("", path)
    try:
        with some.opened() as file:
            names = _read_prelude(file, decode)
    except (_Damaged, *UNPACKING_ERRORS) as error:
        raise InvalidInput({"import": f"{path.name} is not a complete archive of mongodump."}) from error
    return [ArchivedCollection(name, path, database) for database, name in names]


def _read_prelude(file: IO[bytes], decode: Callable[[bytes], dict[str, Any]]) -> list[tuple[str, str]]:
    """The header of the archive, and the databases and names of its collections."""
    if file.read(len(ARCHIVE_MAGIC)) != ARCHIVE_MAGIC:
        raise _Damaged(_DAMAGED)
    described = [decode(raw) for raw in _read_block(file)]
    # The first one describes the archive itself. A view has no documents.
    return [
        (entry.get("db", ""), entry["collection"])
        for entry in described[1:]
        if entry.get("collection") and entry.get("type") != "view"
    ]


def _read_block(file: IO[bytes]) -> Iterator[bytes]:
    """The documents up to the next terminator."""
    while True:
        length = file.read(4)
        if length == _TERMINATOR:
            return
        if not length:
            raise _Damaged(_CUT_OFF)
        yield length + _read_rest(file, length)


def _read_document(file: IO[bytes]) -> bytes | None:
    length = file.read(4)
    return length + _read_rest(file, length) if length else None


def _read_rest(file: IO[bytes], length: bytes) -> bytes:
    if len(length) < 4:
        raise _Damaged(_CUT_OFF)
    (size,) = _LENGTH.unpack(length)
    if not _SHORTEST_DOCUMENT <= size <= LONGEST_DOCUMENT:
        raise _Damaged(_DAMAGED)
    rest = file.read(size - 4)
    if len(rest) < size - 4:
        raise _Damaged(_CUT_OFF)
    return rest


def _decoded(decode: Callable[[bytes], dict[str, Any]], place: int, raw: bytes) -> Document:
    try:
        return Document(place, decode(raw))
    except Exception as error:
        # Whatever pymongo finds wrong in it, its length was right: the next document can be read.
        return unreadable(place, f"This document is not valid BSON: {error}.")
