"""The file of a backup: a ZIP whose comment, its last bytes, is the SHA-256 of everything before it.

Standard programs read it as well: `unzip`, `gunzip`, `pg_restore`, and `age` if it is encrypted (docs/decisions/0024).
"""

import hashlib
import io
import os
import shutil
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol
from zipfile import BadZipFile, ZipFile, ZipInfo

import pyrage

PORTION = 1024 * 1024
IDENTITY = "identity.age"
_MARK = b"sha256:"
_PLACEHOLDER = _MARK + b"0" * 64
# A gigabyte of manifest would be an attack on memory.
LARGEST_IN_MEMORY = 64 * 1024 * 1024
# A higher level takes several times as long, for a tenth of the size.
_LEVEL = 1
_GZIP = 31

OnProgress = Callable[[str, int, int | None], None]


class BadBackup(Exception):
    """The file cannot be restored; the message is a sentence that says why."""


class Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class Writable(Protocol):
    def write(self, data: bytes, /) -> int: ...

    def flush(self) -> None: ...


class ArchiveWriter:
    """Entries are encrypted one by one to a key of this file, which is encrypted with the passphrase."""

    def __init__(self, file: BinaryIO, passphrase: str | None) -> None:
        self._sealing = _Sealing(file)
        self._zip = ZipFile(self._sealing, "w")
        self._zip.comment = _PLACEHOLDER
        self._recipient: pyrage.x25519.Recipient | None = None
        if passphrase is not None:
            identity = pyrage.x25519.Identity.generate()
            self._zip.writestr(_entry(IDENTITY), pyrage.passphrase.encrypt(f"{identity}\n".encode(), passphrase))
            self._recipient = identity.to_public()

    @property
    def is_encrypted(self) -> bool:
        return self._recipient is not None

    def add(self, name: str, source: Readable) -> None:
        if self._recipient is None:
            with self._zip.open(_entry(name), "w", force_zip64=True) as entry:
                shutil.copyfileobj(source, entry, PORTION)
            return
        with self._zip.open(_entry(f"{name}.age"), "w", force_zip64=True) as entry:
            pyrage.encrypt_io(source, entry, [self._recipient])

    def finish(self) -> str:
        """Returns the checksum that the file ends in."""
        self._zip.close()
        return self._sealing.finish()


class Archive:
    """A backup whose checksum is right, and whose passphrase, if it has one, was given."""

    def __init__(self, path: Path, checksum: str, opened: ZipFile, identity: "pyrage.x25519.Identity | None") -> None:
        self.path = path
        self.checksum = checksum
        self._zip = opened
        self._identity = identity
        self.names = {name.removesuffix(".age") for name in opened.namelist()} - {IDENTITY.removesuffix(".age")}

    @property
    def is_encrypted(self) -> bool:
        return self._identity is not None

    def size(self, name: str) -> int:
        return self._zip.getinfo(self._stored(name)).file_size

    def read(self, name: str) -> bytes:
        if self.size(name) > LARGEST_IN_MEMORY:
            raise BadBackup(f"This is no backup of Countinghouse: its {name} is too large.")
        found = io.BytesIO()
        self.copy(name, found)
        return found.getvalue()

    def copy(self, name: str, target: Writable) -> None:
        try:
            with self._zip.open(self._stored(name)) as entry:
                if self._identity is None:
                    shutil.copyfileobj(entry, target, PORTION)
                else:
                    _decrypt(entry, target, self._identity)
        except (BadZipFile, pyrage.DecryptError, EOFError) as error:
            raise BadBackup(f"The backup is damaged: {name} cannot be read ({error}).") from error

    def _stored(self, name: str) -> str:
        return f"{name}.age" if self._identity is not None else name


def _decrypt(entry: Readable, target: Writable, identity: "pyrage.x25519.Identity") -> None:
    watched = _Watched(target)
    try:
        pyrage.decrypt_io(entry, watched, [identity])
    except OSError as error:
        # It reports a bad message and a failed write in the same way.
        raise watched.error or BadBackup(f"The backup is damaged: {error}.") from error


class _Watched:
    def __init__(self, target: Writable) -> None:
        self._target = target
        self.error: Exception | None = None

    def write(self, data: bytes) -> int:
        try:
            return self._target.write(data)
        except Exception as error:
            self.error = error
            raise

    def flush(self) -> None:
        self._target.flush()


@contextmanager
def opened_archive(path: Path, ask_passphrase: Callable[[], str], on_progress: OnProgress) -> Iterator[Archive]:
    """Reads the whole file once before anything is taken from it."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise BadBackup(f"The backup cannot be read: {error.strerror}: {path}") from error
    with file:
        checksum = _check_checksum(file, path, on_progress)
        try:
            with ZipFile(file) as opened:
                yield Archive(path, checksum, opened, _find_identity(opened, ask_passphrase))
        except BadZipFile as error:
            raise BadBackup(f"This is no backup of Countinghouse: {error}.") from error


def _check_checksum(file: BinaryIO, path: Path, on_progress: OnProgress) -> str:
    size = os.fstat(file.fileno()).st_size
    if file.read(2) != b"PK":
        raise BadBackup(f"{path} is no backup of Countinghouse, or its beginning is damaged.")
    left = size - len(_PLACEHOLDER)
    file.seek(max(left, 0))
    trailer = file.read()
    if left < 0 or not trailer.startswith(_MARK):
        raise BadBackup("The backup is incomplete or damaged: its checksum, which is at its end, is missing.")
    file.seek(0)
    digest = hashlib.sha256()
    total = left
    while left:
        portion = file.read(min(PORTION, left))
        if not portion:
            raise BadBackup("The backup is incomplete: it became shorter while it was read.")
        digest.update(portion)
        left -= len(portion)
        on_progress("checksum", total - left, total)
    if trailer != _MARK + digest.hexdigest().encode():
        raise BadBackup("The backup is damaged: its content does not match its checksum.")
    file.seek(0)
    return digest.hexdigest()


def _find_identity(opened: ZipFile, ask_passphrase: Callable[[], str]) -> "pyrage.x25519.Identity | None":
    if IDENTITY not in opened.namelist():
        return None
    passphrase = ask_passphrase()
    try:
        text = pyrage.passphrase.decrypt(opened.read(IDENTITY), passphrase).decode().strip()
        return pyrage.x25519.Identity.from_str(text)
    except pyrage.DecryptError as error:
        raise BadBackup("The passphrase is not the one of this backup.") from error


def _entry(name: str) -> ZipInfo:
    info = ZipInfo(name, time.gmtime()[:6])
    info.external_attr = 0o600 << 16
    return info


class _Sealing:
    """Writes what a ZipFile writes, and puts the checksum into the place that its comment keeps for it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self._held = b""

    def write(self, data: bytes, /) -> int:
        held = self._held + bytes(data)
        ready, self._held = held[: -len(_PLACEHOLDER)], held[-len(_PLACEHOLDER) :]
        self._digest.update(ready)
        self._file.write(ready)
        return len(data)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        """The file belongs to the caller."""

    def finish(self) -> str:
        if self._held != _PLACEHOLDER:
            raise RuntimeError("the ZIP does not end in its comment")
        checksum = self._digest.hexdigest()
        self._file.write(_MARK + checksum.encode())
        return checksum


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
    """Writes to a file what the compressed bytes contain."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decompressor = zlib.decompressobj(_GZIP)

    def write(self, data: bytes) -> int:
        try:
            self._file.write(self._decompressor.decompress(data))
        except zlib.error as error:
            raise BadBackup(f"The backup is damaged: its database cannot be decompressed ({error}).") from error
        return len(data)

    def flush(self) -> None:
        self._file.flush()

    def finish(self) -> None:
        if not self._decompressor.eof:
            raise BadBackup("The backup is damaged: its database is incomplete.")
