"""Checkpoints: how long the chain of seals was at a time, and its newest seal, signed by a key outside the database.

Whoever can rewrite the whole database can also rewrite the chain. A checkpoint that was made before shows it.
"""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from countinghouse.audit.chain import canonical
from countinghouse.audit.sealing import Head
from countinghouse.core.times import iso, now

# So that the signature of something else is never taken for one of a checkpoint.
_PURPOSE = b"countinghouse audit checkpoint\n"
LONGEST_LINE = 1000


@dataclass(frozen=True, slots=True)
class Checkpoint:
    count: int
    seal: str
    at: str
    # The public key, and the signature: hexadecimal digits.
    key: str
    signature: str

    @property
    def _message(self) -> bytes:
        return _PURPOSE + canonical({"count": self.count, "seal": self.seal, "at": self.at})

    def signed(self, key: Ed25519PrivateKey) -> "Checkpoint":
        return Checkpoint(self.count, self.seal, self.at, public_of(key), key.sign(self._message).hex())

    def is_signed_by(self, key: str) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(self.signature), self._message)
        except (InvalidSignature, ValueError):
            return False
        return self.key == key

    @property
    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in Checkpoint.__slots__}


def read_checkpoint(written: Any) -> Checkpoint | None:
    """None for what is no checkpoint."""
    kinds = {"count": int, "seal": str, "at": str, "key": str, "signature": str}
    if not isinstance(written, dict) or set(written) != set(kinds):
        return None
    return Checkpoint(**written) if all(type(written[name]) is kind for name, kind in kinds.items()) else None


def public_of(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


class NoKey(Exception):
    """The file of the key cannot be read, or is missing."""


@dataclass(frozen=True)
class Checkpoints:
    """The file of the key, made at its first use, and the file that each checkpoint is appended to."""

    key_file: Path
    file: Path

    @cached_property
    def key(self) -> Ed25519PrivateKey:
        # Looked up first: another process may be making the key and the first checkpoint.
        has_checkpoints = self.file.exists() and self.file.stat().st_size > 0
        if not self.key_file.exists():
            if has_checkpoints:
                raise NoKey(
                    f"The checkpoints in {self.file} were signed by another key than one that is made now. Copy that "
                    f"key to {self.key_file}, or move the checkpoints away to begin with a new one."
                )
            self._make_key()
        return self._load_key()

    def find_public_key(self) -> str | None:
        """Makes no key: one that is made for checking proves nothing."""
        return public_of(self._load_key()) if self.key_file.exists() else None

    def _load_key(self) -> Ed25519PrivateKey:
        try:
            key = load_pem_private_key(self.key_file.read_bytes(), password=None)
        except (OSError, ValueError, TypeError) as error:
            raise NoKey(f"The key of the audit log in {self.key_file} cannot be read: {error}") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise NoKey(f"The key of the audit log in {self.key_file} is no Ed25519 key.")
        return key

    def _make_key(self) -> None:
        """Linked into place when it is complete, so that of several processes one makes the key for all."""
        self.key_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        made = self.key_file.with_name(f"{self.key_file.name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            with suppress(FileExistsError):
                os.link(made, self.key_file)
        finally:
            made.unlink()

    def write(self, head: Head) -> Checkpoint:
        made = Checkpoint(head.length, head.seal, iso(now()), "", "").signed(self.key)
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b", buffering=0) as file:
            # The line before may be incomplete: the machine stopped while it was written.
            size = file.seek(0, os.SEEK_END)
            is_torn = size > 0 and os.pread(file.fileno(), 1, size - 1) != b"\n"
            file.write(b"\n" * is_torn + json.dumps(made.as_json).encode() + b"\n")
            os.fsync(file.fileno())
        return made

    def read(self) -> Iterator[tuple[int, Checkpoint | None]]:
        """The number of each line, and its checkpoint; None for a line that is none."""
        if not self.file.exists():
            return
        with self.file.open("rb") as lines:
            line_number = 0
            while line := lines.readline(LONGEST_LINE):
                line_number += 1
                if line.strip():
                    yield line_number, _parsed(line)


def _parsed(line: bytes) -> Checkpoint | None:
    try:
        return read_checkpoint(json.loads(line))
    except (ValueError, RecursionError):
        return None
