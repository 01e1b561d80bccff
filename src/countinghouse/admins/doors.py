"""Who is at the door: every closed route asks one of these."""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from countinghouse.admins.queries import Admin, get_admin_by_token
from countinghouse.audit.actions import Actor
from countinghouse.core.errors import NotSignedIn
from countinghouse.core.http.addresses import client_address, is_within, peer_address
from countinghouse.core.http.requests import get_database, get_settings

# A peer that sends these speaks for somebody else: a proxy inside a tokenless network would let every visitor in.
RELAYED = ("forwarded", "via", "x-forwarded-for", "x-real-ip")

bearer = HTTPBearer(auto_error=False, description="The token that login answers.")
Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


def signed_in_admin(request: Request, credentials: Bearer) -> Admin:
    if credentials is None:
        raise NotSignedIn("session_required", "Please log in first.")
    return get_admin_by_token(get_database(request), get_settings(request), credentials.credentials)


CurrentAdmin = Annotated[Admin, Depends(signed_in_admin)]


def actor_for(request: Request, username: str) -> Actor:
    address = client_address(request, get_settings(request).trusted_proxies)
    return Actor(username, str(address) if address else None)


def acting_admin(request: Request, admin: CurrentAdmin) -> Actor:
    return actor_for(request, admin.username)


def find_actor(request: Request, credentials: Bearer) -> Actor | None:
    """The admin behind the token, else a peer that the operator lets in without one, else nobody."""
    if "authorization" in request.headers:
        return actor_for(request, signed_in_admin(request, credentials).username)
    peer = peer_address(request)
    is_relayed = any(name in request.headers for name in RELAYED)
    if is_within(peer, get_settings(request).tokenless_networks) and not is_relayed:
        return Actor(f"tokenless@{peer}", str(peer))
    return None


def get_actor(found: Annotated[Actor | None, Depends(find_actor)]) -> Actor:
    if found is None:
        raise NotSignedIn("session_required", "Please log in first.")
    return found


ActingAdmin = Annotated[Actor, Depends(acting_admin)]
MaybeActor = Annotated[Actor | None, Depends(find_actor)]
AnyActor = Annotated[Actor, Depends(get_actor)]
