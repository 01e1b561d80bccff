"""Authentication by API key: for the routes of the intake, and for the few lists that a key may read.

A session is not accepted by the intake, and a key is accepted by nothing else.
"""

from typing import Annotated, Any, cast

from fastapi import Depends, Request
from fastapi.security.utils import get_authorization_scheme_param

from countinghouse.admins.dependencies import Authentication, acting_admin, get_actor, signed_in_admin
from countinghouse.audit.actions import Actor
from countinghouse.core.errors import Forbidden, NotSignedIn
from countinghouse.core.http.edge import add_answer_headers
from countinghouse.core.http.requests import client_address, get_database, get_settings, is_within
from countinghouse.keys.limits import RateLimit
from countinghouse.keys.queries import KEY_PREFIX, ApiKey, Scope, get_key_by_secret


def _sent_key(request: Request) -> str | None:
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    return token if scheme.lower() == "bearer" and token.startswith(KEY_PREFIX) else None


class KeyAuthentication(Authentication):
    """Accepts a key with this scope; `otherwise` is what is checked if another token is sent, or none."""

    def __init__(self, scope: Scope, otherwise: Authentication | None = None) -> None:
        super().__init__()
        self.scope = scope
        self.otherwise = otherwise

    async def __call__(self, request: Request) -> Any:
        secret = _sent_key(request)
        if secret is not None:
            return await self._check(request, secret)
        if self.otherwise is not None:
            return await self.otherwise(request)
        raise NotSignedIn("key_required", f"Send an API key, as Authorization: Bearer {KEY_PREFIX}…")

    async def _check(self, request: Request, secret: str) -> ApiKey:
        key = await get_key_by_secret(get_database(request), secret)
        address = client_address(request, get_settings(request).trusted_proxies)
        if key.networks and not is_within(address, key.networks):
            raise Forbidden("key_network", f"The API key {key.name} may not be used from {address}.")
        limit = cast(RateLimit, request.app.state.key_limit)
        add_answer_headers(request.scope, limit.count(key.id))
        limit.check(key.id)
        if self.scope not in key.scopes:
            sentence = f"The API key {key.name} lacks the scope {self.scope}."
            raise Forbidden("scope_missing", sentence, {"scope": self.scope})
        request.state.api_key = key
        request.state.key_actor = Actor(key.actor_name, str(address) if address else None)
        return key


# For what a key with the scope `read` may read as well as an admin.
admin_or_reader = KeyAuthentication("read", otherwise=signed_in_admin)
# The same, and networks that need no token.
anybody_or_reader = KeyAuthentication("read", otherwise=get_actor)


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
