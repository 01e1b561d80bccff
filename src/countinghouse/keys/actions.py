"""Adding and revoking API keys."""

import secrets
import string
from datetime import datetime
from ipaddress import IPv6Network, ip_network
from typing import Annotated

from pydantic import BeforeValidator, Field
from sqlalchemy import Row, insert, select, update

from countinghouse.admins.names import Username
from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import CLOCK, AlreadyThere, Transaction
from countinghouse.core.errors import Conflict, InvalidInput, NotFound
from countinghouse.core.examples import body_examples
from countinghouse.core.ids import new_id
from countinghouse.core.inputs import Body, at_most, name_key
from countinghouse.core.listing.query import PossibleMoment
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import iso
from countinghouse.keys.queries import KEY_PREFIX, LENGTH, SCOPES, Scope, ShownKey, shown_key
from countinghouse.keys.resource import KeyVerb
from countinghouse.keys.tables import api_keys
from countinghouse.settings import Network

MOST_NETWORKS = 20
# The table of keys is read as a whole; nobody needs more of them.
MOST_KEYS = 1000
_LETTERS = string.ascii_letters + string.digits
_SHOWN_LETTERS = 4


_IPV4_AS_IPV6 = IPv6Network("::ffff:0:0/96")


def _read_network(value: object) -> object:
    # Not by pydantic, which would report the problem once for each version of the protocol, and accept numbers.
    try:
        network = ip_network(str(value))
    except ValueError:
        raise ValueError("must be an address or a network, like 203.0.113.7 or 203.0.113.0/24.") from None
    if isinstance(network, IPv6Network) and network.subnet_of(_IPV4_AS_IPV6):
        # Callers are compared by their plain IPv4 address, so it would match nobody.
        raise ValueError("is an IPv4 network in the form of IPv6. Write it like 203.0.113.0/24.")
    return network


AllowedNetwork = Annotated[Network, BeforeValidator(_read_network)]


class NewKey(Body):
    model_config = body_examples({"name": "app", "scopes": ["users:write", "claims:write"]})

    name: Username
    scopes: Annotated[list[Scope], Field(min_length=1), at_most(len(SCOPES))]
    networks: Annotated[
        list[AllowedNetwork], at_most(MOST_NETWORKS), Field(description="Where it may be used; empty: anywhere.")
    ] = Field(default=[])
    expires_at: Annotated[PossibleMoment | None, Field(alias="expiresAt")] = None


async def add_key(transaction: Transaction, actor: Actor, asked: NewKey) -> tuple[ShownKey, str]:
    """The key itself is returned once and cannot be read again."""
    at = await transaction.now()
    if asked.expires_at is not None and asked.expires_at <= at:
        raise InvalidInput({"expiresAt": "The expiry must be in the future."})
    if len(await transaction.scalars(select(api_keys.c.id))) >= MOST_KEYS:
        raise Conflict("too_many_keys", f"There are already {MOST_KEYS:,} keys; use one of them.")
    secret = KEY_PREFIX + "".join(secrets.choice(_LETTERS) for _ in range(LENGTH - len(KEY_PREFIX)))
    scopes = [scope for scope in SCOPES if scope in asked.scopes]
    networks = [str(network) for network in dict.fromkeys(asked.networks)]
    row = {
        "id": new_id(),
        "name": asked.name,
        "name_key": name_key(asked.name),
        "key_hash": hash_secret(secret),
        "prefix": secret[: len(KEY_PREFIX) + _SHOWN_LETTERS],
        "scopes": " ".join(scopes),
        "networks": " ".join(networks),
        "created_at": at,
        "created_by": actor.name,
        "expires_at": asked.expires_at,
    }
    try:
        await transaction.execute(insert(api_keys).values(row))
    except AlreadyThere as error:
        message = f"There is or was a key named {asked.name}; names are not reused, because the audit log has them."
        raise Conflict("key_exists", message) from error
    after = {"name": asked.name, "prefix": row["prefix"], "scopes": scopes, "networks": networks}
    after["expiresAt"] = _shown_moment(asked.expires_at)
    await record(transaction, actor, KeyVerb.ADDED, str(row["id"]), after=after)
    return shown_key(await _get_key(transaction, str(row["id"]))), secret


async def revoke_key(transaction: Transaction, actor: Actor, key_id: str) -> ShownKey:
    """Ends the key at once. Repeating it changes nothing."""
    await _get_key(transaction, key_id)
    revoked = await transaction.execute(
        update(api_keys)
        .where(api_keys.c.id == key_id, api_keys.c.revoked_at.is_(None))
        .values(revoked_at=await transaction.now(), revoked_by=actor.name)
    )
    key = await _get_key(transaction, key_id)
    if revoked:
        await record(transaction, actor, KeyVerb.REVOKED, key_id, after={"name": key.name, "prefix": key.prefix})
    return shown_key(key)


async def revoke_key_named(transaction: Transaction, actor: Actor, name: str) -> ShownKey:
    key_id = await transaction.scalar(select(api_keys.c.id).where(api_keys.c.name_key == name_key(name)))
    if key_id is None:
        raise NotFound("key_not_found", f"There is no key named {name}.")
    return await revoke_key(transaction, actor, key_id)


async def _get_key(transaction: Transaction, key_id: str) -> Row[tuple[object, ...]]:
    found = await transaction.first(select(api_keys, CLOCK).where(api_keys.c.id == key_id))
    if found is None:
        raise NotFound("key_not_found", "There is no such key. Reload the list.")
    return found


def _shown_moment(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)
