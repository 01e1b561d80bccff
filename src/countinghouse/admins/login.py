"""Login: count the attempt, check the password, open a session. Three steps in two transactions.

An admin with a second factor gets a challenge instead of a session; `factors/logging_in.py` takes the answer to it.
"""

from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import Row

from countinghouse.admins.actions import Opened, open_session
from countinghouse.admins.factors.challenges import Purpose, new_challenge
from countinghouse.admins.factors.proofs import read_factors
from countinghouse.admins.passwords import is_password
from countinghouse.admins.permissions import Role
from countinghouse.admins.queries import Admin, find_admin, is_known_device, is_marked, lock_admin
from countinghouse.admins.refusals import count_refusal
from countinghouse.admins.throttle import Bucket, buckets_for, count_guess, give_back, too_many
from countinghouse.audit.actions import Actor
from countinghouse.core.db import Database, Transaction
from countinghouse.core.errors import NotSignedIn
from countinghouse.core.http.requests import Address
from countinghouse.core.inputs import name_key
from countinghouse.core.secrets import hash_secret
from countinghouse.settings import Settings

log = structlog.get_logger()

# Hashing is slow by design. A few at a time keep two cores busy, and with a short queue a waiting client gets an answer
# before it gives up. Browsers that have signed in before have places of their own, so that strangers cannot keep an
# admin out.
LOGINS_AT_ONCE = 2
MOST_WAITING = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Where a login comes from. `device` is the browser as it names itself."""

    address: Address | None
    device_mark: str
    device: str | None

    def actor(self, username: str) -> Actor:
        return Actor(username, str(self.address) if self.address else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess(Caller):
    username: str
    password: str


def login_failed() -> NotSignedIn:
    return NotSignedIn("login_failed", "Invalid username or password")


async def is_from_known_device(database: Database, device_mark: str) -> bool:
    """Of whichever admin. It decides only where the login waits."""
    return bool(device_mark) and await database.read(lambda reader: is_marked(reader, device_mark))


async def log_in(database: Database, settings: Settings, guess: Guess) -> tuple[Admin, Opened]:
    """The admin and the new session."""
    failed = login_failed()

    async def count(transaction: Transaction) -> tuple[Row[Any] | None, bool, tuple[Bucket, ...], int]:
        admin = await find_admin(transaction, guess.username)
        is_known = admin is not None and await is_known_device(transaction, guess.device_mark, admin.id)
        device = hash_secret(guess.device_mark) if is_known else None
        buckets = await buckets_for(transaction, name_key(guess.username), guess.address, device)
        wait_seconds = await count_guess(transaction, buckets)
        if wait_seconds:
            await refuse(transaction, admin)
        return admin, is_known, buckets, wait_seconds

    async def refuse(transaction: Transaction, admin: Row[Any] | None) -> str:
        admin_id, username = (None, None) if admin is None else (admin.id, admin.username)
        return await count_refusal(transaction, guess.username, admin_id, username, guess.address)

    admin, is_known, buckets, wait_seconds = await database.write(count)
    # Raised after the transaction, so that the counted attempt is committed.
    if wait_seconds:
        raise too_many(wait_seconds)
    password_hash = admin.password_hash if admin is not None and admin.disabled_at is None else None
    # Also checked when the username is unknown, so that the response time does not reveal which usernames exist.
    is_right = await is_password(password_hash, guess.password)
    if admin is None or not is_right:
        name = await database.write(lambda transaction: refuse(transaction, admin))
        log.warning("login_failed", name=name, address=str(guess.address))
        raise failed

    async def finish(transaction: Transaction) -> tuple[Admin, Opened] | NotSignedIn:
        # Locks the row: a concurrent password change or disable is either visible here or ends this session too.
        await lock_admin(transaction, admin.id)
        # Hashing took a while. Meanwhile the password may have been changed, or the admin disabled.
        current = await find_admin(transaction, guess.username)
        if current is None or current.disabled_at is not None or current.password_hash != password_hash:
            raise failed
        if current.has_factor:
            # The attempt is given back when the second factor is right.
            return await _ask_for_factor(transaction, current.id)
        await give_back(transaction, buckets)
        opened = await open_session(
            transaction,
            guess.actor(current.username),
            admin.id,
            settings,
            new_device=not is_known,
            device=guess.device,
        )
        return Admin(current.id, current.username, Role(current.role)), opened

    outcome = await database.write(finish)
    # Raised after the transaction, so that the challenge is stored.
    if isinstance(outcome, NotSignedIn):
        raise outcome
    return outcome


async def _ask_for_factor(transaction: Transaction, admin_id: str) -> NotSignedIn:
    challenge = await new_challenge(transaction, Purpose.LOGIN, admin_id)
    return factor_needed(challenge, (await read_factors(transaction, admin_id)).ways)


def factor_needed(challenge: str, ways: list[str]) -> NotSignedIn:
    """Not a 200: a client that knows nothing of second factors must not take it for a login."""
    message = "Enter the code of your authenticator app, or use a passkey."
    return NotSignedIn("second_factor_needed", message, {"challenge": challenge, "needs": " ".join(ways)})
