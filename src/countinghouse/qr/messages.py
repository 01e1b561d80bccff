"""Messages between the server and its picture worker: a length, a head in JSON, and the bytes of one picture.

Nothing in them can run: the worker opens strangers' files, so what it says is data and no more.
"""

import json
import struct
from collections.abc import Mapping
from typing import IO, Any

_LENGTHS = struct.Struct(">II")
# A picture, its frame and the longest texts that a picture tiled with codes can hold.
LARGEST_PART = 16 * 1024 * 1024


class NoMessage(Exception):
    """The other side is gone, or says something else."""


def write_message(stream: IO[bytes], head: Mapping[str, Any], content: bytes = b"") -> None:
    said = json.dumps(head).encode()
    stream.write(_LENGTHS.pack(len(said), len(content)) + said)
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
