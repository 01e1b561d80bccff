"""Idempotency keys: what all requests that carry one have in common. Each room stores its own answers."""

import re
from datetime import timedelta

from countinghouse.core.errors import InvalidInput

HEADER = "Idempotency-Key"
LIFETIME = timedelta(hours=24)
# One key in this many deletes old ones, and deletes more of them than were stored since.
SWEEPS_ONE_IN = 64
SWEPT_AT_ONCE = 500

_KEY = re.compile(r"[\x21-\x7e]{1,200}")


def checked_key(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise InvalidInput({HEADER: f"{HEADER} must be 1 to 200 visible ASCII characters without spaces."})
    return key


def refuse_other_request(stored_hash: bytes, asked_hash: bytes, noun: str) -> None:
    """`noun`: what the client needs a new key for, such as "move"."""
    if bytes(stored_hash) != asked_hash:
        sentence = f"This {HEADER} was used for another {noun}. Use a new one for every {noun}."
        raise InvalidInput({HEADER: sentence}, "idempotency_key_reused")


def is_sweep_due(asked_hash: bytes) -> bool:
    """By chance and not by the clock, so it needs neither a timer nor coordination between servers."""
    return asked_hash[0] % SWEEPS_ONE_IN == 0
