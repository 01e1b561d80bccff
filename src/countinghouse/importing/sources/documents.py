"""What every kind of file is read as: collections of documents."""

import gzip
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from countinghouse.core.errors import InvalidInput

GZIP_MAGIC = b"\x1f\x8b"
# What a damaged or cut off file raises while it is unpacked.
UNPACKING_ERRORS = (EOFError, gzip.BadGzipFile, zlib.error)

# MongoDB allows 16 MB and a little for its own fields. No longer document is kept in memory.
LONGEST_DOCUMENT = 16 * 1024 * 1024 + 16 * 1024
# Dumps and spreadsheets are packed to a tenth or a fiftieth. What unpacks to more than this was made to keep us busy.
MOST_TIMES_UNPACKED = 300


class Document(NamedTuple):
    """`place` is its line or number, counted from 1; `problem` is why it could not be read."""

    place: int
    fields: Mapping[str, Any]
    problem: str | None = None


def unreadable(place: int, problem: str) -> Document:
    return Document(place, {}, problem)


@dataclass
class Source(ABC):
    """One collection in one file. It can be read several times, from the start."""

    # The collection, the sheet or the file without its endings.
    name: str
    path: Path
    # How far the current read is, in bytes of the file as it is on the disk.
    bytes_read: int = field(default=0, init=False)
    # Of a table that has been read: the headings of its columns. A document has each of its names once.
    headings: Sequence[str] = field(default=(), init=False)

    # What `place` counts: "document", "line" or "row".
    unit = "document"

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    @abstractmethod
    def read(self) -> Iterator[Document]: ...

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """The file, unpacked if it is gzipped."""
        with self.path.open("rb") as raw:
            self._raw = raw
            self._unpacked: gzip.GzipFile | None = None
            is_packed = raw.read(2) == GZIP_MAGIC
            raw.seek(0)
            self.bytes_read = 0
            if is_packed:
                with gzip.open(raw) as unpacked:
                    self._unpacked = unpacked
                    yield cast(IO[bytes], unpacked)
            else:
                yield raw

    def note_progress(self) -> None:
        self.bytes_read = self._raw.tell()
        if self._unpacked and self._unpacked.tell() > MOST_TIMES_UNPACKED * self.size:
            sentence = f"{self.path.name} unpacks to more than {MOST_TIMES_UNPACKED} times its size. Unpack it first."
            raise InvalidInput({"import": sentence})


def begins_with(path: Path, count: int) -> bytes:
    """The first bytes of the file, unpacked if it is gzipped; empty if they cannot be unpacked."""
    with path.open("rb") as raw:
        if raw.read(2) != GZIP_MAGIC:
            raw.seek(0)
            return raw.read(count)
        raw.seek(0)
        try:
            with gzip.open(raw) as unpacked:
                return unpacked.read(count)
        except UNPACKING_ERRORS:
            return b""
