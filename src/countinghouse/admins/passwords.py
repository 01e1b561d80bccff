"""argon2id on its own few threads: hashing must not block the event loop, and a flood must not exhaust the memory."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from countinghouse.core.errors import InvalidInput

SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 1024

_hasher = PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=1)
# Each hash takes 64 MiB, and two at a time are all that two cores can compute. The third is for a known device, while
# strangers keep the others busy.
_threads = ThreadPoolExecutor(max_workers=3, thread_name_prefix="argon2")


def hash_password(password: str) -> str:
    """Takes a quarter of a second. Call it before opening a transaction, never inside one."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise InvalidInput({"password": f"A password must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters."})
    return _hasher.hash(password)


@cache
def _dummy_hash() -> str:
    return _hasher.hash("the password of nobody")


def _verify(password_hash: str | None, password: str) -> bool:
    # An unknown username costs the same work as a known one, so that timing does not reveal which usernames exist.
    try:
        return _hasher.verify(password_hash or _dummy_hash(), password) and password_hash is not None
    except VerifyMismatchError:
        return False


async def is_password(password_hash: str | None, password: str) -> bool:
    return await asyncio.get_running_loop().run_in_executor(_threads, _verify, password_hash, password)


async def make_hash(password: str) -> str:
    """`hash_password` for a request."""
    return await asyncio.get_running_loop().run_in_executor(_threads, hash_password, password)
