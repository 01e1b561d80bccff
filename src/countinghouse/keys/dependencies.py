"""Authentication by API key: for the routes of the intake, and for the few lists that a key may read.

A session is not accepted by the intake, and a key by no other route.
"""

from typing import Annotated, cast

from fastapi import Depends, Request
from fastapi.security.base import SecurityBase
from fastapi.security.utils import get_authorization_scheme_param

from countinghouse.admins.dependencies import SignedIn, acting_admin
from countinghouse.admins.permissions import Permission
from countinghouse.audit.actions import Actor
from countinghouse.core.errors import Forbidden, NotSignedIn
from countinghouse.core.http.callers import welcome_caller
from countinghouse.core.http.checked_route import Check
from countinghouse.core.http.edge import ACTOR_NAME, add_answer_headers
from countinghouse.core.http.requests import client_address, get_database, get_settings, is_within
from countinghouse.keys.limits import RateLimit
from countinghouse.keys.queries import KEY_PREFIX, ApiKey, Scope, get_key_by_secret


def _sent_key(request: Request) -> str | None:
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    return token if scheme.lower() == "bearer" and token.startswith(KEY_PREFIX) else None


class HasKey(Check, SecurityBase):
    """Accepts a key with this scope; `otherwise` is what is checked if another token is sent, or none."""

    model, scheme_name = SignedIn.model, SignedIn.scheme_name

    def __init__(self, scope: Scope, otherwise: SignedIn | None = None) -> None:
        self.scope = scope
        self.otherwise = otherwise
        self.permissions = () if otherwise is None else otherwise.permissions

    async def check(self, request: Request) -> None:
        await self._check(request, counts=True)

    async def check_again(self, request: Request) -> None:
        await self._check(request, counts=False)

    async def _check(self, request: Request, *, counts: bool) -> None:
        """`counts`: towards the rate limit. A call counts once."""
        secret = _sent_key(request)
        if secret is not None:
            await self._check_key(request, secret, counts=counts)
        elif self.otherwise is not None:
            await self.otherwise.check(request)
        else:
            raise NotSignedIn("key_required", f"Send an API key, as Authorization: Bearer {KEY_PREFIX}…")

    async def _check_key(self, request: Request, secret: str, *, counts: bool) -> None:
        key = await get_key_by_secret(get_database(request), secret)
        welcome_caller(request)
        setattr(request.state, ACTOR_NAME, key.actor_name)
        address = client_address(request, get_settings(request).trusted_proxies)
        if key.networks and not is_within(address, key.networks):
            raise Forbidden("key_network", f"The API key {key.name} may not be used from {address}.")
        if counts:
            limit = cast(RateLimit, request.app.state.key_limit)
            add_answer_headers(request.scope, limit.count(key.id))
            limit.check(key.id)
        if self.scope not in key.scopes:
            sentence = f"The API key {key.name} lacks the scope {self.scope}."
            raise Forbidden("scope_missing", sentence, {"scope": self.scope})
        request.state.api_key = key
        request.state.key_actor = Actor(key.actor_name, str(address) if address else None)


class SignedInOrReader(HasKey):
    """An admin with this permission, or a key with the scope `read`."""

    def __init__(self, permission: Permission, otherwise: type[SignedIn] = SignedIn) -> None:
        super().__init__("read", otherwise(permission))


async def current_key(request: Request) -> ApiKey:
    """The key that the route's dependency found."""
    return cast(ApiKey, request.state.api_key)


async def key_actor(request: Request) -> Actor:
    return cast(Actor, request.state.key_actor)


async def _reading_actor(request: Request) -> Actor:
    return await (acting_admin(request) if _sent_key(request) is None else key_actor(request))


CurrentKey = Annotated[ApiKey, Depends(current_key)]
KeyActor = Annotated[Actor, Depends(key_actor)]
ReadingActor = Annotated[Actor, Depends(_reading_actor)]
