"""argon2id, on threads of its own: hashing must neither stop the event loop nor eat the memory of a flood."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from countinghouse.core.errors import InvalidInput

SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 1024

_hasher = PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=1)
# Each hash takes 64 MiB; two at a time is also what two cores can do.
_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="argon2")


def hash_password(password: str) -> str:
    """Takes a quarter of a second: call it before a transaction is opened, never inside."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise InvalidInput({"password": f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters."})
    return _hasher.hash(password)


@cache
def _nobodys_hash() -> str:
    return _hasher.hash("the password of nobody")


def _verify(password_hash: str | None, password: str) -> bool:
    # An unknown name costs the same work as a known one, so that time does not tell them apart.
    try:
        return _hasher.verify(password_hash or _nobodys_hash(), password) and password_hash is not None
    except VerifyMismatchError:
        return False


async def is_password(password_hash: str | None, password: str) -> bool:
    return await asyncio.get_running_loop().run_in_executor(_threads, _verify, password_hash, password)
