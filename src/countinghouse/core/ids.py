"""Identifiers: 24 hex digits that begin with the creation time in seconds, like MongoDB's ObjectIds."""

import itertools
import os
import re
import secrets
import time
from datetime import UTC, datetime

_PATTERN = re.compile(r"[0-9a-f]{24}")
_COUNTER_LIMIT = 1 << 24
_counter = itertools.count(secrets.randbelow(_COUNTER_LIMIT))
_process = secrets.token_hex(5)


def _after_fork() -> None:
    global _process
    _process = secrets.token_hex(5)


os.register_at_fork(after_in_child=_after_fork)


def new_id(at_second: int | None = None) -> str:
    second = int(time.time()) if at_second is None else at_second
    return f"{second:08x}{_process}{next(_counter) % _COUNTER_LIMIT:06x}"


def is_id(text: str) -> bool:
    return _PATTERN.fullmatch(text) is not None


def moment_of_id(row_id: str) -> datetime:
    """The second in which it was created."""
    return datetime.fromtimestamp(int(row_id[:8], 16), UTC)
