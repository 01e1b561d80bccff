"""Messages between the server and its picture worker: a length, a JSON head, and the bytes of one picture.

They contain nothing executable: the worker opens strangers' files, so its answers are treated as data only.
"""

import json
import struct
from collections.abc import Mapping
from typing import IO, Any

_LENGTHS = struct.Struct(">II")
# Holds a picture, its framing, and the longest texts that a picture tiled with codes can contain.
LARGEST_PART = 16 * 1024 * 1024


class NoMessage(Exception):
    """The other side is gone, or sent something that is not a message."""


def write_message(stream: IO[bytes], head: Mapping[str, Any], content: bytes = b"") -> None:
    encoded_head = json.dumps(head).encode()
    stream.write(_LENGTHS.pack(len(encoded_head), len(content)) + encoded_head)
    stream.write(content)
    stream.flush()


def read_message(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    head_length, content_length = _LENGTHS.unpack(_read(stream, _LENGTHS.size))
    if max(head_length, content_length) > LARGEST_PART:
        raise NoMessage
    head = json.loads(_read(stream, head_length))
    return head, _read(stream, content_length)


def _read(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) != length:
        raise NoMessage
    return content
