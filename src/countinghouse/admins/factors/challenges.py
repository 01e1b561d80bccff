"""Challenges: short-lived, bound to one admin and one purpose, and used up by the first right answer.

The token of a challenge is also what a passkey signs. Only its hash is stored.
"""

import secrets
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field
from sqlalchemy import and_, bindparam, delete, insert, update

from countinghouse.admins.factors.tables import factor_challenges
from countinghouse.core.db import Statement, Transaction
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import CLOCKS_DIFFER

LASTS = timedelta(minutes=5)
MOST_TRIES = 5
UNBOUND = bytes(32)

Token = Annotated[str, Field(min_length=43, max_length=43, pattern=r"^[A-Za-z0-9_-]+$")]


class Purpose(StrEnum):
    LOGIN = "login"
    PASSKEY_LOGIN = "passkey-login"
    ENROLMENT = "enrolment"
    STEP_UP = "step-up"


class Challenge(NamedTuple):
    token: str
    # None for a login by passkey alone.
    admin_id: str | None


_INSERT = Statement(insert(factor_challenges))
# One that lasts longer than any can was made before the clock was set back.
_IS_VALID = and_(
    factor_challenges.c.expires_at > bindparam("at"), factor_challenges.c.expires_at <= bindparam("latest")
)
_SWEEP = Statement(delete(factor_challenges).where(~_IS_VALID))


def _valid_at(at: datetime) -> dict[str, datetime]:
    return {"at": at, "latest": at + LASTS + CLOCKS_DIFFER}


_TRY = Statement(
    update(factor_challenges)
    .where(
        factor_challenges.c.token_hash == bindparam("of"),
        factor_challenges.c.purpose == bindparam("for_purpose"),
        factor_challenges.c.bound_to == bindparam("binding"),
        factor_challenges.c.tries_left > 0,
        _IS_VALID,
    )
    .values(tries_left=factor_challenges.c.tries_left - 1)
    .returning(factor_challenges.c.admin_id)
)
_USE_UP = Statement(delete(factor_challenges).where(factor_challenges.c.token_hash == bindparam("of"), _IS_VALID))
_WITHDRAW = Statement(delete(factor_challenges).where(factor_challenges.c.admin_id == bindparam("of_admin")))


async def new_challenge(
    transaction: Transaction, purpose: Purpose, admin_id: str | None, bound_to: bytes = UNBOUND
) -> str:
    at, token = await transaction.now(), secrets.token_urlsafe(32)
    await transaction.execute(_SWEEP, _valid_at(at))
    row = {
        "token_hash": hash_secret(token),
        "purpose": purpose.value,
        "admin_id": admin_id,
        "bound_to": bound_to,
        "tries_left": MOST_TRIES,
        "expires_at": at + LASTS,
    }
    await transaction.execute(_INSERT, row)
    return token


async def try_challenge(
    transaction: Transaction, purpose: Purpose, token: str, bound_to: bytes = UNBOUND
) -> Challenge | None:
    """Counts one try. None if the challenge is unknown, too old, used up, or of something else."""
    asked = {"of": hash_secret(token), "for_purpose": purpose.value, "binding": bound_to}
    found = await transaction.all(_TRY, asked | _valid_at(await transaction.now()))
    return Challenge(token, found[0][0]) if found else None


async def use_up(transaction: Transaction, token: str) -> bool:
    """Of two answers at the same time, one gets True."""
    used = {"of": hash_secret(token)} | _valid_at(await transaction.now())
    return await transaction.execute(_USE_UP, used) == 1


async def withdraw_challenges(transaction: Transaction, admin_id: str) -> None:
    """After a change of the password or of a factor: what was begun before must begin again."""
    await transaction.execute(_WITHDRAW, {"of_admin": admin_id})
