"""The chain of seals: each is the SHA-256 of the seal before it and of its own row, as canonical JSON."""

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec
from sqlalchemy import JSON
from sqlalchemy.sql.functions import FunctionElement

from countinghouse.audit.tables import audit_log
from countinghouse.core.db.statement import Cells
from countinghouse.core.listing.sql import compile_on_both
from countinghouse.core.times import stored_text

# What the first row is sealed with.
GENESIS = "0" * 64
NAMES = ("seq", "at", "actor", "address", "verb", "subject_id", "before", "after")


class stored_json(FunctionElement[str]):  # noqa: N801 - reads as the SQL function it is
    """The text of a JSON column, as it is stored. Once decoded, of two values of the same name only one is left."""

    inherit_cache = True


compile_on_both(stored_json, "CAST({0} AS text)", "{0}")

# What `row_of` expects.
COLUMNS = [
    stored_json(audit_log.c[name]) if isinstance(audit_log.c[name].type, JSON) else audit_log.c[name] for name in NAMES
]

AuditRow = dict[str, Any]


def row_of(cells: Cells) -> AuditRow:
    """The cells as the driver returns them. Whatever they contain, the same cells always make the same row."""
    row: AuditRow = dict(zip(NAMES, cells, strict=True))
    # SQLite stores anything in any column.
    if bytes in map(type, cells):
        row = {name: {"bytes": cell.hex()} if isinstance(cell, bytes) else cell for name, cell in row.items()}
    if isinstance(row["at"], datetime):
        row["at"] = stored_text(row["at"])
    return row


# Eight times as fast, and the same for these types. Others are rare, and it writes some numbers in another way.
_encode_quickly = msgspec.json.Encoder(order="sorted").encode
_SAME_IN_BOTH = frozenset((str, int, type(None)))
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical(value: Mapping[str, Any]) -> bytes:
    """JSON with sorted keys and without spaces, in UTF-8."""
    if _SAME_IN_BOTH.issuperset(map(type, value.values())):
        # An integer of more than 64 bits, or half of a surrogate pair.
        with suppress(OverflowError, UnicodeEncodeError):
            return _encode_quickly(value)
    return _encode(value).encode("utf-8", "surrogatepass")


def seal_after(previous: str, row: bytes) -> str:
    """`row` is canonical JSON."""
    return sha256(bytes.fromhex(previous) + row).hexdigest()


def digest_of(row: AuditRow) -> str:
    """Of a row without a seal."""
    return sha256(canonical(row)).hexdigest()
