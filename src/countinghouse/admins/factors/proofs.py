"""Proofs: whether a code or a passkey is right, and using it up in the transaction of what it proves."""

import time
from typing import Annotated, Any, NamedTuple

from pydantic import Field
from sqlalchemy import Row, and_, bindparam, func, or_, select, update

from countinghouse.admins.factors import codes
from countinghouse.admins.factors import passkeys as webauthn
from countinghouse.admins.factors.passkeys import PasskeyAnswer
from countinghouse.admins.factors.tables import passkeys, recovery_codes, totp_secrets
from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.times import now

TypedCode = Annotated[str, Field(min_length=6, max_length=40)]

# More than phones and servers differ.
STEPS_AHEAD = 4 * codes.DRIFT_STEPS

TOTP, RECOVERY, PASSKEY = "totp", "recovery", "passkey"

NOT_ACCEPTED = "This was not accepted. Try again. A code works once, for half a minute: wait for the next one."

_SECRET = Statement(
    select(totp_secrets.c.secret).where(
        totp_secrets.c.admin_id == bindparam("of"), totp_secrets.c.confirmed_at.is_not(None)
    )
)
_PASSKEY = Statement(select(passkeys).where(passkeys.c.credential_id == bindparam("credential")))
_PASSKEYS = Statement(select(passkeys).where(passkeys.c.admin_id == bindparam("of")).order_by(passkeys.c.id))
_CODES_LEFT = Statement(
    select(func.count())
    .select_from(recovery_codes)
    .where(recovery_codes.c.admin_id == bindparam("of"), recovery_codes.c.used_at.is_(None))
)


class Factors(NamedTuple):
    """What an admin has set up."""

    has_totp: bool
    passkeys: list[Row[Any]]
    recovery_codes_left: int

    @property
    def ways(self) -> list[str]:
        """The ways to answer at login."""
        ways = {TOTP: self.has_totp, PASSKEY: bool(self.passkeys), RECOVERY: self.recovery_codes_left > 0}
        return [way for way, is_set in ways.items() if is_set]


async def read_factors(reader: Reader, admin_id: str) -> Factors:
    of = {"of": admin_id}
    return Factors(
        await reader.scalar(_SECRET, of) is not None,
        await reader.rows(_PASSKEYS, of),
        await reader.scalar(_CODES_LEFT, of),
    )


class Proof(NamedTuple):
    """A right answer that is not used up yet. `number` is the time step of the code, or the passkey's new count."""

    kind: str
    admin_id: str
    number: int = 0
    code_hash: bytes = b""
    passkey_id: str = ""


async def find_code_proof(reader: Reader, admin_id: str, typed: str, *, accepts_recovery: bool) -> Proof | None:
    code = codes.app_code(typed)
    if code is not None:
        secret = await reader.scalar(_SECRET, {"of": admin_id})
        step = None if secret is None else codes.find_step(secret, code, time.time())
        return None if step is None else Proof(TOTP, admin_id, step)
    code_hash = codes.recovery_hash(typed) if accepts_recovery else None
    return None if code_hash is None else Proof(RECOVERY, admin_id, code_hash=code_hash)


async def find_passkey(reader: Reader, answer: PasskeyAnswer) -> Row[Any] | None:
    credential = webauthn.credential_bytes(answer.rawId)
    return None if credential is None else await reader.first(_PASSKEY, {"credential": credential})


def passkey_proof(stored: Row[Any], answer: PasskeyAnswer, challenge: str, origin: str) -> Proof | None:
    """Not for the inside of a transaction: checking a signature takes a while."""
    count = webauthn.verified_assertion(answer, challenge, origin, stored.public_key, stored.sign_count)
    return None if count is None else Proof(PASSKEY, stored.admin_id, count, passkey_id=stored.id)


# Each WHERE clause is the lock: of two requests with the same code, one updates the row.
_USE_STEP = Statement(
    update(totp_secrets)
    .where(
        totp_secrets.c.admin_id == bindparam("of"),
        totp_secrets.c.confirmed_at.is_not(None),
        # A step far ahead was stored before the clock was set back; it must not refuse every code until then.
        or_(totp_secrets.c.last_step < bindparam("step"), totp_secrets.c.last_step > bindparam("ahead")),
    )
    .values(last_step=bindparam("step"))
)
_USE_CODE = Statement(
    update(recovery_codes)
    .where(
        recovery_codes.c.admin_id == bindparam("of"),
        recovery_codes.c.code_hash == bindparam("typed_hash"),
        recovery_codes.c.used_at.is_(None),
    )
    .values(used_at=bindparam("at"))
)
_USE_PASSKEY = Statement(
    update(passkeys)
    .where(
        passkeys.c.id == bindparam("key"),
        passkeys.c.admin_id == bindparam("of"),
        or_(
            passkeys.c.sign_count < bindparam("count"),
            and_(passkeys.c.sign_count == 0, bindparam("count", type_=passkeys.c.sign_count.type) == 0),
        ),
    )
    .values(sign_count=bindparam("count"), last_used_at=bindparam("at"))
)


async def use_proof(transaction: Transaction, proof: Proof) -> bool:
    """False if somebody else has used it meanwhile, or the factor was removed."""
    match proof.kind:
        case "totp":
            step = {"step": proof.number, "ahead": proof.number + STEPS_AHEAD}
            used = await transaction.execute(_USE_STEP, {"of": proof.admin_id, **step})
        case "recovery":
            values = {"of": proof.admin_id, "typed_hash": proof.code_hash, "at": now()}
            used = await transaction.execute(_USE_CODE, values)
        case _:
            values = {"key": proof.passkey_id, "of": proof.admin_id, "count": proof.number, "at": now()}
            used = await transaction.execute(_USE_PASSKEY, values)
    return used == 1
