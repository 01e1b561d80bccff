"""An admin's own account: password and sessions."""

from typing import Annotated, cast

from fastapi import Request
from pydantic import Field
from typing_extensions import TypedDict

from countinghouse.admins.actions import change_password
from countinghouse.admins.dependencies import CurrentAdmin, Myself, SignedIn, desk_router
from countinghouse.admins.factors.confirming import check_password
from countinghouse.admins.factors.proofs import read_factors
from countinghouse.admins.factors.step_up import needs_step_up
from countinghouse.admins.own_sessions import OwnSession, end_other_sessions, end_own_session, list_own_sessions
from countinghouse.admins.passwords import LONGEST_PASSWORD, SHORTEST_PASSWORD, make_hash
from countinghouse.admins.permissions import OWN
from countinghouse.admins.queries import find_admin_by_id, is_factor_required, lock_admin
from countinghouse.core.db import Transaction
from countinghouse.core.errors import Conflict
from countinghouse.core.examples import Example, body_examples, described
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database, get_settings
from countinghouse.core.inputs import Body
from countinghouse.core.lanes import Lane
from countinghouse.core.times import iso

# Works as well for an admin who still has to set up a second factor.
router = desk_router("/api/admin", "admins", SignedIn(OWN, while_enrolling=True))

Password = Annotated[str, Field(min_length=1, max_length=LONGEST_PASSWORD)]


@described
class OwnPasskey(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000007")]
    name: Annotated[str, Example("My phone")]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    lastUsedAt: Annotated[str | None, Example(None)]


@described
class Account(TypedDict):
    username: Annotated[str, Example("asha")]
    hasTotp: Annotated[bool, Example(True)]
    passkeys: list[OwnPasskey]
    recoveryCodesLeft: Annotated[int, Example(10)]
    isFactorRequired: Annotated[bool, Example(False)]


@described
class EndedSessions(TypedDict):
    ended: Annotated[int, Example(2)]


class PasswordChange(Body):
    model_config = body_examples({"current": "a long sentence", "new": "another long sentence"})

    current: Password
    new: Annotated[str, Field(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD)]


@router.get("/account", summary="Your second factors")
async def read_account(admin: CurrentAdmin, request: Request) -> Account:
    database = get_database(request)
    factors = await database.read(lambda reader: read_factors(reader, admin.id))
    return {
        "username": admin.username,
        "hasTotp": factors.has_totp,
        "passkeys": [
            {
                "_id": row.id,
                "name": row.name,
                "createdAt": iso(row.created_at),
                "lastUsedAt": iso(row.last_used_at) if row.last_used_at else None,
            }
            for row in factors.passkeys
        ],
        "recoveryCodesLeft": factors.recovery_codes_left,
        "isFactorRequired": await database.read(is_factor_required),
    }


@router.get("/account/sessions", summary="Your open sessions, the last used first")
async def list_sessions(who: Myself, request: Request) -> list[OwnSession]:
    settings = get_settings(request)
    return await get_database(request).read(
        lambda reader: list_own_sessions(reader, settings, who.admin.id, who.session_hash)
    )


@router.delete("/account/sessions", summary="End all your other sessions")
async def end_others(who: Myself, request: Request) -> EndedSessions:
    ended = await get_database(request).write(
        lambda transaction: end_other_sessions(transaction, who.actor, who.admin, who.session_hash)
    )
    return {"ended": ended}


@router.delete("/account/sessions/{session_id}", status_code=204, summary="End a session", responses=errors(404))
async def end_one(session_id: str, who: Myself, request: Request) -> None:
    await get_database(request).write(
        lambda transaction: end_own_session(transaction, who.actor, who.admin, session_id)
    )


@router.put(
    "/account/password",
    status_code=204,
    summary="Change your password; your other sessions end",
    responses=errors(409, 429),
    dependencies=needs_step_up("account.password"),
)
async def change_own_password(asked: PasswordChange, who: Myself, request: Request) -> None:
    database = get_database(request)
    async with cast(Lane, request.app.state.logins).turn():
        old_hash = await check_password(database, who, asked.current, "current")
        new_hash = await make_hash(asked.new)

    async def change(transaction: Transaction) -> None:
        await lock_admin(transaction, who.admin.id)
        # Hashing took a while. Meanwhile somebody else may have changed it, because it has leaked.
        current = await find_admin_by_id(transaction, who.admin.id)
        if current is None or current.password_hash != old_hash:
            raise Conflict("password_changed", "Your password was changed meanwhile. Log in again.")
        await change_password(transaction, who.actor, who.admin.username, new_hash, but=who.session_hash)

    await database.write(change)
