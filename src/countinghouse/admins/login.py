"""Login: count the attempt, check the password, open a session. Three steps in two transactions."""

from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import Row

from countinghouse.admins.actions import Opened, open_session
from countinghouse.admins.passwords import is_password
from countinghouse.admins.queries import find_admin, hashed, is_known_device, lock_admin
from countinghouse.admins.throttle import Bucket, buckets_for, count_guess, give_back, too_many
from countinghouse.audit.actions import Actor
from countinghouse.core.db import Database, Transaction
from countinghouse.core.errors import NotSignedIn
from countinghouse.core.http.requests import Address
from countinghouse.core.inputs import name_key
from countinghouse.settings import Settings

log = structlog.get_logger()

# Hashing is slow by design. A few at a time keep two cores busy, and with a short queue a waiting client gets an answer
# before it gives up.
LOGINS_AT_ONCE = 4
MOST_WAITING = 24


@dataclass(frozen=True, slots=True)
class Guess:
    username: str
    password: str
    address: Address | None
    device_mark: str


async def log_in(database: Database, settings: Settings, guess: Guess) -> tuple[str, Opened]:
    """The admin's username and the new session."""
    failed = NotSignedIn("login_failed", "Invalid username or password")

    async def count(transaction: Transaction) -> tuple[Row[Any] | None, bool, tuple[Bucket, ...], int]:
        admin = await find_admin(transaction, guess.username)
        is_known = admin is not None and await is_known_device(transaction, guess.device_mark, admin.id)
        device = hashed(guess.device_mark) if is_known else None
        buckets = buckets_for(name_key(guess.username), guess.address, device)
        return admin, is_known, buckets, await count_guess(transaction, buckets)

    admin, is_known, buckets, wait_seconds = await database.write(count)
    # Raised after the transaction, so that the counted attempt is committed.
    if wait_seconds:
        raise too_many(wait_seconds)
    password_hash = admin.password_hash if admin is not None and admin.disabled_at is None else None
    # Also checked when the username is unknown, so that the response time does not reveal which usernames exist.
    is_right = await is_password(password_hash, guess.password)
    if admin is None or not is_right:
        log.warning("login_failed", username=guess.username, address=str(guess.address))
        raise failed
    actor = Actor(admin.username, str(guess.address) if guess.address else None)

    async def finish(transaction: Transaction) -> Opened:
        # Locks the row: a concurrent password change or disable is either visible here or ends this session too.
        await lock_admin(transaction, admin.id)
        # Hashing took a while. Meanwhile the password may have been changed, or the admin disabled.
        current = await find_admin(transaction, guess.username)
        if current is None or current.disabled_at is not None or current.password_hash != password_hash:
            raise failed
        await give_back(transaction, buckets)
        return await open_session(transaction, actor, admin.id, settings, new_device=not is_known)

    return admin.username, await database.write(finish)
