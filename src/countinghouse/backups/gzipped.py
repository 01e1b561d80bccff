"""Compresses the copy of a SQLite database while it is read, and decompresses it while it is written."""

import zlib
from collections.abc import Callable
from typing import BinaryIO

from countinghouse.backups.archive import PORTION, BadBackup, Writable

# A higher level takes several times as long, for a tenth of the size.
_LEVEL = 1
_GZIP = 31


class Gzipped:
    """What a file contains, compressed while it is read."""

    def __init__(self, file: BinaryIO, on_read: Callable[[int], None]) -> None:
        self._file = file
        self._on_read = on_read
        self._compressor = zlib.compressobj(_LEVEL, wbits=_GZIP)
        self._ready = b""
        self._is_at_end = False

    def read(self, size: int = PORTION) -> bytes:
        while not self._ready and not self._is_at_end:
            portion = self._file.read(PORTION)
            self._on_read(len(portion))
            self._is_at_end = not portion
            self._ready = self._compressor.compress(portion) if portion else self._compressor.flush()
        given, self._ready = self._ready[:size], self._ready[size:]
        return given


class Gunzipping:
    """Writes to a file what the compressed bytes contain, a portion at a time: a few of them may contain gigabytes."""

    def __init__(self, file: Writable) -> None:
        self._file = file
        self._decompressor = zlib.decompressobj(_GZIP)

    def write(self, data: bytes) -> int:
        left = data
        is_ready = False
        while not is_ready:
            try:
                portion = self._decompressor.decompress(left, PORTION)
            except zlib.error as error:
                raise BadBackup(f"The backup is damaged: its database cannot be decompressed ({error}).") from error
            self._file.write(portion)
            left = self._decompressor.unconsumed_tail
            is_ready = not left and len(portion) < PORTION
        if self._decompressor.unused_data:
            raise BadBackup("The backup is damaged: something follows its database.")
        return len(data)

    def flush(self) -> None:
        self._file.flush()

    def finish(self) -> None:
        if not self._decompressor.eof:
            raise BadBackup("The backup is damaged: its database is incomplete.")
