"""Reading API keys."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from ipaddress import ip_network
from typing import Any, Literal, get_args

import structlog
from pydantic import with_config
from sqlalchemy import Row, bindparam, or_, select, update
from typing_extensions import TypedDict

from countinghouse.core.db import CLOCK, DATABASE_ERRORS, Database, Reader, Statement, clock_of
from countinghouse.core.errors import Busy, NotSignedIn
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import CLOCKS_DIFFER, iso
from countinghouse.keys.tables import api_keys
from countinghouse.settings import Network

log = structlog.get_logger()

Scope = Literal["users:write", "purchases:write", "claims:write", "read"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

# Every key begins with it, so that a program that searches for leaked secrets recognises one.
KEY_PREFIX = "ch_live_"
LENGTH = len(KEY_PREFIX) + 32
# The last use is stored at most this often, so that not every call writes.
LAST_USED_EVERY = timedelta(minutes=1)

State = Literal["active", "expired", "revoked"]


@with_config(
    json_schema_extra={
        "examples": [
            {
                "_id": "6917e2f4a1b2c3d4e5000009",
                "name": "app",
                "prefix": "ch_live_Zt9b",
                "scopes": ["users:write", "claims:write"],
                "networks": ["203.0.113.0/24"],
                "state": "active",
                "createdAt": "2026-11-15T02:52:36.120Z",
                "createdBy": "asha",
                "expiresAt": None,
                "lastUsedAt": "2026-11-16T02:52:36.120Z",
                "revokedAt": None,
                "revokedBy": None,
            }
        ]
    }
)
class ShownKey(TypedDict):
    _id: str
    name: str
    prefix: str
    scopes: list[Scope]
    networks: list[str]
    state: State
    createdAt: str
    createdBy: str
    expiresAt: str | None
    lastUsedAt: str | None
    revokedAt: str | None
    revokedBy: str | None


@dataclass(frozen=True, slots=True)
class ApiKey:
    id: str
    name: str
    scopes: frozenset[str]
    networks: tuple[Network, ...]

    @property
    def actor_name(self) -> str:
        """Admins cannot have such a name."""
        return f"key {self.name}"


def state_of(key: Row[Any], at: datetime) -> State:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= at else "active"


def shown_key(key: Row[Any]) -> ShownKey:
    """Of a row that was read with the clock."""
    return {
        "_id": key.id,
        "name": key.name,
        "prefix": key.prefix,
        "scopes": key.scopes.split(),
        "networks": key.networks.split(),
        "state": state_of(key, clock_of(key.clock)),
        "createdAt": iso(key.created_at),
        "createdBy": key.created_by,
        "expiresAt": key.expires_at and iso(key.expires_at),
        "lastUsedAt": key.last_used_at and iso(key.last_used_at),
        "revokedAt": key.revoked_at and iso(key.revoked_at),
        "revokedBy": key.revoked_by,
    }


_NEWEST = Statement(select(api_keys, CLOCK).order_by(api_keys.c.created_at.desc(), api_keys.c.id.desc()))
_BY_HASH = Statement(select(api_keys, CLOCK).where(api_keys.c.key_hash == bindparam("key_hash")))
_TOUCH = Statement(
    update(api_keys)
    .where(
        api_keys.c.id == bindparam("key_id"),
        or_(
            api_keys.c.last_used_at.is_(None),
            api_keys.c.last_used_at < bindparam("used_at"),
            api_keys.c.last_used_at > bindparam("ahead"),
        ),
    )
    .values(last_used_at=bindparam("used_at"))
)


async def list_keys(reader: Reader) -> list[ShownKey]:
    return [shown_key(key) for key in await reader.rows(_NEWEST)]


async def get_key_by_secret(database: Database, secret: str) -> ApiKey:
    """Looked up for every call, so that a revoked key stops working at once."""
    found = None
    if len(secret) == LENGTH and secret.isascii():
        found = await database.read(lambda reader: reader.first(_BY_HASH, {"key_hash": hash_secret(secret)}))
    if found is None:
        raise NotSignedIn("key_unknown", "There is no such API key. Check that it was copied completely.")
    at = clock_of(found.clock)
    match state_of(found, at):
        case "revoked":
            raise NotSignedIn("key_revoked", f"The API key {found.name} was revoked at {iso(found.revoked_at)}.")
        case "expired":
            raise NotSignedIn("key_expired", f"The API key {found.name} expired at {iso(found.expires_at)}.")
    if found.last_used_at is None or abs(at - found.last_used_at) >= LAST_USED_EVERY:
        await _touch(database, found.id, at)
    return ApiKey(found.id, found.name, frozenset(found.scopes.split()), _networks(found.networks))


@lru_cache(100)
def _networks(stored: str) -> tuple[Network, ...]:
    return tuple(ip_network(part) for part in stored.split())


async def _touch(database: Database, key_id: str, at: datetime) -> None:
    used = {"key_id": key_id, "used_at": at, "ahead": at + CLOCKS_DIFFER}
    try:
        await database.write(lambda transaction: transaction.execute(_TOUCH, used))
    except (*DATABASE_ERRORS, Busy):
        # Another writer holds the lock, or the database accepts no changes. The next call tries again.
        log.warning("last_used_not_written")
