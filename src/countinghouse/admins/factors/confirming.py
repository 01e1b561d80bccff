"""Proving again, within a session, who is there: by the password, or by a second factor for a step-up."""

from hashlib import sha256
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Row

from countinghouse.admins.actions import AdminVerb
from countinghouse.admins.dependencies import SessionOfAdmin
from countinghouse.admins.factors.challenges import Purpose, Token, new_challenge, try_challenge, use_up
from countinghouse.admins.factors.passkeys import PASSKEY_EXAMPLE, PasskeyAnswer
from countinghouse.admins.factors.proofs import (
    NOT_ACCEPTED,
    Proof,
    TypedCode,
    find_code_proof,
    find_passkey,
    passkey_proof,
    use_proof,
)
from countinghouse.admins.factors.step_up import ACTIONS, grant, what_is_confirmed
from countinghouse.admins.passwords import is_password
from countinghouse.admins.queries import find_admin_by_id, lock_admin
from countinghouse.admins.throttle import buckets_for_session, count_guess, give_back, too_many
from countinghouse.audit.actions import record
from countinghouse.core.db import Database, Transaction
from countinghouse.core.errors import Conflict, Forbidden, InvalidInput
from countinghouse.core.examples import body_examples
from countinghouse.core.inputs import Body


async def check_password(database: Database, who: SessionOfAdmin, password: str, field: str) -> str:
    """Returns the hash that it was compared with. Attempts are counted per session."""
    buckets = buckets_for_session(who.session_hash)

    async def count(transaction: Transaction) -> tuple[int, Row[Any] | None]:
        return await count_guess(transaction, buckets), await find_admin_by_id(transaction, who.admin.id)

    wait_seconds, admin = await database.write(count)
    if wait_seconds:
        raise too_many(wait_seconds)
    if admin is None or not await is_password(admin.password_hash, password):
        raise InvalidInput({field: "This is not your current password."})
    await database.write(lambda transaction: give_back(transaction, buckets))
    password_hash: str = admin.password_hash
    return password_hash


_SUBJECT = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"


class StepUpSubject(Body):
    """What the answer `step_up_required` named in its fields."""

    model_config = body_examples({"action": "qr.display", "subject": _SUBJECT})

    action: Annotated[str, Field(min_length=1, max_length=40)]
    subject: Annotated[str, Field(min_length=64, max_length=64, pattern="^[0-9a-f]+$")]

    def confirms(self) -> bytes:
        if self.action not in ACTIONS:
            raise InvalidInput({"action": f"action must be one of: {', '.join(ACTIONS)}."})
        return what_is_confirmed(self.action, self.subject)


class CodeStepUp(StepUpSubject):
    """With a code of the authenticator app. Recovery codes are not accepted."""

    model_config = body_examples({"action": "qr.display", "subject": _SUBJECT, "code": "492039"})

    code: TypedCode


class PasskeyStepUp(StepUpSubject):
    """With a passkey that has signed the challenge."""

    model_config = body_examples(
        {
            "action": "qr.display",
            "subject": _SUBJECT,
            "challenge": "kq2Zt9bWc0pXy7Lr4uVnKq2Zt9bWc0pXy7Lr4uVnKq2",
            "passkey": PASSKEY_EXAMPLE,
        }
    )

    challenge: Token
    passkey: PasskeyAnswer


async def challenge_step_up(database: Database, who: SessionOfAdmin, asked: StepUpSubject) -> str:
    """A challenge for a passkey, of use for this session and this action only."""
    bound_to = _binding(who, asked.confirms())
    return await database.write(lambda transaction: new_challenge(transaction, Purpose.STEP_UP, who.admin.id, bound_to))


async def step_up(database: Database, who: SessionOfAdmin, asked: CodeStepUp | PasskeyStepUp, origin: str) -> None:
    """Stores a grant for what is confirmed. Attempts are counted per session."""
    if not who.admin.has_factor:
        raise Conflict("no_factor", "Set up an authenticator app or a passkey first, in My account.")
    confirms, buckets = asked.confirms(), buckets_for_session(who.session_hash)

    async def attempt(transaction: Transaction) -> tuple[int, Proof | None, Row[Any] | None]:
        wait_seconds = await count_guess(transaction, buckets)
        if isinstance(asked, CodeStepUp):
            proof = await find_code_proof(transaction, who.admin.id, asked.code, accepts_recovery=False)
            return wait_seconds, proof, None
        bound_to = _binding(who, confirms)
        challenge = await try_challenge(transaction, Purpose.STEP_UP, asked.challenge, bound_to)
        passkey = await find_passkey(transaction, asked.passkey)
        is_own = challenge is not None and passkey is not None and passkey.admin_id == who.admin.id
        return wait_seconds, None, passkey if is_own else None

    wait_seconds, proof, passkey = await database.write(attempt)
    if wait_seconds:
        raise too_many(wait_seconds)
    if isinstance(asked, PasskeyStepUp) and passkey is not None:
        proof = passkey_proof(passkey, asked.passkey, asked.challenge, origin)

    async def finish(transaction: Transaction) -> bool:
        await lock_admin(transaction, who.admin.id)
        if proof is None or not await use_proof(transaction, proof):
            return False
        if isinstance(asked, PasskeyStepUp) and not await use_up(transaction, asked.challenge):
            return False
        await give_back(transaction, buckets)
        await grant(transaction, who.token, confirms)
        after = {"action": asked.action, "factor": proof.kind}
        await record(transaction, who.actor, AdminVerb.STEP_UP_GRANTED, who.admin.id, after=after)
        return True

    if not await database.write(finish):
        after = {"action": asked.action}
        await database.write(
            lambda transaction: record(transaction, who.actor, AdminVerb.FACTOR_REFUSED, who.admin.id, after=after)
        )
        # Not a 401: the session goes on.
        raise Forbidden("factor_refused", NOT_ACCEPTED)


def _binding(who: SessionOfAdmin, confirms: bytes) -> bytes:
    return sha256(who.session_hash + confirms).digest()
