"""Authentication dependencies, and routers that run one of them for every route."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.openapi.models import HTTPBearer as HTTPBearerModel
from fastapi.security.base import SecurityBase
from fastapi.security.utils import get_authorization_scheme_param

from countinghouse.admins.queries import Admin, get_admin_by_token
from countinghouse.admins.tokenless import find_tokenless_peer
from countinghouse.audit.actions import Actor
from countinghouse.core.errors import NotSignedIn
from countinghouse.core.http.requests import client_address, get_database, get_settings
from countinghouse.core.http.routers import INVALID, UNSIGNED, open_router


async def sent_token(request: Request) -> str:
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() != "bearer" or not token:
        raise NotSignedIn("session_required", "Please log in first.")
    return token


class Authentication(SecurityBase):
    """A dependency that checks the token itself. FastAPI describes it as a security scheme; a separate dependency for
    the header would cost a tenth of a page."""

    model = HTTPBearerModel(description="The token that login returns.")
    scheme_name = "HTTPBearer"

    def __init__(self, *, counts_as_use: bool = True) -> None:
        self.counts_as_use = counts_as_use

    async def __call__(self, request: Request) -> Any:
        database, settings, token = get_database(request), get_settings(request), await sent_token(request)
        admin = await get_admin_by_token(database, settings, token, counts_as_use=self.counts_as_use)
        request.state.admin = admin
        return admin


class MaybeTokenless(Authentication):
    """The admin of the token, or a peer that the operator allows without a token."""

    def __init__(self, *, is_required: bool) -> None:
        super().__init__()
        self.is_required = is_required

    async def __call__(self, request: Request) -> Actor | None:
        if "authorization" not in request.headers:
            peer = find_tokenless_peer(request)
            if peer is not None or not self.is_required:
                return peer
        await super().__call__(request)
        return await acting_admin(request)


signed_in_admin = Authentication()
# For requests that a screen sends without a user action: they need a session, but do not count as its use.
watching_admin = Authentication(counts_as_use=False)
find_actor = MaybeTokenless(is_required=False)
get_actor = MaybeTokenless(is_required=True)


async def current_admin(request: Request) -> Admin:
    """The admin that the router's dependency found. Depending on it again would look up the token twice."""
    admin: Admin = request.state.admin
    return admin


async def acting_admin(request: Request) -> Actor:
    address = client_address(request, get_settings(request).trusted_proxies)
    return Actor(request.state.admin.username, str(address) if address else None)


def desk_router(prefix: str, tag: str, *, needs: Callable[..., Any] = signed_in_admin) -> APIRouter:
    """A router whose routes need an admin's token, unless `needs` is another of the dependencies above.

    Its routes are complete, so `main` mounts them one by one. FastAPI matches the routes of an included router twice.
    """
    return open_router(prefix, tag, dependencies=[Depends(needs)], responses={**UNSIGNED, **INVALID})


SentToken = Annotated[str, Depends(sent_token)]
CurrentAdmin = Annotated[Admin, Depends(current_admin)]
ActingAdmin = Annotated[Actor, Depends(acting_admin)]
MaybeActor = Annotated[Actor | None, Depends(find_actor)]
AnyActor = Annotated[Actor, Depends(get_actor)]
