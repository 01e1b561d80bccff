"""The data that the server and its picture worker exchange. Both import this module, so it imports nothing heavy."""

from dataclasses import dataclass

LARGEST_FILE_BYTES = 5 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG that we encoded."""

    content: bytes
    sha256: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything that was found in a picture."""

    # The distinct texts of all readable QR codes.
    texts: frozenset[str] = frozenset()
    # There is a QR code whose bytes are not UTF-8, which payment apps assume. It cannot be drawn again.
    has_other_letters: bool = False
    # There is a code of another kind, which a phone may read as well.
    has_other_kind: bool = False
    # There is clearly a QR code that cannot be read.
    has_unread: bool = False
