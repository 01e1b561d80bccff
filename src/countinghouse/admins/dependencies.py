"""Authentication dependencies, and routers that run one of them for every route."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.openapi.models import HTTPBearer as HTTPBearerModel
from fastapi.security.base import SecurityBase
from fastapi.security.utils import get_authorization_scheme_param

from countinghouse.admins.queries import Admin, get_admin_by_token, get_session
from countinghouse.admins.tokenless import find_tokenless_peer
from countinghouse.audit.actions import Actor
from countinghouse.core.errors import NotSignedIn
from countinghouse.core.http.requests import client_address, get_database, get_settings
from countinghouse.core.http.routers import INVALID, UNSIGNED, open_router


class Authentication(SecurityBase):
    """A dependency that checks the token itself. FastAPI describes it as a security scheme; a separate dependency for
    the header would cost a tenth of a page."""

    def __init__(self, check: Callable[[Request], Awaitable[Any]]) -> None:
        self.model = HTTPBearerModel(description="The token that login returns.")
        self.scheme_name = "HTTPBearer"
        self.check = check

    async def __call__(self, request: Request) -> Any:
        return await self.check(request)


def _nobody() -> NotSignedIn:
    return NotSignedIn("session_required", "Please log in first.")


async def sent_token(request: Request) -> str:
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() != "bearer" or not token:
        raise _nobody()
    return token


SentToken = Annotated[str, Depends(sent_token)]


async def _find_signed_in(request: Request) -> Admin:
    admin = await get_admin_by_token(get_database(request), get_settings(request), await sent_token(request))
    request.state.admin = admin
    return admin


async def _find_watching(request: Request) -> Admin:
    session = await get_session(get_database(request), get_settings(request), await sent_token(request))
    request.state.admin = session.admin
    return session.admin


signed_in_admin = Authentication(_find_signed_in)
# For requests that a screen sends without a user action: they need a session, but do not count as its use.
watching_admin = Authentication(_find_watching)


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


async def _find_actor(request: Request) -> Actor | None:
    """The admin of the token, or a peer that the operator allows without a token, or None."""
    if "authorization" not in request.headers:
        return find_tokenless_peer(request)
    return _actor(request, await _find_signed_in(request))


async def _get_actor(request: Request) -> Actor:
    found = await _find_actor(request)
    if found is None:
        raise _nobody()
    return found


find_actor = Authentication(_find_actor)
get_actor = Authentication(_get_actor)


def desk_router(prefix: str, tag: str, *, needs: Callable[..., Any] = signed_in_admin) -> APIRouter:
    """A router whose routes need an admin's token, unless `needs` is another of the dependencies above.

    Its routes are complete, so `main` mounts them one by one. FastAPI matches the routes of an included router twice.
    """
    return open_router(prefix, tag, dependencies=[Depends(needs)], responses={**UNSIGNED, **INVALID})


ActingAdmin = Annotated[Actor, Depends(acting_admin)]
MaybeActor = Annotated[Actor | None, Depends(find_actor)]
AnyActor = Annotated[Actor, Depends(get_actor)]
