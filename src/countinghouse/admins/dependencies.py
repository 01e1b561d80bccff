"""Authentication and permissions of routes, and routers that check one of them for every route."""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Request
from fastapi.openapi.models import HTTPBearer as HTTPBearerModel
from fastapi.params import Depends as Dependency
from fastapi.security.base import SecurityBase
from fastapi.security.utils import get_authorization_scheme_param

from countinghouse.admins.permissions import NUMBERS, Permission, refuse_unless
from countinghouse.admins.queries import Admin, factor_missing, get_session
from countinghouse.admins.tokenless import find_tokenless_peer
from countinghouse.audit.actions import Actor
from countinghouse.core.errors import NotSignedIn
from countinghouse.core.http.callers import welcome_caller
from countinghouse.core.http.checked_route import Check, CheckedRoute
from countinghouse.core.http.edge import ACTOR_NAME
from countinghouse.core.http.requests import client_address, get_database, get_settings
from countinghouse.core.http.routers import FORBIDDEN, INVALID, UNSIGNED, open_router
from countinghouse.core.secrets import hash_secret


async def sent_token(request: Request) -> str:
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() != "bearer" or not token:
        raise NotSignedIn("session_required", "Please log in first.")
    return token


class SignedIn(Check, SecurityBase):
    """A session whose admin has this permission. FastAPI describes it as a security scheme; a separate dependency for
    the header would cost a tenth of a page."""

    model = HTTPBearerModel(description="The token that login returns.")
    scheme_name = "HTTPBearer"

    def __init__(self, permission: Permission, *, counts_as_use: bool = True, while_enrolling: bool = False) -> None:
        self.permissions = (permission,)
        # Whether it also works for an admin who still has to set up the second factor that the policy demands.
        self.while_enrolling = while_enrolling
        # Requests that a screen sends without a user action need a session, but do not count as its use.
        self.counts_as_use = counts_as_use

    async def check(self, request: Request) -> None:
        database, settings, token = get_database(request), get_settings(request), await sent_token(request)
        session = await get_session(database, settings, token, counts_as_use=self.counts_as_use)
        welcome_caller(request)
        if session.must_enrol and not self.while_enrolling:
            raise factor_missing()
        admin = session.admin
        refuse_unless(admin.role, self.permissions)
        request.state.admin = admin
        setattr(request.state, ACTOR_NAME, admin.username)
        request.state.must_enrol = session.must_enrol
        request.state.hides_numbers = admin.role not in NUMBERS.roles


class SignedInOrTokenless(SignedIn):
    """The same, or a peer that the operator allows without a token."""

    def __init__(self, permission: Permission, *, is_required: bool = True) -> None:
        super().__init__(permission)
        self.is_required = is_required

    async def check(self, request: Request) -> None:
        if "authorization" not in request.headers:
            peer = find_tokenless_peer(request)
            if peer is not None or not self.is_required:
                request.state.admin, request.state.peer = None, peer
                setattr(request.state, ACTOR_NAME, peer and peer.name)
                return
        await super().check(request)


class Needs(Check):
    """A permission that a route needs beyond that of its router. With several, one of them is enough."""

    def __init__(self, *permissions: Permission) -> None:
        self.permissions = permissions

    async def check(self, request: Request) -> None:
        # None is a peer without a token, which the operator allows and the router has accepted.
        if request.state.admin is not None:
            refuse_unless(request.state.admin.role, self.permissions)


def needs(*permissions: Permission) -> list[Dependency]:
    """For the `dependencies` of a route."""
    return [Depends(Needs(*permissions))]


async def current_admin(request: Request) -> Admin:
    """The admin that the router's check found."""
    admin: Admin = request.state.admin
    return admin


async def acting_admin(request: Request) -> Actor:
    address = client_address(request, get_settings(request).trusted_proxies)
    return Actor(request.state.admin.username, str(address) if address else None)


class SessionOfAdmin(NamedTuple):
    """An admin within a session, for what they do to their own account."""

    admin: Admin
    actor: Actor
    token: str

    @property
    def session_hash(self) -> bytes:
        return hash_secret(self.token)


async def own_session(request: Request) -> SessionOfAdmin:
    return SessionOfAdmin(request.state.admin, await acting_admin(request), await sent_token(request))


async def find_actor(request: Request) -> Actor | None:
    """The admin, the peer without a token, or nobody where the route is open."""
    if request.state.admin is None:
        peer: Actor | None = request.state.peer
        return peer
    return await acting_admin(request)


def desk_router(prefix: str, tag: str, check: Check) -> APIRouter:
    """A router whose routes all make this check.

    Its routes are complete, so `main` mounts them one by one. FastAPI matches the routes of an included router twice.
    """
    return open_router(
        prefix,
        tag,
        dependencies=[Depends(check)],
        responses={**UNSIGNED, **FORBIDDEN, **INVALID},
        route_class=CheckedRoute,
    )


SentToken = Annotated[str, Depends(sent_token)]
CurrentAdmin = Annotated[Admin, Depends(current_admin)]
ActingAdmin = Annotated[Actor, Depends(acting_admin)]
Myself = Annotated[SessionOfAdmin, Depends(own_session)]
MaybeActor = Annotated[Actor | None, Depends(find_actor)]
AnyActor = Annotated[Actor, Depends(find_actor)]
