"""What the picture worker and the server tell each other about a picture. Imports nothing heavy, for both sides."""

from dataclasses import dataclass

LARGEST_FILE_BYTES = 5 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG that we have written ourselves."""

    content: bytes
    sha256: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Seen:
    """All that was found in a picture."""

    # Of the QR codes that can be read, each different one.
    texts: frozenset[str] = frozenset()
    # A QR code whose bytes are no text in UTF-8, which is what payment apps take them for: it cannot be drawn again.
    has_other_letters: bool = False
    # A code of another kind, which a phone may read as well.
    has_other_kind: bool = False
    # A QR code that is plainly there and cannot be read.
    has_unread: bool = False
