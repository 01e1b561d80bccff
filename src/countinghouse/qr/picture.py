"""What the server and its picture worker exchange. Both import this module, so it imports nothing heavy.

Messages contain nothing executable: the worker opens strangers' files, so its answers are treated as data only.
"""

from typing import IO, Any, Literal, TypeVar

import msgspec

LARGEST_FILE_BYTES = 5 * 1024 * 1024
# Holds a picture, and the longest texts that a picture tiled with codes can contain.
_LARGEST_MESSAGE = 32 * 1024 * 1024
_LENGTH_BYTES = 4

T = TypeVar("T")


class Picture(msgspec.Struct, frozen=True):
    """An image that we encoded: a PNG, or a JPEG if it is a payment proof."""

    content: bytes
    sha256: str
    width: int
    height: int


class Seen(msgspec.Struct, frozen=True):
    """Everything that was found in a picture."""

    # The distinct texts of all readable QR codes.
    texts: frozenset[str] = frozenset()
    # There is a QR code whose bytes are not UTF-8, which payment apps assume. It cannot be drawn again.
    has_other_letters: bool = False
    # There is a code of another kind, which a phone may read as well.
    has_other_kind: bool = False
    # There is clearly a QR code that cannot be read.
    has_unread: bool = False


class Job(msgspec.Struct, frozen=True):
    do: Literal["take", "read", "draw", "prove"]
    content: bytes = b""
    text: str = ""


# Why a picture is refused, by field; empty if it is not. If it is empty, a second message with the result follows.
Refused = dict[str, str]


class NoMessage(Exception):
    """The other side is gone, or sent something that is not a message."""


def write_message(stream: IO[bytes], message: Any) -> None:
    encoded = msgspec.msgpack.encode(message)
    stream.write(len(encoded).to_bytes(_LENGTH_BYTES, "big"))
    stream.write(encoded)
    stream.flush()


def read_message(stream: IO[bytes], kind: type[T]) -> T:
    length = int.from_bytes(_read(stream, _LENGTH_BYTES), "big")
    if length > _LARGEST_MESSAGE:
        raise NoMessage
    try:
        return msgspec.msgpack.decode(_read(stream, length), type=kind)
    except msgspec.MsgspecError as error:
        raise NoMessage from error


def _read(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) != length:
        raise NoMessage
    return content
