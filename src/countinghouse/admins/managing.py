"""The calls of the Admins screen, and the open one that accepts an invitation."""

from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import Field, with_config
from sqlalchemy import Row, func, select
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from countinghouse.admins import actions, inviting
from countinghouse.admins.dependencies import ActingAdmin, SignedIn, desk_router, needs
from countinghouse.admins.factors.enrolling import reset_factors
from countinghouse.admins.factors.step_up import needs_step_up
from countinghouse.admins.names import NewUsername, Username
from countinghouse.admins.networks import refuse_elsewhere
from countinghouse.admins.passwords import LONGEST_PASSWORD, hash_password
from countinghouse.admins.permissions import ADMINS_MANAGE, ADMINS_READ, Role
from countinghouse.admins.tables import admins, invitations, sessions
from countinghouse.core.db import Reader, Transaction
from countinghouse.core.errors import NotFound
from countinghouse.core.examples import body_examples
from countinghouse.core.http.answers import errors
from countinghouse.core.http.bodies import SHORT_BODY_BYTES
from countinghouse.core.http.requests import client_address, get_database, get_settings
from countinghouse.core.http.routers import INVALID, open_router
from countinghouse.core.ids import is_id
from countinghouse.core.inputs import Body
from countinghouse.core.lanes import Lane
from countinghouse.core.times import iso

router = desk_router("/api/admins", "admins", SignedIn(ADMINS_READ))
# Open: the token of the link is the credential.
invitation_router = open_router("/api/invitations", "admins", responses=INVALID)

BODY_LIMITS = {f"{invitation_router.prefix}/*": SHORT_BODY_BYTES}

_CHANGES = [*needs(ADMINS_MANAGE), *needs_step_up("admins.manage")]


@with_config(
    json_schema_extra={
        "examples": [
            {
                "_id": "6917e2f4a1b2c3d4e5000009",
                "username": "asha",
                "role": "owner",
                "state": "active",
                "since": "2026-11-15T02:52:36.120Z",
                "lastSeenAt": "2026-11-15T02:52:36.120Z",
            }
        ]
    }
)
class ShownAdmin(TypedDict):
    """`_id` is null for somebody who is invited and has not set a password yet."""

    _id: str | None
    username: str
    role: Role
    state: Literal["active", "disabled", "invited"]
    since: str
    lastSeenAt: str | None


@with_config(
    json_schema_extra={
        "examples": [{"username": "meera", "link": "/Invite#kq2Zt9bWc0pX", "expiresAt": "2026-11-16T02:52:36.120Z"}]
    }
)
class Invitation(TypedDict):
    """The link is in no other answer."""

    username: str
    link: str
    expiresAt: str


AskedRole = Annotated[Role, Field(strict=False)]


class NewInvitation(Body):
    model_config = body_examples({"username": "meera", "role": "reviewer"})

    username: NewUsername
    role: AskedRole


class RoleChange(Body):
    model_config = body_examples({"role": "payer"})

    role: AskedRole


class OpenedLink(Body):
    model_config = body_examples({"token": "kq2Zt9bWc0pXy7Lr4uVn"})

    token: Annotated[str, Field(min_length=1, max_length=100)]


class AcceptedLink(OpenedLink):
    model_config = body_examples({"token": "kq2Zt9bWc0pXy7Lr4uVn", "password": "a long sentence"})

    username: Annotated[NewUsername | None, Field(description="Only for the first owner, who chooses it.")] = None
    password: Annotated[str, Field(min_length=1, max_length=LONGEST_PASSWORD)]


@with_config(json_schema_extra={"examples": [{"username": "meera", "role": "reviewer"}]})
class LinkShown(TypedDict):
    """`username` is null for the first owner, who chooses it."""

    username: str | None
    role: Role


@with_config(json_schema_extra={"examples": [{"username": "meera"}]})
class Welcome(TypedDict):
    username: str


_SEEN = select(func.max(sessions.c.last_seen_at)).where(sessions.c.admin_id == admins.c.id).scalar_subquery()


async def _list(reader: Reader) -> list[ShownAdmin]:
    rows = await reader.rows(select(admins, _SEEN.label("seen_at")).order_by(admins.c.username_key))
    at = await reader.now()
    asked = select(invitations).where(invitations.c.username.is_not(None), invitations.c.expires_at > at)
    known = {row.username_key for row in rows}
    return [
        *(_shown(row) for row in rows),
        *(
            ShownAdmin(
                _id=None,
                username=row.username,
                role=Role(row.role),
                state="invited",
                since=iso(row.created_at),
                lastSeenAt=None,
            )
            for row in await reader.rows(asked.order_by(invitations.c.username_key))
            if row.username_key not in known
        ),
    ]


def _shown(row: Row[Any]) -> ShownAdmin:
    return {
        "_id": row.id,
        "username": row.username,
        "role": Role(row.role),
        "state": "active" if row.disabled_at is None else "disabled",
        "since": iso(row.created_at),
        "lastSeenAt": None if row.seen_at is None else iso(row.seen_at),
    }


async def _get(reader: Reader, admin_id: str) -> Row[Any]:
    found = await reader.first(select(admins).where(admins.c.id == admin_id)) if is_id(admin_id) else None
    if found is None:
        raise NotFound("admin_not_found", "There is no such admin. Reload the list.")
    return found


@router.get("", summary="Every admin, and those who are invited")
async def list_every_admin(request: Request) -> list[ShownAdmin]:
    return await get_database(request).read(_list)


@router.post("", status_code=201, summary="Invite an admin", responses=errors(409), dependencies=_CHANGES)
async def invite_admin(asked: NewInvitation, actor: ActingAdmin, request: Request) -> Invitation:
    path, expires_at = await get_database(request).write(
        lambda transaction: inviting.invite(transaction, actor, asked.username, asked.role)
    )
    return _link(request, asked.username, path, iso(expires_at))


@router.delete("/invitations/{username}", status_code=204, summary="Withdraw an invitation", dependencies=_CHANGES)
async def withdraw_invitation(username: Username, actor: ActingAdmin, request: Request) -> None:
    await get_database(request).write(lambda transaction: inviting.withdraw_invitation(transaction, actor, username))


@router.post(
    "/{admin_id}/reset",
    status_code=201,
    summary="Make a link with which the admin sets a new password",
    responses=errors(404),
    dependencies=_CHANGES,
)
async def reset_admin(admin_id: str, actor: ActingAdmin, request: Request) -> Invitation:
    async def offer(transaction: Transaction) -> tuple[str, str, str]:
        admin = await _get(transaction, admin_id)
        path, expires_at = await inviting.offer_reset(transaction, actor, admin)
        return admin.username, path, iso(expires_at)

    return _link(request, *await get_database(request).write(offer))


@router.post(
    "/{admin_id}/reset-factors",
    status_code=204,
    summary="Remove an admin's second factors, for example after a lost phone",
    responses=errors(404, 409),
    dependencies=_CHANGES,
)
async def reset_admin_factors(admin_id: str, actor: ActingAdmin, request: Request) -> None:
    async def reset(transaction: Transaction) -> None:
        await reset_factors(transaction, actor, (await _get(transaction, admin_id)).username)

    await get_database(request).write(reset)


@router.put(
    "/{admin_id}/role", status_code=204, summary="Change a role", responses=errors(404, 409), dependencies=_CHANGES
)
async def change_admin_role(admin_id: str, asked: RoleChange, actor: ActingAdmin, request: Request) -> None:
    async def change(transaction: Transaction) -> None:
        await actions.change_role(transaction, actor, (await _get(transaction, admin_id)).username, asked.role)

    await get_database(request).write(change)


@router.post(
    "/{admin_id}/disable",
    status_code=204,
    summary="Stop an admin from logging in, and end their sessions",
    responses=errors(404, 409),
    dependencies=_CHANGES,
)
async def disable_one_admin(admin_id: str, actor: ActingAdmin, request: Request) -> None:
    async def disable(transaction: Transaction) -> None:
        await actions.disable_admin(transaction, actor, (await _get(transaction, admin_id)).username)

    await get_database(request).write(disable)


@router.post(
    "/{admin_id}/enable",
    status_code=204,
    summary="Let a disabled admin log in again",
    responses=errors(404, 409),
    dependencies=_CHANGES,
)
async def enable_one_admin(admin_id: str, actor: ActingAdmin, request: Request) -> None:
    async def enable(transaction: Transaction) -> None:
        await actions.enable_admin(transaction, actor, (await _get(transaction, admin_id)).username)

    await get_database(request).write(enable)


@invitation_router.post("/open", summary="Who an invitation is for", responses=errors(403, 409, 410))
async def open_invitation(asked: OpenedLink, request: Request) -> LinkShown:
    await refuse_elsewhere(request)
    found = await get_database(request).write(lambda transaction: inviting.get_invitation(transaction, asked.token))
    return {"username": found.username, "role": Role(found.role)}


@invitation_router.post(
    "/accept", status_code=201, summary="Set the password of an invited admin", responses=errors(403, 409, 410)
)
async def accept_invitation(asked: AcceptedLink, request: Request) -> Welcome:
    await refuse_elsewhere(request)
    database, address = get_database(request), str(client_address(request, get_settings(request).trusted_proxies))
    # Before the password is hashed: a stranger without a link must not make the server compute anything.
    await database.write(lambda transaction: inviting.get_invitation(transaction, asked.token))
    lane: Lane = request.app.state.known_logins
    async with lane.turn():
        password_hash = await run_in_threadpool(hash_password, asked.password)
    username = await database.write(
        lambda transaction: inviting.accept(transaction, asked.token, asked.username, password_hash, address)
    )
    return {"username": username}


def _link(request: Request, username: str, path: str, expires_at: str) -> Invitation:
    return {"username": username, "link": get_settings(request).public_url + path, "expiresAt": expires_at}
