"""The file of a backup: a ZIP whose comment, its last bytes, is the SHA-256 of everything before it.

Standard programs read it as well: `unzip`, `gunzip`, `pg_restore`, and `age` if it is encrypted (docs/decisions/0024).
"""

import hashlib
import io
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import pyrage

PORTION = 1024 * 1024
IDENTITY = "identity.age"
SQLITE_ENTRY, POSTGRES_ENTRY = "database.sqlite.gz", "database.dump"
MANIFEST, CHECKPOINTS, KEY = "manifest.json", "audit-checkpoints.jsonl", "audit-key.pem"
# Nothing else is in a backup.
ENTRIES = frozenset((SQLITE_ENTRY, POSTGRES_ENTRY, MANIFEST, CHECKPOINTS, KEY))
_MARK = b"sha256:"
_PLACEHOLDER = _MARK + b"0" * 64
# A gigabyte of manifest would be an attack on memory.
LARGEST_IN_MEMORY = 64 * 1024 * 1024

OnProgress = Callable[[str, int, int | None], None]


class BadBackup(Exception):
    """The file cannot be restored; the message is a sentence that says why."""


class Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class Writable(Protocol):
    def write(self, data: bytes, /) -> int: ...

    def flush(self) -> None: ...


class ArchiveWriter:
    """Entries are encrypted one by one to a key of this file, which is encrypted with the passphrase.

    In a `with` block, what was begun is given up if the block fails.
    """

    def __init__(self, file: BinaryIO, passphrase: str | None) -> None:
        self._sealing = _Sealing(file)
        self._zip = ZipFile(self._sealing, "w")
        self._zip.comment = _PLACEHOLDER
        self._recipient: pyrage.x25519.Recipient | None = None
        if passphrase is not None:
            identity = pyrage.x25519.Identity.generate()
            self._zip.writestr(_entry(IDENTITY), pyrage.passphrase.encrypt(f"{identity}\n".encode(), passphrase))
            self._recipient = identity.to_public()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            self._sealing.give_up()
            self._zip.close()

    @property
    def is_encrypted(self) -> bool:
        return self._recipient is not None

    def add(self, name: str, source: Readable) -> None:
        stored = name if self._recipient is None else f"{name}.age"
        try:
            with self._zip.open(_entry(stored), "w", force_zip64=True) as entry:
                if self._recipient is None:
                    shutil.copyfileobj(source, entry, PORTION)
                else:
                    pyrage.encrypt_io(source, entry, [self._recipient])
        except (OSError, pyrage.EncryptError) as error:
            # Encryption wraps the error of the file in one of its own.
            raise self._sealing.error or error from error

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
        """As it is stored, before it is decompressed."""
        return self._zip.getinfo(self._stored(name)).file_size

    def read(self, name: str) -> bytes:
        if self.size(name) > LARGEST_IN_MEMORY:
            raise BadBackup(f"This is no backup of Countinghouse: its {name} is too large.")
        found = io.BytesIO()
        self.copy(name, found)
        return found.getvalue()

    def copy(self, name: str, target: Writable) -> None:
        watched = _Watched(target)
        try:
            with self._zip.open(self._stored(name)) as entry:
                if self._identity is None:
                    shutil.copyfileobj(entry, watched, PORTION)
                else:
                    _decrypt(entry, watched, self._identity)
        except (BadZipFile, RuntimeError, pyrage.DecryptError, EOFError) as error:
            # Only what is wrong with the file is damage.
            if watched.error is not None:
                raise watched.error from error
            raise BadBackup(f"The backup is damaged: {name} cannot be read ({error}).") from error

    def _stored(self, name: str) -> str:
        return f"{name}.age" if self._identity is not None else name


def _decrypt(entry: Readable, watched: "_Watched", identity: "pyrage.x25519.Identity") -> None:
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
        if self.error is not None:
            # After a failure pyrage writes what it still has. Only the first error says what went wrong.
            raise self.error
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
        # A pipe would wait for somebody who writes into it, and a device may never end.
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadBackup(f"The backup cannot be read: {path} is not a file.")
        file = path.open("rb")
    except OSError as error:
        raise BadBackup(f"The backup cannot be read: {error.strerror}: {path}") from error
    with file:
        checksum = _check_checksum(file, path, on_progress)
        with _opened_zip(file) as opened:
            yield Archive(path, checksum, opened, _find_identity(opened, ask_passphrase))


@contextmanager
def _opened_zip(file: BinaryIO) -> Iterator[ZipFile]:
    try:
        opened = ZipFile(file)
    except (BadZipFile, RuntimeError, ValueError) as error:
        raise BadBackup(f"This is no backup of Countinghouse: {error}.") from error
    with opened:
        entries = opened.infolist()
        names = [entry.filename for entry in entries]
        is_encrypted = IDENTITY in names
        known = {IDENTITY, *(f"{name}.age" for name in ENTRIES)} if is_encrypted else ENTRIES
        strange = next((name for name in names if name not in known), None)
        if strange is not None:
            raise BadBackup(f"This is no backup of Countinghouse: {strange!r} is in it.")
        # Entries that were compressed could grow without a limit.
        if len(set(names)) < len(names) or any(entry.compress_type != ZIP_STORED for entry in entries):
            raise BadBackup("This is no backup of Countinghouse: another program has made the ZIP.")
        yield opened


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
    if opened.getinfo(IDENTITY).file_size > LARGEST_IN_MEMORY:
        raise BadBackup(f"This is no backup of Countinghouse: its {IDENTITY} is too large.")
    passphrase = ask_passphrase()
    try:
        text = pyrage.passphrase.decrypt(opened.read(IDENTITY), passphrase).decode().strip()
        return pyrage.x25519.Identity.from_str(text)
    except pyrage.DecryptError as error:
        raise BadBackup("The passphrase is not the one of this backup.") from error
    except (pyrage.IdentityError, ValueError, BadZipFile) as error:
        raise BadBackup(f"The backup is damaged: its {IDENTITY} cannot be read.") from error


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
        self._is_given_up = False
        self.error: OSError | None = None

    def give_up(self) -> None:
        """A ZipFile writes its table of contents when it is closed, even after it has failed."""
        self._is_given_up = True

    def write(self, data: bytes, /) -> int:
        if self._is_given_up:
            return len(data)
        held = self._held + bytes(data)
        ready, self._held = held[: -len(_PLACEHOLDER)], held[-len(_PLACEHOLDER) :]
        self._digest.update(ready)
        try:
            self._file.write(ready)
        except OSError as error:
            self.error = error
            self.give_up()
            raise
        return len(data)

    def flush(self) -> None:
        if not self._is_given_up:
            self._file.flush()

    def close(self) -> None:
        """The file belongs to the caller."""

    def finish(self) -> str:
        if self.error is not None:
            raise self.error
        if self._held != _PLACEHOLDER:
            raise RuntimeError("the ZIP does not end in its comment")
        checksum = self._digest.hexdigest()
        self._file.write(_MARK + checksum.encode())
        return checksum
