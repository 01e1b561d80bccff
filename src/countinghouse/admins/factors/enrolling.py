"""Setting up and removing second factors. Each change ends the admin's other sessions."""

import time
from datetime import timedelta
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update

from countinghouse.admins.actions import AdminVerb, end_all_sessions
from countinghouse.admins.dependencies import SessionOfAdmin
from countinghouse.admins.factors import codes
from countinghouse.admins.factors.challenges import use_up
from countinghouse.admins.factors.proofs import PASSKEY, TOTP, read_factors
from countinghouse.admins.factors.tables import passkeys, recovery_codes, totp_secrets
from countinghouse.admins.queries import Admin, get_admin, get_own, is_factor_required, lock_admin
from countinghouse.admins.tables import admins
from countinghouse.admins.throttle import buckets_for_session, count_guess, give_back, too_many
from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import AlreadyThere, Database, Statement, Transaction
from countinghouse.core.errors import Conflict, InvalidInput, NotFound
from countinghouse.core.ids import new_id
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import alive, now

MOST_PASSKEYS = 10
# For the first code of an authenticator app.
PENDING_LASTS = timedelta(minutes=10)

_FORGET_SECRET = Statement(delete(totp_secrets).where(totp_secrets.c.admin_id == bindparam("of")))
_FORGET_PENDING = Statement(
    delete(totp_secrets).where(totp_secrets.c.admin_id == bindparam("of"), totp_secrets.c.confirmed_at.is_(None))
)
_FORGET_CODES = Statement(delete(recovery_codes).where(recovery_codes.c.admin_id == bindparam("of")))
_FORGET_PASSKEYS = Statement(delete(passkeys).where(passkeys.c.admin_id == bindparam("of")))
_PENDING = Statement(
    select(totp_secrets.c.secret, totp_secrets.c.created_at).where(
        totp_secrets.c.admin_id == bindparam("of"), totp_secrets.c.confirmed_at.is_(None)
    )
)
_CONFIRM = Statement(
    update(totp_secrets)
    .where(totp_secrets.c.admin_id == bindparam("of"), totp_secrets.c.confirmed_at.is_(None))
    .values(confirmed_at=bindparam("at"), last_step=bindparam("step"))
)
_SET_HAS_FACTOR = Statement(update(admins).where(admins.c.id == bindparam("of")).values(has_factor=bindparam("has")))


async def start_totp(transaction: Transaction, admin: Admin) -> str:
    """A new secret. It becomes a factor when its first code is entered."""
    await lock_admin(transaction, admin.id)
    if (await read_factors(transaction, admin.id)).has_totp:
        raise Conflict("totp_exists", "You already have an authenticator app. Remove it before you set up another.")
    await transaction.execute(_FORGET_SECRET, {"of": admin.id})
    secret = codes.new_secret()
    await transaction.execute(
        insert(totp_secrets).values(admin_id=admin.id, secret=secret, created_at=await transaction.now(), last_step=0)
    )
    return secret


async def confirm_totp(database: Database, owner: SessionOfAdmin, typed: str) -> list[str]:
    """Returns new recovery codes if the admin had none. Attempts are counted per session."""
    buckets = buckets_for_session(owner.session_hash)
    wait_seconds = await database.write(lambda transaction: count_guess(transaction, buckets))
    if wait_seconds:
        raise too_many(wait_seconds)
    of = {"of": owner.admin.id}

    async def confirm(transaction: Transaction) -> list[str]:
        await lock_admin(transaction, owner.admin.id)
        pending = await transaction.first(_PENDING, of)
        if pending is None:
            raise Conflict("totp_not_started", "Start again: scan a new QR code with your authenticator app.")
        if not alive(await transaction.now(), PENDING_LASTS).includes(pending.created_at):
            minutes = PENDING_LASTS // timedelta(minutes=1)
            message = f"This QR code is older than {minutes} minutes. Start again and scan a new one."
            raise Conflict("totp_expired", message)
        code = codes.app_code(typed)
        step = None if code is None else codes.find_step(pending.secret, code, time.time())
        if step is None:
            message = "This code is not right. Check the clock of your phone and enter the next code."
            raise InvalidInput({"code": message})
        await transaction.execute(_CONFIRM, of | {"at": now(), "step": step})
        await give_back(transaction, buckets)
        return await _added(transaction, owner, {"factor": TOTP})

    return await database.write(confirm)


async def add_passkey(
    transaction: Transaction,
    owner: SessionOfAdmin,
    challenge: str,
    name: str,
    credential_id: bytes,
    public_key: bytes,
    sign_count: int,
) -> list[str]:
    """Returns new recovery codes if the admin had none."""
    await lock_admin(transaction, owner.admin.id)
    if not await use_up(transaction, challenge):
        raise challenge_ended()
    if len((await read_factors(transaction, owner.admin.id)).passkeys) >= MOST_PASSKEYS:
        raise Conflict("too_many_passkeys", f"You already have {MOST_PASSKEYS} passkeys. Remove one first.")
    row = {
        "id": new_id(),
        "admin_id": owner.admin.id,
        "credential_id": credential_id,
        "public_key": public_key,
        "sign_count": sign_count,
        "name": name,
        "created_at": now(),
    }
    try:
        await transaction.execute(insert(passkeys).values(row))
    except AlreadyThere as error:
        raise Conflict("passkey_exists", "This passkey is already set up.") from error
    return await _added(transaction, owner, {"factor": PASSKEY, "name": name})


async def remove_totp(transaction: Transaction, owner: SessionOfAdmin) -> None:
    await lock_admin(transaction, owner.admin.id)
    if not (await read_factors(transaction, owner.admin.id)).has_totp:
        raise NotFound("totp_not_found", "You have no authenticator app set up.")
    await transaction.execute(_FORGET_SECRET, {"of": owner.admin.id})
    await _removed(transaction, owner, {"factor": TOTP})


async def remove_passkey(transaction: Transaction, owner: SessionOfAdmin, passkey_id: str) -> None:
    await lock_admin(transaction, owner.admin.id)
    missing = NotFound("passkey_not_found", "You have no such passkey.")
    row = await get_own(transaction, passkeys, owner.admin.id, passkey_id, missing)
    await transaction.execute(delete(passkeys).where(passkeys.c.id == row.id))
    await _removed(transaction, owner, {"factor": PASSKEY, "name": row.name})


async def make_recovery_codes(transaction: Transaction, owner: SessionOfAdmin) -> list[str]:
    """The old ones stop working."""
    await lock_admin(transaction, owner.admin.id)
    if not (await read_factors(transaction, owner.admin.id)).ways:
        raise Conflict("no_factor", "Set up an authenticator app or a passkey first.")
    made = await _replace_codes(transaction, owner.admin.id)
    await record(transaction, owner.actor, AdminVerb.RECOVERY_CODES_MADE, owner.admin.id)
    await end_all_sessions(transaction, owner.admin.id, but=owner.session_hash)
    return made


async def reset_factors(transaction: Transaction, actor: Actor, username: str) -> None:
    """For somebody else's account, whose devices are lost. The next login needs the password only."""
    admin = await get_admin(transaction, username)
    await lock_admin(transaction, admin.id)
    for statement in (_FORGET_SECRET, _FORGET_CODES, _FORGET_PASSKEYS):
        await transaction.execute(statement, {"of": admin.id})
    await transaction.execute(_SET_HAS_FACTOR, {"of": admin.id, "has": False})
    await end_all_sessions(transaction, admin.id)
    await record(transaction, actor, AdminVerb.FACTORS_RESET, admin.id)


def challenge_ended() -> Conflict:
    return Conflict("challenge_ended", "This took too long, or was answered already. Start again.")


async def _added(transaction: Transaction, owner: SessionOfAdmin, what: dict[str, Any]) -> list[str]:
    await transaction.execute(_SET_HAS_FACTOR, {"of": owner.admin.id, "has": True})
    # A set-up that began before this factor did not need it.
    await transaction.execute(_FORGET_PENDING, {"of": owner.admin.id})
    await record(transaction, owner.actor, AdminVerb.FACTOR_ADDED, owner.admin.id, after=what)
    await end_all_sessions(transaction, owner.admin.id, but=owner.session_hash)
    if (await read_factors(transaction, owner.admin.id)).recovery_codes_left:
        return []
    await record(transaction, owner.actor, AdminVerb.RECOVERY_CODES_MADE, owner.admin.id)
    return await _replace_codes(transaction, owner.admin.id)


async def _removed(transaction: Transaction, owner: SessionOfAdmin, what: dict[str, Any]) -> None:
    left = await read_factors(transaction, owner.admin.id)
    has_factor = left.has_totp or bool(left.passkeys)
    if not has_factor:
        if await is_factor_required(transaction):
            message = "This desk requires a second factor. Set up another one before you remove your last."
            raise Conflict("factor_required", message)
        await transaction.execute(_FORGET_CODES, {"of": owner.admin.id})
    await transaction.execute(_SET_HAS_FACTOR, {"of": owner.admin.id, "has": has_factor})
    await record(transaction, owner.actor, AdminVerb.FACTOR_REMOVED, owner.admin.id, before=what)
    await end_all_sessions(transaction, owner.admin.id, but=owner.session_hash)


async def _replace_codes(transaction: Transaction, admin_id: str) -> list[str]:
    await transaction.execute(_FORGET_CODES, {"of": admin_id})
    made = codes.new_recovery_codes()
    rows = [{"admin_id": admin_id, "code_hash": hash_secret(code.replace("-", ""))} for code in made]
    await transaction.execute(Statement(insert(recovery_codes)), rows)
    return made
