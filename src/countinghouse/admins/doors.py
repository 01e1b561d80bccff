"""Authentication dependencies: every route that is not open uses one of these."""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from countinghouse.admins.queries import Admin, get_admin_by_token, get_session
from countinghouse.admins.tokenless import find_tokenless_peer
from countinghouse.audit.actions import Actor
from countinghouse.core.errors import NotSignedIn
from countinghouse.core.http.addresses import client_address
from countinghouse.core.http.requests import get_database, get_settings

bearer = HTTPBearer(auto_error=False, description="The token that login returns.")
MaybeBearer = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


def _nobody() -> NotSignedIn:
    return NotSignedIn("session_required", "Please log in first.")


async def sent_token(credentials: MaybeBearer) -> str:
    if credentials is None:
        raise _nobody()
    return credentials.credentials


SentToken = Annotated[str, Depends(sent_token)]


async def signed_in_admin(request: Request, credentials: MaybeBearer) -> Admin:
    admin = await get_admin_by_token(get_database(request), get_settings(request), await sent_token(credentials))
    request.state.admin = admin
    return admin


async def watching_admin(request: Request, credentials: MaybeBearer) -> Admin:
    """For requests that a screen sends without a user action: they need a session, but do not count as its use."""
    session = await get_session(get_database(request), get_settings(request), await sent_token(credentials))
    request.state.admin = session.admin
    return session.admin


async def current_admin(request: Request) -> Admin:
    """The admin that the router's dependency found. Depending on it again would look up the token twice."""
    admin: Admin = request.state.admin
    return admin


CurrentAdmin = Annotated[Admin, Depends(current_admin)]


def _actor(request: Request, admin: Admin) -> Actor:
    address = client_address(request, get_settings(request).trusted_proxies)
    return Actor(admin.username, str(address) if address else None)


async def acting_admin(request: Request) -> Actor:
    return _actor(request, await current_admin(request))


async def find_actor(request: Request, credentials: MaybeBearer) -> Actor | None:
    """The admin of the token, or a peer that the operator allows without a token, or None."""
    if "authorization" not in request.headers:
        return find_tokenless_peer(request)
    return _actor(request, await signed_in_admin(request, credentials))


async def get_actor(found: Annotated[Actor | None, Depends(find_actor)]) -> Actor:
    if found is None:
        raise _nobody()
    return found


ActingAdmin = Annotated[Actor, Depends(acting_admin)]
MaybeActor = Annotated[Actor | None, Depends(find_actor)]
AnyActor = Annotated[Actor, Depends(get_actor)]
