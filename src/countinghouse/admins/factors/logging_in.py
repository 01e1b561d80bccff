"""The second step of a login, and login by passkey alone.

As for a password, the attempt is counted and committed before the answer is checked. The code or passkey, the challenge
and the new session are then written in one transaction, so of two requests with the same answer one gets a session.
"""

from typing import Any, Literal, NamedTuple

import structlog
from sqlalchemy import Row

from countinghouse.admins.actions import AdminVerb, Opened, open_session
from countinghouse.admins.factors.challenges import Purpose, Token, new_challenge, try_challenge, use_up
from countinghouse.admins.factors.passkeys import PASSKEY_EXAMPLE, PasskeyAnswer
from countinghouse.admins.factors.proofs import (
    NOT_ACCEPTED,
    PASSKEY,
    Proof,
    TypedCode,
    find_code_proof,
    find_passkey,
    passkey_proof,
    use_proof,
)
from countinghouse.admins.login import Caller, factor_needed
from countinghouse.admins.permissions import Role
from countinghouse.admins.queries import Admin, find_admin_by_id, find_device_owner, lock_admin
from countinghouse.admins.throttle import (
    Bucket,
    buckets_for,
    buckets_for_code,
    buckets_for_passkey,
    count_guess,
    give_back,
    too_many,
)
from countinghouse.audit.actions import record
from countinghouse.core.db import Database, Transaction
from countinghouse.core.errors import NotSignedIn, Refusal
from countinghouse.core.examples import body_examples
from countinghouse.core.inputs import Body
from countinghouse.core.secrets import hash_secret
from countinghouse.settings import Settings

log = structlog.get_logger()

_CHALLENGE = "kq2Zt9bWc0pXy7Lr4uVnKq2Zt9bWc0pXy7Lr4uVnKq2"


class CodeLogin(Body):
    """The second step, with a code of the authenticator app or a recovery code."""

    model_config = body_examples({"challenge": _CHALLENGE, "code": "492039"})

    challenge: Token
    code: TypedCode


class PasskeyLogin(Body):
    """The second step with a passkey, or the end of a login by passkey alone."""

    model_config = body_examples({"challenge": _CHALLENGE, "passkey": PASSKEY_EXAMPLE})

    challenge: Token
    passkey: PasskeyAnswer


class PasskeyStart(Body):
    """Begins a login by passkey alone."""

    model_config = body_examples({"begin": "passkey"})

    begin: Literal["passkey"]


class _Tried(NamedTuple):
    """A counted attempt. `admin` and `proof` are None where nobody is known, or the answer is wrong."""

    admin: Row[Any] | None
    is_known: bool
    # Where this login was counted, some of them twice: for its password and for its factor.
    buckets: tuple[Bucket, ...]
    wait_seconds: int
    proof: Proof | None = None
    passkey: Row[Any] | None = None


async def start_passkey_login(database: Database, caller: Caller) -> Refusal:
    """What the browser has to send next."""

    async def start(transaction: Transaction) -> tuple[int, str]:
        is_known = await find_device_owner(transaction, caller.device_mark) is not None
        wait_seconds = await count_guess(transaction, _passkey_buckets(caller, is_known=is_known))
        return wait_seconds, "" if wait_seconds else await new_challenge(transaction, Purpose.PASSKEY_LOGIN, None)

    wait_seconds, challenge = await database.write(start)
    return too_many(wait_seconds) if wait_seconds else factor_needed(challenge, [PASSKEY])


async def log_in_with_code(
    database: Database, settings: Settings, caller: Caller, asked: CodeLogin
) -> tuple[Admin, Opened]:
    async def attempt(transaction: Transaction) -> _Tried | None:
        challenge = await try_challenge(transaction, Purpose.LOGIN, asked.challenge)
        if challenge is None or challenge.admin_id is None:
            return None
        tried = await _count(transaction, caller, challenge.admin_id, is_code=True)
        return tried._replace(
            proof=await find_code_proof(transaction, challenge.admin_id, asked.code, accepts_recovery=True)
        )

    tried = await database.write(attempt)
    if tried is None:
        raise _login_expired()
    return await _finish(database, settings, caller, tried, asked.challenge)


async def log_in_with_passkey(
    database: Database, settings: Settings, caller: Caller, asked: PasskeyLogin, origin: str
) -> tuple[Admin, Opened]:
    async def attempt(transaction: Transaction) -> _Tried | None:
        passkey = await find_passkey(transaction, asked.passkey)
        challenge = await try_challenge(transaction, Purpose.LOGIN, asked.challenge)
        if challenge is not None and challenge.admin_id is not None:
            is_own = passkey is not None and passkey.admin_id == challenge.admin_id
            tried = await _count(transaction, caller, challenge.admin_id, is_code=False)
            return tried._replace(passkey=passkey if is_own else None)
        if await try_challenge(transaction, Purpose.PASSKEY_LOGIN, asked.challenge) is None:
            return None
        owner = await find_device_owner(transaction, caller.device_mark)
        admin = None if passkey is None else await find_admin_by_id(transaction, passkey.admin_id)
        is_known = admin is not None and owner == admin.id
        buckets = _passkey_buckets(caller, is_known=owner is not None)
        return _Tried(admin, is_known, buckets, wait_seconds=0, passkey=passkey)

    tried = await database.write(attempt)
    if tried is None:
        raise _login_expired()
    if tried.passkey is not None and not tried.wait_seconds:
        # Between the transactions: checking a signature takes a while.
        tried = tried._replace(proof=passkey_proof(tried.passkey, asked.passkey, asked.challenge, origin))
    return await _finish(database, settings, caller, tried, asked.challenge)


def _passkey_buckets(caller: Caller, *, is_known: bool) -> tuple[Bucket, ...]:
    return buckets_for_passkey(caller.address, hash_secret(caller.device_mark) if is_known else None)


async def _count(transaction: Transaction, caller: Caller, admin_id: str, *, is_code: bool) -> _Tried:
    admin = await find_admin_by_id(transaction, admin_id)
    is_known = await find_device_owner(transaction, caller.device_mark) == admin_id
    key = "" if admin is None else admin.username_key
    device = hash_secret(caller.device_mark) if is_known else None
    by_password = await buckets_for(transaction, key, caller.address, device)
    buckets = by_password + buckets_for_code(device) if is_code else by_password
    wait_seconds = await count_guess(transaction, buckets)
    return _Tried(admin, is_known, (*buckets, *by_password), wait_seconds)


async def _finish(
    database: Database, settings: Settings, caller: Caller, tried: _Tried, challenge: str
) -> tuple[Admin, Opened]:
    if tried.wait_seconds:
        raise too_many(tried.wait_seconds)
    proof = tried.proof
    if proof is None:
        await _note_refusal(database, caller, tried.admin)
        raise factor_refused()

    async def finish(transaction: Transaction) -> tuple[Admin, Opened]:
        # Locks the row: a concurrent password change or disable is either visible here or ends this session too.
        await lock_admin(transaction, proof.admin_id)
        admin = await find_admin_by_id(transaction, proof.admin_id)
        if admin is None or admin.disabled_at is not None or not await use_proof(transaction, proof):
            raise factor_refused()
        if not await use_up(transaction, challenge):
            raise _login_expired()
        await give_back(transaction, tried.buckets)
        opened = await open_session(
            transaction,
            caller.actor(admin.username),
            admin.id,
            settings,
            new_device=not tried.is_known,
            device=caller.device,
            factor=proof.kind,
        )
        return Admin(admin.id, admin.username, Role(admin.role), admin.has_factor), opened

    try:
        return await database.write(finish)
    except NotSignedIn:
        await _note_refusal(database, caller, tried.admin)
        raise


async def _note_refusal(database: Database, caller: Caller, admin: Row[Any] | None) -> None:
    """Whoever gets here for a named admin knows the password, so the audit log keeps it."""
    log.warning("second_factor_refused", address=str(caller.address))
    if admin is not None:
        actor = caller.actor(admin.username)
        await database.write(lambda transaction: record(transaction, actor, AdminVerb.FACTOR_REFUSED, admin.id))


def factor_refused() -> NotSignedIn:
    return NotSignedIn("factor_refused", NOT_ACCEPTED)


def _login_expired() -> NotSignedIn:
    return NotSignedIn("login_expired", "This login took too long, or had too many attempts. Start again.")
